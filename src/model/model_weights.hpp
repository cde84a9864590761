#pragma once

// A model's weights in memory, as its file holds them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/weight_blocks.hpp"
#include "model/weight_slots.hpp"

namespace attn {

/// Bytes of all weights: a WebAssembly module may have 2 GiB in all.
inline constexpr std::uint64_t max_weight_bytes = std::uint64_t{3} << 29;

/// Matrices stay in the file's format; vectors (gains and biases) are floats.
class ModelWeights {
 public:
  ModelWeights() = default;
  explicit ModelWeights(const ModelConfig& config)
      : config_(config), parts_(n_slots * static_cast<std::size_t>(config.n_layers)) {}

  const ModelConfig& config() const { return config_; }
  ModelConfig& config() { return config_; }
  std::uint64_t bytes() const { return bytes_; }

  bool has(Slot slot, std::uint64_t layer = 0) const { return part(slot, layer).bytes != nullptr; }
  const kernels::WeightMatrix& matrix(Slot slot, std::uint64_t layer = 0) const {
    return part(slot, layer).matrix;
  }
  /// Empty where there is none.
  std::span<const float> vector(Slot slot, std::uint64_t layer = 0) const {
    const Part& of = part(slot, layer);
    if (of.bytes == nullptr) return {};
    return {reinterpret_cast<const float*>(of.bytes.get()), of.matrix.columns};
  }
  /// The matrix that gives the logits: one of its own, or the token embedding (Press and Wolf 2017).
  const kernels::WeightMatrix& output() const {
    return matrix(has(Slot::output) ? Slot::output : Slot::token_embedding);
  }

  /// Takes the memory of a part; it is still to be filled. Sizes have been checked.
  /// Errors: out_of_memory and too_large naming `file`.
  Expected<std::byte*> take(SlotPlace place, kernels::WeightFormat format, std::uint64_t rows,
                            std::uint64_t columns);

 private:
  struct Part {
    std::unique_ptr<std::byte[]> bytes;
    kernels::WeightMatrix matrix;
  };

  const Part& part(Slot slot, std::uint64_t layer) const {
    return parts_[static_cast<std::size_t>(layer) * n_slots + static_cast<std::size_t>(slot)];
  }

  ModelConfig config_;
  std::vector<Part> parts_;
  std::uint64_t bytes_ = 0;
};

}  // namespace attn
