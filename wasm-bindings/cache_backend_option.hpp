#pragma once

// The option `backend` of a cache's calls: one query a head is small work, for which vectors are always the quicker.

#include <string_view>
#include <vector>

#include "attention/heads.hpp"
#include "convert.hpp"

namespace attn::binding {

/// The one that the option names; the last of backends() unless told.
inline Backend read_cache_backend(Reader& in) {
  std::vector<std::string_view> names = {"auto"};
  for (const Backend backend : backends()) names.push_back(name(backend));
  const std::size_t chosen = in.choice("backend", names);
  return chosen == 0 ? backends().back() : backends()[chosen - 1];
}

}  // namespace attn::binding
