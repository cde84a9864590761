#pragma once

// A call of a module: one options object in, one answer out.

#include <utility>

#include "convert.hpp"

namespace attn::binding {

template <auto compute>
val plain(val options) {
  Reader in(std::move(options));
  return compute(in);
}

}  // namespace attn::binding
