#pragma once

// What must hold of a loader while it is given a file, and of the weights that it accepted.

#include <algorithm>
#include <cstdlib>
#include <span>

#include "model/model_loader.hpp"

namespace attn::fuzz {

inline void require_weights(bool holds) {
  if (!holds) std::abort();
}

template <class T>
void check_error(const Expected<T>& read) {
  if (read) return;
  require_weights(read.error().message.ends_with('.') && !read.error().field.empty());
}

inline void check_load(ModelLoader& loader, std::span<const std::uint8_t> file) {
  std::size_t steps = 0;
  while (const auto wanted = loader.wanted()) {
    require_weights(wanted->file == 0 && wanted->begin <= file.size() &&
                    wanted->bytes <= file.size() - wanted->begin);
    // In pieces of 1 to 64 bytes, and the rest of what is wanted at once.
    const auto piece =
        std::min<std::uint64_t>(wanted->bytes, steps % 3 == 0 ? 1 + steps % 64 : wanted->bytes);
    const auto given = loader.give(
        file.subspan(static_cast<std::size_t>(wanted->begin), static_cast<std::size_t>(piece)));
    check_error(given);
    if (!given) {
      require_weights(!loader.wanted());
      break;
    }
    ++steps;
    // A wanted piece of nothing leads to an error or to the next.
    require_weights(steps < 4 * file.size() + 1000);
  }
  const auto weights = loader.finish();
  check_error(weights);
  if (!weights) return;
  // Nothing is larger than the file, but vectors of halves, which become floats.
  require_weights(weights->bytes() <= 2 * file.size());
  const ModelConfig& config = weights->config();
  require_weights(weights->matrix(Slot::token_embedding).rows == config.vocab_size);
  for (std::uint64_t layer = 0; layer < config.n_layers; ++layer) {
    require_weights(weights->vector(Slot::ffn_norm, layer).size() == config.d_model);
    require_weights(weights->matrix(Slot::o, layer).columns == config.n_heads * config.head_dim);
  }
}

}  // namespace attn::fuzz
