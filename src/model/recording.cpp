#include "model/recording.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "model/head_patterns.hpp"
#include "model/recording_form.hpp"

namespace attn {
namespace {

bool is_utf8(std::span<const std::uint8_t> bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const utf8::Step step = utf8::step(bytes.data(), bytes.size(), at);
    if (step.code_point == utf8::broken) return false;
    at += step.length;
  }
  return true;
}

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::bad_argument, "file",
              {"The recording is damaged: ", what, ". Fetch it again."});
}

/// Takes the parts of a file one after another. Once something is missing every later part is empty.
class Parts {
 public:
  explicit Parts(std::span<const std::uint8_t> file) : left_(file) {}

  bool failed() const { return failed_; }
  bool at_end() const { return left_.empty(); }

  std::span<const std::uint8_t> bytes(std::uint64_t count) {
    if (count > left_.size()) failed_ = true;
    if (failed_) return {};
    const auto taken = left_.first(static_cast<std::size_t>(count));
    left_ = left_.subspan(taken.size());
    return taken;
  }

  std::uint32_t number(std::size_t size) {
    std::uint32_t read = 0;
    const auto from = bytes(size);
    for (std::size_t i = 0; i < from.size(); ++i) read |= std::uint32_t{from[i]} << (8 * i);
    return read;
  }

  float real() {
    const float read = std::bit_cast<float>(number(4));
    if (!(std::isfinite(read) && read >= 0)) failed_ = true;
    return failed_ ? 0 : read;
  }

  std::vector<float> reals(std::uint64_t count) {
    if (4 * count > left_.size()) failed_ = true;
    std::vector<float> read(failed_ ? 0 : static_cast<std::size_t>(count));
    for (float& each : read) each = real();
    return read;
  }

  std::string text() {
    const auto read = bytes(number(2));
    if (!is_utf8(read)) failed_ = true;
    return std::string(read.begin(), read.end());
  }

  RecordedToken token() {
    const std::uint32_t id = number(4);
    return {id, text()};
  }

 private:
  std::span<const std::uint8_t> left_;
  bool failed_ = false;
};

bool sums_are_right(std::span<const std::uint8_t> weights, std::size_t n) {
  std::size_t at = 0;
  while (at < weights.size()) {
    for (std::size_t i = 0; i < n; ++i) {
      std::uint32_t sum = 0;
      for (std::size_t j = 0; j <= i; ++j) sum += weights[at++];
      if (sum != recording_full) return false;
    }
  }
  return true;
}

Expected<RecordedText> read_text(Parts& parts, const Recording& recording) {
  RecordedText text;
  text.id = parts.text();
  text.text = parts.text();
  const std::uint32_t n = parts.number(2);
  if (parts.failed() || n == 0 || n > max_reading_tokens) {
    return damaged("the number of its tokens cannot be");
  }
  for (std::uint32_t i = 0; i < n; ++i) text.tokens.push_back(parts.token());
  text.losses = parts.reals(n - 1);
  const std::uint32_t candidates = parts.number(1);
  for (std::uint32_t i = 0; i < candidates && !parts.failed(); ++i) {
    RecordedToken token = parts.token();
    text.candidates.push_back({std::move(token), parts.real()});
  }
  const float longest = parts.real();
  const std::uint64_t lengths = std::uint64_t{recording.n_layers} * recording.n_kv_heads * n;
  const auto shares = parts.bytes(2 * lengths);
  for (std::size_t i = 0; i + 1 < shares.size(); i += 2) {
    const auto share = static_cast<float>(shares[i] | shares[i + 1] << 8);
    text.value_lengths.push_back(longest * share / recording_longest);
  }
  const std::uint64_t heads = std::uint64_t{recording.n_layers} * recording.n_heads;
  const auto weights = parts.bytes(heads * n * (n + 1) / 2);
  if (parts.failed()) return damaged("it ends within a text");
  text.weights.assign(weights.begin(), weights.end());
  if (!sums_are_right(weights, n)) return damaged("the weights of a row do not sum to one");
  return text;
}

}  // namespace

std::uint32_t recording_sum(std::span<const std::uint8_t> bytes) {
  std::array<std::uint32_t, 256> table;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? 0xEDB88320U : 0);
    table[i] = rest;
  }
  std::uint32_t sum = 0xFFFFFFFF;
  for (const std::uint8_t byte : bytes) sum = sum >> 8 ^ table[(sum ^ byte) & 0xFF];
  return ~sum;
}

Expected<Recording> read_recording(std::span<const std::uint8_t> file) {
  if (file.size() > max_recording_bytes) {
    return fail(ErrorCode::too_large, "file",
                {"A recording has at most ", max_recording_bytes, " bytes; this one has ",
                 file.size(), "."});
  }
  Parts parts(file);
  const auto magic = parts.bytes(recording_magic.size());
  if (!std::ranges::equal(magic, recording_magic, {}, {},
                          [](char letter) { return static_cast<std::uint8_t>(letter); })) {
    return fail(ErrorCode::bad_argument, "file",
                {"The file is no recording: it does not begin with ", recording_magic, "."});
  }
  const std::uint32_t length = parts.number(4);
  if (length != file.size()) return damaged("it has another length than it says");
  const std::uint32_t sum = parts.number(4);
  if (sum != recording_sum(file.subspan(recording_head_bytes))) {
    return damaged("its check sum is another");
  }
  Recording recording;
  for (std::string* text :
       {&recording.model, &recording.file, &recording.machine, &recording.date}) {
    *text = parts.text();
  }
  for (std::uint32_t* size : {&recording.n_layers, &recording.n_heads, &recording.n_kv_heads,
                              &recording.head_dim, &recording.d_model}) {
    *size = parts.number(2);
    if (*size == 0) return damaged("a size of the model is 0");
  }
  if (recording.n_layers > max_reading_heads || recording.n_heads > max_reading_heads ||
      recording.n_heads % recording.n_kv_heads != 0) {
    return damaged("the sizes of the model cannot be");
  }
  recording.token_bytes = parts.number(4);
  recording.prompt = parts.text();
  recording.same_tokens = parts.number(1) == 1;
  const std::uint32_t steps = parts.number(2);
  recording.cached_ms = parts.reals(steps);
  recording.uncached_ms = parts.reals(steps);
  recording.long_text = parts.text();
  recording.long_tokens = parts.number(2);
  const std::uint64_t heads = std::uint64_t{recording.n_layers} * recording.n_heads;
  recording.long_previous = parts.reals(heads);
  recording.long_first = parts.reals(recording.n_layers);
  const std::uint32_t texts = parts.number(1);
  if (parts.failed() || texts == 0) return damaged("it ends before its texts");
  for (std::uint32_t i = 0; i < texts; ++i) {
    auto text = read_text(parts, recording);
    ATTN_CHECK(text);
    recording.texts.push_back(std::move(*text));
  }
  if (!parts.at_end()) return damaged("there is something after its end");
  return recording;
}

std::vector<std::uint8_t> square_maps(const RecordedText& text, std::size_t heads) {
  const std::size_t n = text.tokens.size();
  std::vector<std::uint8_t> maps(heads * n * n);
  const std::uint8_t* from = text.weights.data();
  for (std::size_t row = 0; row < heads * n; ++row) {
    const std::size_t count = row % n + 1;
    std::copy_n(from, count, maps.data() + row * n);
    from += count;
  }
  return maps;
}

}  // namespace attn
