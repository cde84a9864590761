#pragma once

// The prompt of a model, computed on a device of the browser's WebGPU: all its layers in one go.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/transformer.hpp"
#include "webgpu/device.hpp"

namespace attn::webgpu {

/// What a prompt leaves behind, as Transformer::adopt takes it: keys, values and the last row.
struct Prefilled {
  std::vector<float> numbers;
  std::size_t kept = 0;
  /// Milliseconds from the first work that was handed over until all was back.
  double ms = 0;

  std::span<const float> keys() const { return std::span(numbers).first(kept); }
  std::span<const float> values() const { return std::span(numbers).subspan(kept, kept); }
  std::span<const float> last() const { return std::span(numbers).subspan(2 * kept); }
};

/// A model's layers on a device, their weights as the file holds them. The embedding and what makes logits stay behind:
/// a prompt needs a few rows of the one, and one product with the other.
class ModelOnDevice {
 public:
  explicit ModelOnDevice(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  const std::shared_ptr<Device>& device() const { return device_; }

  /// What prefill needs compiled for these weights.
  static std::vector<const Kernel*> kernels(const ModelWeights& weights);

  /// Takes the rows x [count, d_model] of the first tokens of a sequence through the layers. Both are read before anything
  /// is awaited; the first time the weights are brought to the device, where the kernels have been compiled.
  /// Promise: float32 throughout, sums in an order of the tiles'; logits are as far from exact ones as those of float32.
  /// Errors: too_large for what the device does not bind, what one dispatch does not count, and what is not free.
  static Task<Result<Prefilled>> prefill(std::shared_ptr<ModelOnDevice> self,
                                         const Transformer& model, std::span<const float> x);

 private:
  using Maybe = std::optional<Buffer>;

  void bring(Calls& calls, const ModelWeights& weights);
  const Maybe& part(Slot slot, std::size_t layer) const;

  std::shared_ptr<Device> device_;
  /// In the order of the slots, layer after layer. They go before the device does.
  std::vector<Maybe> parts_;
};

}  // namespace attn::webgpu
