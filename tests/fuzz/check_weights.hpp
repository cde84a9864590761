#pragma once

// What must hold of a loader while it is given a file, and of the weights that it accepted.

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "model/model_loader.hpp"
#include "model/model_vocabulary.hpp"
#include "tokenizer/tokenizer.hpp"

namespace attn::fuzz {

inline void require_weights(bool holds) {
  if (!holds) std::abort();
}

template <class T>
void check_error(const Expected<T>& read) {
  if (read) return;
  require_weights(read.error().message.ends_with('.') && !read.error().field.empty());
}

/// What a GGUF file says of its vocabulary, once it was read whole.
inline void check_vocabulary(const ModelLoader& loader) {
  if (!loader.has_sizes() || loader.vocabulary().model.empty()) return;
  auto read = vocabulary_of_gguf(loader.vocabulary(), loader.config());
  check_error(read);
  if (!read) return;
  require_weights(read->size() <= loader.config().vocab_size);
  const auto tokenizer = Tokenizer::make(std::move(*read));
  require_weights(tokenizer.has_value());
  const auto ids = tokenizer->encode("The cat, 12 \xF0\x9F\x99\x82 \xFF aab<a>", {true});
  require_weights(ids.has_value());
  for (const std::uint32_t id : *ids) {
    if (id != no_token) require_weights(tokenizer->decode({&id, 1}).has_value());
  }
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
  check_vocabulary(loader);
  const auto weights = loader.finish();
  check_error(weights);
  if (!weights) return;
  // Nothing is larger than the file, but vectors of halves, which become floats.
  require_weights(weights->bytes() <= 2 * file.size());
  const ModelConfig& config = weights->config();
  require_weights(weights->matrix(Slot::token_embedding).rows == config.vocab_size);
  if (config.architecture == Architecture::llama) {
    require_weights(rotary_frequencies_of(config).size() == config.head_dim / 2);
    for (const float divisor : weights->vector(Slot::rotary_divisors)) require_weights(divisor > 0);
  }
  for (std::uint64_t layer = 0; layer < config.n_layers; ++layer) {
    require_weights(weights->vector(Slot::ffn_norm, layer).size() == config.d_model);
    require_weights(weights->matrix(Slot::o, layer).columns == config.n_heads * config.head_dim);
  }
}

}  // namespace attn::fuzz
