#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

/// A hash of pairs of tokens with one number each: open addressing, at most half full. The empty key is
/// the pair of two `no_token`, which nothing asks for with success.
class PairTable {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  PairTable() : PairTable(0) {}
  explicit PairTable(std::size_t pairs)
      : shift_(64 - static_cast<int>(std::bit_width(2 * pairs + 15))),
        slots_(std::size_t{1} << (64 - shift_)) {}

  std::uint32_t find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t key = key_of(left, right);
    for (std::size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].value;
      if (slots_[at].key == empty) return none;
    }
  }

  /// Keeps the first value of a pair and says whether this was it.
  bool insert(std::uint32_t left, std::uint32_t right, std::uint32_t value) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    const std::uint64_t key = key_of(left, right);
    for (std::size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return false;
      if (slots_[at].key == empty) {
        slots_[at] = {key, value};
        ++count_;
        return true;
      }
    }
  }

  std::size_t size() const { return count_; }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = empty;
    std::uint32_t value = none;
  };

  static std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32 | right;
  }
  std::size_t place(std::uint64_t key) const {
    // The golden ratio spreads neighbouring ids over the whole table.
    return static_cast<std::size_t>((key ^ key >> 29) * 0x9E3779B97F4A7C15U >> shift_);
  }
  void grow() {
    PairTable larger(slots_.size());
    for (const Slot& slot : slots_) {
      if (slot.key == empty) continue;
      larger.insert(static_cast<std::uint32_t>(slot.key >> 32),
                    static_cast<std::uint32_t>(slot.key), slot.value);
    }
    *this = std::move(larger);
  }

  int shift_;
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// Byte strings, none empty, to ids: open addressing over strings that live elsewhere.
class BytesTable {
 public:
  explicit BytesTable(std::size_t strings) : slots_(std::bit_ceil(2 * strings + 16)) {}

  /// The id of `bytes`, or `none`.
  std::uint32_t find(std::string_view bytes) const {
    for (std::size_t at = hash(bytes);; ++at) {
      const Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.bytes.empty() || slot.bytes == bytes) return slot.id;
    }
  }

  /// Remembers `bytes` under `id`, unless it is there: then the id that it has.
  std::uint32_t insert(std::string_view bytes, std::uint32_t id) {
    for (std::size_t at = hash(bytes);; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.bytes.empty()) {
        slot = {bytes, id};
        return none;
      }
      if (slot.bytes == bytes) return slot.id;
    }
  }

  /// Makes `bytes` unknown when they are known under `id`.
  void forget(std::string_view bytes, std::uint32_t id) {
    for (std::size_t at = hash(bytes);; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.bytes.empty()) return;
      if (slot.id == id && slot.bytes == bytes) {
        slot.id = none;  // Its bytes stay, so that a search goes on behind it.
        return;
      }
    }
  }

  static constexpr std::uint32_t none = 0xFFFFFFFF;

 private:
  struct Slot {
    std::string_view bytes;
    std::uint32_t id = none;
  };
  static std::size_t hash(std::string_view bytes) {
    std::uint64_t state = bytes.size();
    for (const char byte : bytes) {
      state = (state ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    }
    state *= 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(state ^ state >> 32);
  }
  std::vector<Slot> slots_;
};

}  // namespace attn
