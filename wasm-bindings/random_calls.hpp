#pragma once

// Seeded random numbers as JavaScript asks for them.

#include "convert.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"

namespace attn::binding {

inline val random_normals_of(Reader& in) {
  const auto seed = in.count("seed", max_exact_count, 0);
  const auto count = in.count("count", max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto normals = random_normals(seed, count);
  if (!normals) return failure(normals.error());
  return success(copied(memory_of(flat(*normals))));
}

}  // namespace attn::binding
