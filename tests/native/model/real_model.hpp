#pragma once

// SmolLM2-135M-Instruct in Q4_1, from the file that ATTN_MODEL names (see web/build/model.mjs), and the run of it that is
// recorded.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "core/utf8.hpp"
#include "model/head_patterns.hpp"
#include "model/model_loader.hpp"
#include "model/recording.hpp"
#include "model/sampling.hpp"
#include "model/transformer.hpp"

namespace attn::test {

using Tokens = std::vector<std::uint32_t>;

/// Of the processor's time, which this one thread alone takes: what else the machine does is not counted.
inline double seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// The value of a call, without which nothing can go on.
template <class T>
T needed(Expected<T> expected) {
  if (!expected) {
    std::cerr << expected.error().message << '\n';
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*expected);
}

struct RealModel {
  ModelWeights weights;
  FileVocabulary vocabulary;
};

inline RealModel read_model() {
  const char* const name = std::getenv("ATTN_MODEL");
  std::ifstream file(name == nullptr ? "" : name, std::ios::binary | std::ios::ate);
  if (!file) {
    std::cerr << "ATTN_MODEL must name the model: run npm run test:model.\n";
    std::exit(1);
  }
  ModelLoader loader = ModelLoader::of_gguf(static_cast<std::uint64_t>(file.tellg()));
  std::vector<std::uint8_t> piece;
  while (const auto wanted = loader.wanted()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(wanted->bytes, 1 << 20)));
    file.seekg(static_cast<std::streamoff>(wanted->begin));
    file.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    needed(loader.give(piece));
  }
  RealModel made;
  made.vocabulary = loader.vocabulary();
  made.weights = needed(loader.finish());
  return made;
}

/// The text of a token of GPT-2's kind of vocabulary, where each byte is written as a character: those that can be seen
/// as themselves, the others, in their order, as the characters from 256 on.
inline std::string text_of(const FileVocabulary& vocabulary, std::uint32_t id) {
  static const std::string unseen = [] {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) {
      const bool seen = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
      if (!seen) bytes += static_cast<char>(byte);
    }
    return bytes;
  }();
  const std::string& token = vocabulary.tokens[id];
  const auto* bytes = reinterpret_cast<const unsigned char*>(token.data());
  std::string text;
  for (std::size_t at = 0; at < token.size();) {
    const utf8::Step step = utf8::step(bytes, token.size(), at);
    text +=
        step.code_point < 256 ? static_cast<char>(step.code_point) : unseen[step.code_point - 256];
    at += step.length;
  }
  return text;
}

struct RealText {
  std::string_view id, text;
  Tokens tokens;
};

/// What is recorded, map by map.
inline const std::vector<RealText>& recorded_texts() {
  static const std::vector<RealText> texts = {
      {"fox",
       "The quick brown fox jumps over the lazy dog while the cat sleeps in the sun.",
       {504, 2365, 6354, 16438, 27003, 690, 260, 23790, 2767, 979, 260, 2644, 2801, 99, 281, 260,
        2388, 30}},
      {"names",
       "Zeldor Quimby visited Brax. Then Zeldor Quimby visited",
       {74, 15445, 270, 3069, 306, 1717, 8797, 4912, 104, 30, 3875, 1777, 15445, 270, 3069, 306,
        1717, 8797}},
      {"small",
       "The trophy would not fit in the brown suitcase because it was too small.",
       {504, 47922, 736, 441, 3230, 281, 260, 6354, 9066, 7544, 975, 357, 436, 1147, 1165, 30}},
      {"large",
       "The trophy would not fit in the brown suitcase because it was too large.",
       {504, 47922, 736, 441, 3230, 281, 260, 6354, 9066, 7544, 975, 357, 436, 1147, 1507, 30}},
  };
  return texts;
}

/// What the lecture's figures are held against: as long as its own text was, by its 0.10 of equal sharing.
inline const RealText& long_text() {
  static const RealText text = {
      "long",
      "Attention lets every word of a sentence look back at the words before it. A head compares "
      "its "
      "query with each key, turns the scores into weights that sum to one, and takes an average of "
      "the values by these weights.",
      {41319, 13144, 897,   2229, 282,  253,  6330, 1492, 1056, 418,  260,  1924, 1092, 357,   30,
       330,   1680,  21274, 624,  8520, 351,  971,  1646, 28,   6497, 260,  7783, 618,  10379, 338,
       2028,  288,   582,   28,   284,  2933, 354,  3049, 282,  260,  2396, 411,  623,  10379, 30}};
  return text;
}

/// "The capital of France is"
inline const RealText& prompt() {
  static const RealText text = {"france", "The capital of France is", {504, 3575, 282, 4649, 314}};
  return text;
}

inline constexpr int timed_steps = 80;

struct RealMaps {
  std::vector<float> weights;  ///< [n_layers, n_heads, n, n]
  std::vector<float> value_lengths, logits;
  std::vector<double> losses;
};

inline RealMaps maps_of(Transformer& model, const Tokens& tokens) {
  const ModelConfig& config = model.config();
  const std::size_t n = tokens.size();
  RealMaps maps;
  maps.weights.resize(config.n_layers * config.n_heads * n * n);
  maps.value_lengths.resize(config.n_layers * config.n_kv_heads * n);
  maps.logits.resize(config.vocab_size);
  maps.losses.resize(n - 1);
  needed(model.roll_back(0));
  needed(model.take(tokens, {.logits = maps.logits,
                             .losses = maps.losses,
                             .weights = maps.weights,
                             .value_lengths = maps.value_lengths}));
  return maps;
}

/// One text as it is recorded.
inline RecordedText recorded(Transformer& model, const FileVocabulary& vocabulary,
                             const RealText& from) {
  RecordedText text;
  text.id = from.id;
  text.text = from.text;
  const auto token = [&](std::uint32_t id) { return RecordedToken{id, text_of(vocabulary, id)}; };
  const std::size_t n = from.tokens.size();
  const RealMaps maps = maps_of(model, from.tokens);
  for (const std::uint32_t id : from.tokens) text.tokens.push_back(token(id));
  text.losses.assign(maps.losses.begin(), maps.losses.end());
  for (const Candidate& candidate : needed(most_probable(maps.logits, 5))) {
    text.candidates.push_back({token(candidate.token), static_cast<float>(candidate.probability)});
  }
  text.value_lengths = maps.value_lengths;
  for (std::size_t row = 0; row < maps.weights.size() / n; ++row) {
    const auto parts = in_255ths(std::span(maps.weights).subspan(row * n, row % n + 1));
    text.weights.insert(text.weights.end(), parts.begin(), parts.end());
  }
  return text;
}

/// All but the times, the machine and the date.
inline Recording recorded(Transformer& model, const FileVocabulary& vocabulary) {
  const ModelConfig& config = model.config();
  Recording made;
  made.model = "SmolLM2-135M-Instruct";
  made.file = "GGUF, Q4_1";
  const auto size = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  made.n_layers = size(config.n_layers);
  made.n_heads = size(config.n_heads);
  made.n_kv_heads = size(config.n_kv_heads);
  made.head_dim = size(config.head_dim);
  made.d_model = size(config.d_model);
  made.token_bytes = size(model.cache().token_bytes);
  made.prompt = prompt().text;
  made.long_text = long_text().text;
  made.long_tokens = size(long_text().tokens.size());
  const RealMaps maps = maps_of(model, long_text().tokens);
  const HeadMaps heads{.n_layers = config.n_layers,
                       .n_heads = config.n_heads,
                       .n = made.long_tokens,
                       .weights = maps.weights};
  const std::vector<std::int32_t> ids(long_text().tokens.begin(), long_text().tokens.end());
  const auto found = needed(find_patterns(heads, ids, {}));
  for (std::size_t head = 0; head < config.n_layers * config.n_heads; ++head) {
    made.long_previous.push_back(static_cast<float>(found.scores.data()[head]));
  }
  for (const double share : needed(first_token_share(heads, 0)).by_layer) {
    made.long_first.push_back(static_cast<float>(share));
  }
  for (const RealText& text : recorded_texts()) {
    made.texts.push_back(recorded(model, vocabulary, text));
  }
  return made;
}

/// Writes so many tokens, the likeliest each time, with the cache or reading the whole text again for each.
inline Tokens written(Transformer& model, bool cached, std::vector<float>& step_ms) {
  std::vector<float> logits(model.config().vocab_size);
  SplitMix64 bits(0);
  Tokens tokens = prompt().tokens;
  needed(model.roll_back(0));
  needed(model.take(tokens, {.logits = logits}));
  for (int step = 0; step < timed_steps; ++step) {
    tokens.push_back(needed(next_token(logits, {}, bits)));
    const double began = seconds();
    if (!cached) needed(model.roll_back(0));
    const auto fresh = std::span<const std::uint32_t>(tokens);
    needed(model.take(cached ? fresh.last(1) : fresh, {.logits = logits}));
    step_ms.push_back(static_cast<float>((seconds() - began) * 1e3));
  }
  return tokens;
}

}  // namespace attn::test
