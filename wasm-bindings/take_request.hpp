#pragma once

// What a call that takes tokens in asks for, whichever back end answers it.

#include <cstdint>
#include <span>
#include <vector>

#include "convert.hpp"
#include "core/error.hpp"
#include "open_model.hpp"

namespace attn::binding {

/// Bytes of one text, and ids of one call.
inline constexpr std::uint64_t max_model_text = std::uint64_t{1} << 24;

std::vector<std::uint32_t> read_ids(Reader& in);
Memory memory_of_ids(std::span<const std::uint32_t> ids);

class TakeRequest {
 public:
  explicit TakeRequest(Reader& in);

  std::span<const std::uint32_t> ids() const { return ids_; }
  /// Whether nothing but logits is asked for, of the whole model.
  bool is_plain() const;

  /// Takes the tokens in on the processor. Errors: those of Transformer::take; too_large and out_of_memory for results.
  Expected<void> take(OpenModel& model);
  /// The model's answer, once its tokens are in.
  void write(const OpenModel& model, Writer& writer) const;

 private:
  Expected<void> make_room_for(const Transformer& model);

  std::vector<std::uint32_t> ids_;
  std::vector<HeadPlace> heads_;
  std::vector<std::uint64_t> positions_;
  bool logits_ = false, losses_ = false, best_ = false, value_lengths_ = false;
  std::size_t weights_ = 0;
  std::vector<double> loss_numbers_;
  std::vector<std::uint32_t> best_ids_;
  std::vector<float> weight_floats_, length_floats_;
  std::vector<std::uint8_t> weight_bytes_;
};

}  // namespace attn::binding
