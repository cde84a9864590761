#pragma once

// A model's fields out of a file of the reader's own.

#include "convert.hpp"

namespace attn::binding {

/// Reads the beginning of a GGUF file, or a config.json, whichever it is by its first bytes. `size` is that of the whole
/// file. Of a GGUF that goes on beyond what was given, `needs_bytes` says how much is wanted, and nothing else is told.
val read_model_of(Reader& in);

}  // namespace attn::binding
