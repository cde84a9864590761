#pragma once

// The sizes of a batch of heads, as every call reads them.

#include "attention/heads.hpp"
#include "convert.hpp"
#include "mask_option.hpp"

namespace attn::binding {

inline HeadsShape read_heads_shape(Reader& in) {
  HeadsShape shape = {};
  shape.n_heads = in.count_or("n_heads", 1, max_heads);
  shape.n_kv_heads = in.count_or("n_kv_heads", shape.n_heads, max_heads);
  shape.n_q = in.count("n_q", max_tiled_tokens);
  shape.n_k = in.count("n_k", max_tiled_tokens);
  shape.d_k = in.count("d_k", max_width);
  shape.d_v = in.count("d_v", max_width);
  shape.capacity = in.count_or("capacity", shape.n_k, max_tiled_tokens);
  return shape;
}

}  // namespace attn::binding
