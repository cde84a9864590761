#include "model/model_weights.hpp"

#include <new>

#include "core/limits.hpp"

namespace attn {

Expected<std::byte*> ModelWeights::take(SlotPlace place, kernels::WeightFormat format,
                                        std::uint64_t rows, std::uint64_t columns) {
  const kernels::WeightBlock block = kernels::weight_block(format);
  const auto size = checked_product("file", {rows, columns / block.numbers, block.bytes});
  ATTN_CHECK(size);
  if (*size > max_weight_bytes - bytes_) {
    return fail(
        ErrorCode::too_large, "file",
        {"The weights take more than ", max_weight_bytes,
         " bytes, the most that fit here; take a smaller or more strongly quantized model."});
  }
  std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[as_size(*size)]);
  if (bytes == nullptr) {
    return fail(ErrorCode::out_of_memory, "file",
                {"The weights need ", *size,
                 " bytes more than the machine has free. Close other "
                 "pages, or take a smaller model."});
  }
  Part& part = parts_[as_size(place.layer) * n_slots + static_cast<std::size_t>(place.slot)];
  part.matrix = {format, as_size(rows), as_size(columns), bytes.get()};
  part.bytes = std::move(bytes);
  bytes_ += *size;
  return part.bytes.get();
}

}  // namespace attn
