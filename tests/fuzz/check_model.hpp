#pragma once

// What must hold of a model that a reader accepted, and of an error where it did not.

#include <cstdlib>

#include "kv_cache/cache_model.hpp"

namespace attn::fuzz {

inline void require_model(bool holds) {
  if (!holds) std::abort();
}

inline void check_model(const Expected<ReadModel>& read) {
  if (!read) {
    require_model(read.error().message.ends_with('.') && !read.error().field.empty());
    return;
  }
  // A page draws both; a file can neither fill it nor leave it without a word.
  require_model(read->architecture.size() < 200 && read->notes.size() < 40);
  for (const auto& note : read->notes) require_model(note.ends_with('.'));
  if (read->missing.empty()) require_model(check_cache_model(read->model).has_value());
}

}  // namespace attn::fuzz
