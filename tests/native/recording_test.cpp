#include "model/recording.hpp"

#include <string>
#include <vector>

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

Recording small() {
  Recording made;
  made.model = "a model";
  made.file = "of a file";
  made.machine = "somewhere";
  made.date = "2026-11-30";
  made.n_layers = 1;
  made.n_heads = 2;
  made.n_kv_heads = 1;
  made.head_dim = 4;
  made.d_model = 8;
  made.token_bytes = 32;
  made.prompt = "The cat";
  made.same_tokens = true;
  made.cached_ms = {1, 2};
  made.uncached_ms = {3, 4.5F};
  made.long_text = "The cat sat";
  made.long_tokens = 3;
  made.long_previous = {0.5F, 0.25F};
  made.long_first = {0.75F};
  made.texts.push_back({.id = "cat",
                        .text = "The cät",
                        .tokens = {{5, "The"}, {6, " cät"}},
                        .losses = {2.5F},
                        .candidates = {{{9, " sat"}, 0.5F}},
                        .value_lengths = {1, 2},
                        .weights = {255, 100, 155, 255, 255, 0}});
  return made;
}

/// With the length and the check sum put right, so that what is wrong inside is seen.
Bytes sealed(Bytes file) {
  std::uint32_t sum = 0xFFFFFFFF;
  for (std::size_t at = 16; at < file.size(); ++at) {
    sum ^= file[at];
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xEDB88320U : 0);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    file[8 + i] = static_cast<std::uint8_t>(file.size() >> (8 * i));
    file[12 + i] = static_cast<std::uint8_t>(~sum >> (8 * i));
  }
  return file;
}

}  // namespace

TEST_CASE("recording: what is written is read again") {
  const Recording from = small();
  const Recording read = value_of(read_recording(write_recording(from)));
  CHECK(read.model == from.model);
  CHECK(read.date == from.date);
  CHECK(read.n_heads == 2);
  CHECK(read.token_bytes == 32);
  CHECK(read.same_tokens);
  CHECK(read.uncached_ms == from.uncached_ms);
  CHECK(read.long_previous == from.long_previous);
  REQUIRE(read.texts.size() == 1);
  const RecordedText& text = read.texts[0];
  CHECK(text.text == "The cät");
  CHECK(text.tokens[1].id == 6);
  CHECK(text.tokens[1].text == " cät");
  CHECK(text.losses == from.texts[0].losses);
  CHECK(text.candidates[0].token.text == " sat");
  CHECK(text.value_lengths[1] == 2);
  CHECK(std::fabs(static_cast<double>(text.value_lengths[0]) - 1) < 2.0 / 65535);
  CHECK(text.weights == from.texts[0].weights);
  CHECK(square_maps(text, 2) == Bytes{255, 0, 100, 155, 255, 0, 255, 0});
}

TEST_CASE("recording: a row is shared out to 255 parts, none of them off by a whole one") {
  CHECK(in_255ths(std::vector<float>{1}) == Bytes{255});
  CHECK(in_255ths(std::vector<float>{0.5F, 0.5F}) == Bytes{128, 127});
  CHECK(in_255ths(std::vector<float>{0.001F, 0.999F}) == Bytes{0, 255});
  Normals normals(3);
  for (std::size_t n = 1; n < 40; ++n) {
    std::vector<float> row(n);
    float sum = 0;
    for (float& weight : row) sum += weight = static_cast<float>(std::exp(3 * normals.next()));
    for (float& weight : row) weight /= sum;
    const Bytes parts = in_255ths(row);
    int total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      total += parts[j];
      CHECK(std::fabs(parts[j] - 255 * static_cast<double>(row[j])) < 1.001);
    }
    CHECK(total == 255);
  }
}

TEST_CASE("recording: cut anywhere, or with any byte changed, it is refused") {
  const Bytes file = write_recording(small());
  for (std::size_t length = 0; length < file.size(); ++length) {
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK(error_of(read_recording(cut)).field == "file");
    if (length >= 16) CHECK_FALSE(read_recording(sealed(cut)).has_value());
  }
  for (std::size_t at = 0; at < file.size(); ++at) {
    Bytes changed = file;
    changed[at] ^= 0x10;
    CHECK_FALSE(read_recording(changed).has_value());
    // With the sum put right some changes are other recordings; none reads beyond its end.
    changed[at] = 0xFF;
    if (at >= 16) (void)read_recording(sealed(changed));
  }
  Bytes longer = file;
  longer.push_back(0);
  CHECK(error_of(read_recording(sealed(longer))).message.find("after its end") !=
        std::string::npos);
  Bytes sum = file;
  sum.back() = 1;
  CHECK(error_of(read_recording(sealed(sum))).message.find("sum to one") != std::string::npos);
  CHECK(error_of(read_recording(Bytes(max_recording_bytes + 1))).code == ErrorCode::too_large);
}
