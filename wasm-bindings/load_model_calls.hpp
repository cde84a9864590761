#pragma once

// A model on its way into memory as JavaScript calls it: which bytes it wants, and those that come.

#include "convert.hpp"

namespace attn::binding {

val load_gguf_of(Reader& in);
val load_safetensors_of(Reader& in);
val shard_names_of(Reader& in);
val loading_state_of(Reader& in);
val give_bytes_of(Reader& in);
val finish_model_of(Reader& in);
val close_loading_of(Reader& in);

}  // namespace attn::binding
