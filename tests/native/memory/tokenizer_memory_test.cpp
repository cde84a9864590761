// A program of its own, because it counts what `new` gives, and the other tests need the sanitizer's `new`.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/random.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/tokenizer.hpp"

namespace {

std::size_t bytes_now = 0;
std::size_t bytes_at_most = 0;
constexpr std::size_t head = alignof(std::max_align_t);

}  // namespace

// Every form that the code uses, or the sanitizer's own would answer for the rest.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  auto* piece = static_cast<std::byte*>(std::malloc(size + head));
  if (piece == nullptr) return nullptr;
  *reinterpret_cast<std::size_t*>(piece) = size;
  bytes_now += size;
  bytes_at_most = std::max(bytes_at_most, bytes_now);
  return piece + head;
}

void* operator new(std::size_t size) {
  void* piece = operator new(size, std::nothrow);
  if (piece == nullptr) std::abort();
  return piece;
}

void* operator new[](std::size_t size) { return operator new(size); }

void operator delete(void* piece) noexcept {
  if (piece == nullptr) return;
  auto* begin = static_cast<std::byte*>(piece) - head;
  bytes_now -= *reinterpret_cast<std::size_t*>(begin);
  std::free(begin);
}

void operator delete(void* piece, std::size_t) noexcept { operator delete(piece); }
void operator delete(void* piece, const std::nothrow_t&) noexcept { operator delete(piece); }
void operator delete[](void* piece) noexcept { operator delete(piece); }
void operator delete[](void* piece, std::size_t) noexcept { operator delete(piece); }

using namespace attn;

namespace {

constexpr std::size_t size = 1'000'000;
/// Tables that the first longer words make, whatever the text.
constexpr std::size_t once = 4'000'000;

Tokenizer gpt2() {
  std::ifstream file(std::string(ATTN_GOLDEN_DIR) + "/gpt2.bpe", std::ios::binary);
  auto vocabulary = read_packed(std::string{std::istreambuf_iterator<char>(file), {}});
  REQUIRE(vocabulary);
  auto made = Tokenizer::make(std::move(*vocabulary));
  REQUIRE(made);
  return std::move(*made);
}

/// Makes the tables that are made once.
void warm(const Tokenizer& tokenizer) {
  const std::size_t before = bytes_now;
  REQUIRE(tokenizer.encode("dezoitoletrasouquase " + std::string(100, 'a')));
  CHECK(bytes_now - before <= once);
}

/// The most that `encode` held at a time, its result included.
std::size_t most_while_encoding(const Tokenizer& tokenizer, std::string_view text) {
  const std::size_t before = bytes_now;
  bytes_at_most = bytes_now;
  const auto ids = tokenizer.encode(text);
  const std::size_t most = bytes_at_most - before;
  REQUIRE(ids);
  UNSCOPED_INFO(most << " bytes for " << text.size());
  return most;
}

std::string words(std::size_t bytes) {
  constexpr std::string_view list[] = {"the", "cat",     "climbed", "roof", "and", "waits",
                                       "for", "morning", "light",   "of",   "day"};
  SplitMix64 random(1);
  std::string text;
  while (text.size() < bytes) {
    text += list[random.next() % std::size(list)];
    text += random.next() % 9 == 0 ? ".\n" : " ";
  }
  text.resize(bytes);
  return text;
}

std::string noise(std::size_t bytes) {
  SplitMix64 random(2);
  std::string text(bytes, '\0');
  for (char& byte : text) byte = static_cast<char>(random.next());
  return text;
}

std::string letters(std::size_t bytes, std::uint64_t kinds) {
  SplitMix64 random(3);
  std::string text(bytes, '\0');
  for (char& byte : text) byte = static_cast<char>('a' + random.next() % kinds);
  return text;
}

}  // namespace

TEST_CASE("encoding takes at most eight times the text", "[tokenizer][memory]") {
  const Tokenizer tokenizer = gpt2();
  warm(tokenizer);
  CHECK(most_while_encoding(tokenizer, words(size)) <= 8 * size);
  CHECK(most_while_encoding(tokenizer, noise(size)) <= 8 * size);
  CHECK(most_while_encoding(tokenizer, words(5)) <= 8 * 5 + 64);
}

TEST_CASE("one unbroken word takes at most 56 times its bytes", "[tokenizer][memory]") {
  const Tokenizer tokenizer = gpt2();
  warm(tokenizer);
  const std::size_t before = bytes_now;
  for (const std::uint64_t kinds : {1U, 2U, 26U}) {
    CHECK(most_while_encoding(tokenizer, letters(size, kinds)) <= 56 * size);
    // Nothing of the word stays.
    CHECK(bytes_now <= before);
  }
  CHECK(most_while_encoding(tokenizer, std::string(size, ' ')) <= 56 * size);
  CHECK(bytes_now <= before);
}

TEST_CASE("one unbroken word takes no more where ranks do not rise", "[tokenizer][memory]") {
  auto vocabulary = Tokenizer(gpt2()).vocabulary();
  std::swap(vocabulary.merges[0].left, vocabulary.merges[40000].left);
  std::swap(vocabulary.merges[0].right, vocabulary.merges[40000].right);
  std::swap(vocabulary.merges[0].result, vocabulary.merges[40000].result);
  auto tokenizer = Tokenizer::make(std::move(vocabulary));
  REQUIRE(tokenizer);
  warm(*tokenizer);
  CHECK(most_while_encoding(*tokenizer, letters(size, 26)) <= 56 * size);
}
