#pragma once

// Working memory that a caller hands over in one piece, cut into parts.

#include <cstddef>
#include <cstdint>

namespace attn::kernels::simd {

/// Whole multiples of `unit` that hold n.
constexpr std::size_t round_up(std::size_t n, std::size_t unit) {
  return (n + unit - 1) / unit * unit;
}

/// Cuts `memory` into parts that each begin a cache line: a panel that straddles lines is read twice. Without memory
/// it only counts, so that one function says both how much is needed and where everything lies.
class Scratch {
 public:
  explicit Scratch(float* memory) : next_(memory == nullptr ? nullptr : first_line(memory)) {}

  /// The next `count` floats; null when there is no memory.
  float* take(std::size_t count) {
    float* const part = next_;
    const std::size_t whole = round_up(count, line_floats);
    if (next_ != nullptr) next_ += whole;
    used_ += whole;
    return part;
  }

  /// Floats that all parts need, wherever the memory begins.
  std::size_t size() const { return used_ + line_floats - 1; }

 private:
  static constexpr std::size_t line_floats = 16;

  static float* first_line(float* memory) {
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(memory) % (line_floats * 4);
    return past == 0 ? memory : memory + (line_floats - past / 4);
  }

  float* next_;
  std::size_t used_ = 0;
};

}  // namespace attn::kernels::simd
