#pragma once

// What must hold of a model that a reader accepted, beside the check that the readers end with themselves.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "kv_cache/bill.hpp"
#include "kv_cache/cache_model.hpp"

namespace attn::test {

/// It has a price, its heads share what is kept evenly, and what is missing is 0.
inline void check_sound(const ReadModel& read) {
  const CacheModel& model = read.model;
  const auto is_missing = [&](std::string_view field) {
    return std::ranges::count(read.missing, field) > 0;
  };
  CHECK(is_missing("parameters") == (model.parameters == 0));
  CHECK(is_missing("active_parameters") == (model.active_parameters == 0));
  CHECK((is_missing("active_parameters") || model.active_parameters <= model.parameters));
  CHECK(is_missing("max_tokens") == (model.max_tokens == 0));
  const bool is_priced = std::ranges::none_of(read.missing, [](std::string_view field) {
    return field != "parameters" && field != "active_parameters" && field != "max_tokens" &&
           field != "d_model";
  });
  if (!is_priced) return;
  CHECK((model.full_layers == 0 || model.n_heads % model.n_kv_heads == 0));
  CHECK((model.local_layers == 0 || model.n_heads % model.local_n_kv_heads == 0));
  CHECK((model.window != 0) == (model.local_layers != 0));
  const auto bill = cache_bill(model, {});
  REQUIRE(bill);
  // Of one token: each layer that keeps anything has its part in the bytes.
  CHECK(bill->needed_bytes >= 2 * (model.full_layers - model.full_sharing + model.local_layers -
                                   model.local_sharing + model.state_layers));
}

}  // namespace attn::test
