#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/limits.hpp"

namespace attn {

/// Counts exactly up to 2^53, and keeps the first error, so that a formula reads as one. The field that an error names
/// is the one that a reader would make smaller: that of the constructor until `of` names another.
class Exact {
 public:
  explicit Exact(std::string_view field) : field_(field) {}
  /// What is counted from here on is limited by this field.
  Exact& of(std::string_view field) {
    field_ = field;
    return *this;
  }

  std::uint64_t product(std::initializer_list<std::uint64_t> factors) {
    return take(checked_product(field_, factors));
  }
  std::uint64_t sum(std::initializer_list<std::uint64_t> terms) {
    // Each term is at most 2^53 and there are few: this cannot wrap.
    std::uint64_t total = 0;
    for (const std::uint64_t term : terms) total += term;
    return take(checked_product(field_, {total}));
  }
  /// What another function counted.
  std::uint64_t take(Expected<std::uint64_t> counted) {
    if (counted) return *counted;
    if (!error_) error_ = std::move(counted.error());
    return 0;
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string_view field_;
  std::optional<Error> error_;
};

}  // namespace attn
