#pragma once

// The option `mask`, as every kind of attention reads it.

#include "attention/mask.hpp"
#include "convert.hpp"
#include "core/limits.hpp"

namespace attn::binding {

inline Mask read_mask(Reader& in, std::uint64_t n_q, std::uint64_t n_k) {
  Mask mask;
  in.inside("mask", [&](Reader& inner) {
    mask.causal = inner.flag_or("causal", false);
    if (inner.has("window")) mask.window = inner.count("window", max_exact_count);
    mask.key_valid = inner.list_or_empty<std::uint8_t>("key_valid", n_k);
    mask.query_document = inner.list_or_empty<std::int32_t>("query_document", n_q);
    mask.key_document = inner.list_or_empty<std::int32_t>("key_document", n_k);
  });
  return mask;
}

}  // namespace attn::binding
