#pragma once

// What must hold of a model that a reader accepted, and of an error where it did not.

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "kv_cache/bill.hpp"
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
  const CacheModel& model = read->model;
  const auto is_missing = [&](std::string_view field) {
    return std::ranges::count(read->missing, field) > 0;
  };
  require_model(is_missing("parameters") == (model.parameters == 0));
  require_model(is_missing("active_parameters") == (model.active_parameters == 0));
  require_model(model.active_parameters <= model.parameters);
  const bool is_priced = std::ranges::none_of(read->missing, [](std::string_view field) {
    return field != "parameters" && field != "active_parameters" && field != "max_tokens" &&
           field != "d_model";
  });
  if (!is_priced) return;
  require_model(model.full_layers == 0 || model.n_heads % model.n_kv_heads == 0);
  require_model(model.local_layers == 0 || model.n_heads % model.local_n_kv_heads == 0);
  // Every layer that keeps something has its part in the bytes of one token, unless they are too many to count.
  const auto bill = cache_bill(model, {});
  const std::uint64_t keeping = model.full_layers - model.full_sharing + model.local_layers -
                                model.local_sharing + model.state_layers;
  require_model(bill ? bill->needed_bytes >= 2 * keeping
                     : bill.error().code == ErrorCode::too_large);
}

}  // namespace attn::fuzz
