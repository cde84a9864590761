#pragma once

// A model that runs as JavaScript calls it. Text crosses as UTF-8 bytes, ids as 32-bit integers.

#include "convert.hpp"

namespace attn::binding {

val encode_text_of(Reader& in);
val decode_ids_of(Reader& in);
val take_tokens_of(Reader& in);
val candidate_tokens_of(Reader& in);
val next_token_of(Reader& in);
val evict_tokens_of(Reader& in);
val roll_back_model_of(Reader& in);
val reset_model_of(Reader& in);
val model_state_of(Reader& in);
val close_model_of(Reader& in);

}  // namespace attn::binding
