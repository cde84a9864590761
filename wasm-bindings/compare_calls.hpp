#pragma once

// One bill held against another, as JavaScript asks for it.

#include "convert.hpp"

namespace attn::binding {

/// A model with another number of KV heads, its weights following.
val with_kv_heads_of(Reader& in);

/// How many times the work of one prompt another has.
val prompt_growth_of(Reader& in);

/// Token passes with and without a cache.
val token_passes_of(Reader& in);

/// Bytes in decimal and binary units.
val byte_units_of(Reader& in);

}  // namespace attn::binding
