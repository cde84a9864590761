#pragma once

// What stays in the module between two calls, under numbers that the runtime keeps and gives back.

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "convert.hpp"
#include "core/limits.hpp"

namespace attn::binding {

/// What is open, by number. A number is never given twice, so that one which was closed is known as such.
template <class T>
class Shelf {
 public:
  double put(T thing) {
    things_.emplace(++last_, std::make_unique<T>(std::move(thing)));
    return last_;
  }
  /// What stands under the number that the option holds. `told` is the option's name for the caller.
  T* find(Reader& in, const char* field, const char* told = nullptr) {
    const auto number = in.count(field, max_exact_count);
    if (in.failed()) return nullptr;
    const auto found = things_.find(static_cast<std::uint32_t>(number));
    if (found != things_.end()) return found->second.get();
    in.refuse(ErrorCode::bad_argument, told == nullptr ? field : told,
              " is closed, or was never open.");
    return nullptr;
  }
  void close(std::uint32_t number) { things_.erase(number); }
  std::size_t size() const { return things_.size(); }

 private:
  std::map<std::uint32_t, std::unique_ptr<T>> things_;
  std::uint32_t last_ = 0;
};

}  // namespace attn::binding
