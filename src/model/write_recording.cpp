#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "model/recording.hpp"
#include "model/recording_form.hpp"

namespace attn {
namespace {

class Bytes {
 public:
  void bytes(std::span<const std::uint8_t> from) {
    made.insert(made.end(), from.begin(), from.end());
  }
  void number(std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      made.push_back(static_cast<std::uint8_t>(value >> (8 * i) & 0xFF));
    }
  }
  void real(float value) { number(std::bit_cast<std::uint32_t>(value), 4); }
  void reals(std::span<const float> values) {
    for (const float value : values) real(value);
  }
  void text(std::string_view words) {
    number(words.size(), 2);
    made.insert(made.end(), words.begin(), words.end());
  }
  void token(const RecordedToken& token) {
    number(token.id, 4);
    text(token.text);
  }

  std::vector<std::uint8_t> made;
};

void write_text(Bytes& to, const RecordedText& text) {
  to.text(text.id);
  to.text(text.text);
  to.number(text.tokens.size(), 2);
  for (const RecordedToken& token : text.tokens) to.token(token);
  to.reals(text.losses);
  to.number(text.candidates.size(), 1);
  for (const RecordedCandidate& candidate : text.candidates) {
    to.token(candidate.token);
    to.real(candidate.probability);
  }
  const float longest =
      text.value_lengths.empty() ? 0 : *std::ranges::max_element(text.value_lengths);
  to.real(longest);
  for (const float length : text.value_lengths) {
    const float share = longest > 0 ? length / longest * recording_longest : 0;
    to.number(static_cast<std::uint64_t>(std::lround(share)), 2);
  }
  to.bytes(text.weights);
}

}  // namespace

std::vector<std::uint8_t> in_255ths(std::span<const float> row) {
  std::vector<std::uint8_t> parts(row.size());
  std::vector<double> lost(row.size());
  double sum = 0;
  for (const float weight : row) sum += static_cast<double>(weight);
  std::uint32_t given = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double exact = static_cast<double>(row[j]) / sum * recording_full;
    const double whole = std::floor(exact);
    parts[j] = static_cast<std::uint8_t>(whole);
    lost[j] = exact - whole;
    given += parts[j];
  }
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  for (std::size_t k = 0; given < recording_full && k < order.size(); ++k, ++given) {
    ++parts[order[k]];
  }
  return parts;
}

std::vector<std::uint8_t> write_recording(const Recording& recording) {
  Bytes body;
  for (const std::string* text :
       {&recording.model, &recording.file, &recording.machine, &recording.date}) {
    body.text(*text);
  }
  for (const std::uint32_t size : {recording.n_layers, recording.n_heads, recording.n_kv_heads,
                                   recording.head_dim, recording.d_model}) {
    body.number(size, 2);
  }
  body.number(recording.token_bytes, 4);
  body.text(recording.prompt);
  body.number(recording.same_tokens ? 1 : 0, 1);
  body.number(recording.cached_ms.size(), 2);
  body.reals(recording.cached_ms);
  body.reals(recording.uncached_ms);
  body.text(recording.long_text);
  body.number(recording.long_tokens, 2);
  body.reals(recording.long_previous);
  body.reals(recording.long_first);
  body.number(recording.texts.size(), 1);
  for (const RecordedText& text : recording.texts) write_text(body, text);
  Bytes file;
  file.bytes(
      {reinterpret_cast<const std::uint8_t*>(recording_magic.data()), recording_magic.size()});
  file.number(recording_head_bytes + body.made.size(), 4);
  file.number(recording_sum(body.made), 4);
  file.bytes(body.made);
  return file.made;
}

}  // namespace attn
