#include "kv_cache/gguf_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "kv_cache/config_fields.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

// Far above every published file; what is longer is damaged.
constexpr std::uint64_t most_keys = std::uint64_t{1} << 20;
constexpr std::uint64_t most_read_keys = 256;
constexpr std::uint64_t most_tensors = std::uint64_t{1} << 22;
constexpr std::uint64_t most_items = std::uint64_t{1} << 28;
// Of what is kept, as keeping takes more than the file does: above every vocabulary, and every model that runs here.
constexpr std::uint64_t most_kept_items = std::uint64_t{1} << 22;
constexpr std::uint64_t most_kept_tensors = std::uint64_t{1} << 16;
constexpr std::uint64_t longest_key = 65'535;
constexpr std::uint64_t longest_name = 1'024;
constexpr std::uint64_t longest_text = std::uint64_t{1} << 28;
constexpr std::uint64_t longest_header = std::uint64_t{1} << 32;
constexpr std::uint32_t most_dimensions = 4;
constexpr int deepest_array = 4;

enum Type : std::uint32_t {
  i8 = 1,
  i16 = 3,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  text_type = 8,
  array = 9,
  i64 = 11,
  f64 = 12,
};

/// Bytes of a value of fixed size; 0 of the others.
constexpr std::array<std::uint8_t, 13> type_sizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// Numbers of one block of a ggml type, and its bytes.
struct Block {
  std::uint32_t type, numbers, bytes;
};

constexpr Block blocks[] = {
    {0, 1, 4},      {1, 1, 2},     {2, 32, 18},    {3, 32, 20},    {6, 32, 22},    {7, 32, 24},
    {8, 32, 34},    {10, 256, 84}, {11, 256, 110}, {12, 256, 144}, {13, 256, 176}, {14, 256, 210},
    {15, 256, 292}, {16, 256, 66}, {17, 256, 74},  {18, 256, 98},  {19, 256, 50},  {20, 32, 18},
    {21, 256, 110}, {22, 256, 82}, {23, 256, 136}, {24, 1, 1},     {25, 1, 2},     {26, 1, 4},
    {27, 1, 8},     {28, 1, 8},    {29, 256, 56},  {30, 1, 2},     {34, 256, 54},  {35, 256, 66},
    {39, 32, 17},
};

class Parser {
 public:
  Parser(std::span<const std::uint8_t> bytes, const GgufKeep& keep) : bytes_(bytes), keep_(keep) {}

  Expected<GgufFile> parse() {
    head();
    for (std::uint64_t i = 0; i < keys_ && goes_on(); ++i) key();
    made_.has_keys = goes_on();
    for (std::uint64_t i = 0; i < tensors_ && goes_on(); ++i) tensor();
    if (goes_on()) {
      made_.has_tensors = true;
      check_alignment();
    }
    if (problem_) return std::unexpected<Error>(std::move(*problem_));
    return std::move(made_);
  }

 private:
  bool goes_on() const { return !problem_ && made_.needed == 0; }

  void refuse(std::string_view field, std::initializer_list<Piece> message) {
    if (!problem_) problem_ = Error{ErrorCode::bad_argument, std::string(field), text(message)};
  }

  /// Whether `count` more bytes are there.
  bool take(std::uint64_t count) {
    if (!goes_on()) return false;
    const std::uint64_t left = bytes_.size() - at_;
    if (count <= left) return true;
    const std::uint64_t needed = at_ + count;
    if (needed > longest_header) {
      refuse("file", {"The header would take more than ", longest_header,
                      " bytes, which no file does: a length in it is damaged."});
    } else {
      made_.needed = needed;
    }
    return false;
  }

  std::uint64_t number(std::uint64_t size) {
    if (!take(size)) return 0;
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      value |= std::uint64_t{bytes_[static_cast<std::size_t>(at_ + i)]} << 8 * i;
    }
    at_ += size;
    return value;
  }

  /// A length and so many bytes. They are given as they stand in the file.
  std::string_view string(std::uint64_t longest, std::string_view what) {
    const std::uint64_t length = number(8);
    if (!goes_on()) return {};
    if (length > longest) {
      refuse("file", {what, " would be ", length, " bytes long; at most ", longest,
                      " are allowed, so the file is damaged."});
      return {};
    }
    if (!take(length)) return {};
    const auto* data = reinterpret_cast<const char*>(bytes_.data()) + at_;
    at_ += length;
    return {data, static_cast<std::size_t>(length)};
  }

  static bool is_text(std::string_view text) {
    const auto* data = reinterpret_cast<const unsigned char*>(text.data());
    for (std::size_t i = 0; i < text.size();) {
      const utf8::Step step = utf8::step(data, text.size(), i);
      if (step.code_point == utf8::broken) return false;
      i += step.length;
    }
    return true;
  }

  void head() {
    constexpr std::string_view magic = "GGUF";
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes_.size(), 4); ++i) {
      if (bytes_[i] != static_cast<std::uint8_t>(magic[i])) {
        refuse("file", {"The file does not begin with GGUF, so it is no GGUF file."});
        return;
      }
    }
    number(4);
    const auto version = static_cast<std::uint32_t>(number(4));
    if (!goes_on()) return;
    if (version != 0 && (version & 0xFFFF) == 0) {
      refuse("file", {"The file is big-endian; convert it to little-endian first "
                      "(gguf_convert_endian.py of llama.cpp does)."});
      return;
    }
    if (version != 2 && version != 3) {
      refuse("file", {"The file is GGUF version ", version,
                      "; versions 2 and 3 can be read. Convert it again."});
      return;
    }
    tensors_ = number(8);
    keys_ = number(8);
    if (!goes_on()) return;
    if (keys_ > most_keys || tensors_ > most_tensors) {
      refuse("file", {"The file would have ", keys_, " keys and ", tensors_,
                      " tensors, which no model has: it is damaged."});
    } else if (keep_.tensors && tensors_ > most_kept_tensors) {
      refuse("file",
             {"The file has ", tensors_, " tensors; at most ", most_kept_tensors, " can be read."});
    }
  }

  void key() {
    const std::string_view key = string(longest_key, "A key");
    const auto type = static_cast<std::uint32_t>(number(4));
    if (!goes_on()) return;
    if (key.empty() || !is_text(key)) {
      refuse("file", {"A key is empty or no UTF-8: the file is damaged."});
      return;
    }
    if (!keep_.key(key)) {
      skip(type, 0);
      return;
    }
    GgufValue made = value(key, type);
    if (!goes_on()) return;
    if (made_.values.size() >= most_read_keys) {
      refuse("file",
             {"The file says the same of more than ", most_read_keys, " models: it is damaged."});
      return;
    }
    const auto [there, is_new] = made_.values.try_emplace(std::string(key));
    if (is_new) {
      there->second = std::move(made);
    } else if (there->second != made) {
      refuse(key, {key, " stands twice, with different values: the file is damaged."});
    }
  }

  void bad_type(std::uint32_t type) {
    refuse("file", {"A value has the type ", type,
                    ", which the format does not know: the file is "
                    "damaged."});
  }

  /// Steps over a value.
  void skip(std::uint32_t type, int depth) {
    if (!goes_on()) return;
    if (type >= type_sizes.size()) {
      bad_type(type);
    } else if (type == text_type) {
      string(longest_text, "A text");
    } else if (type != array) {
      if (take(type_sizes[type])) at_ += type_sizes[type];
    } else {
      const auto item = static_cast<std::uint32_t>(number(4));
      const std::uint64_t count = number(8);
      if (!array_is_sound(item, count, depth)) return;
      if (const std::uint64_t size = type_sizes[item]; size != 0) {
        if (take(size * count)) at_ += size * count;
        return;
      }
      // Each text has at least its length, and each array its type and length.
      const std::uint64_t least = item == text_type ? 8 : 12;
      if (!take(least * count)) return;
      for (std::uint64_t i = 0; i < count && goes_on(); ++i) skip(item, depth + 1);
    }
  }

  bool array_is_sound(std::uint32_t item, std::uint64_t count, int depth) {
    if (!goes_on()) return false;
    if (item >= type_sizes.size()) {
      bad_type(item);
    } else if (depth >= deepest_array) {
      refuse("file",
             {"Arrays stand in arrays more than ", deepest_array, " deep: the file is damaged."});
    } else if (count > most_items) {
      refuse("file", {"An array would have ", count, " items; at most ", most_items,
                      " are allowed, so the file is damaged."});
    }
    return !problem_;
  }

  GgufValue value(std::string_view key, std::uint32_t type) {
    GgufValue made;
    if (type == text_type) {
      made.kind = GgufValue::Kind::text;
      const std::string_view text = string(longest_text, key);
      if (!is_text(text)) refuse(key, {key, " is no UTF-8: the file is damaged."});
      made.text = text.substr(0, longest_name);
    } else if (type != array) {
      made.length = 1;
      item(made, type);
    } else {
      const auto item_type = static_cast<std::uint32_t>(number(4));
      const std::uint64_t count = number(8);
      if (!array_is_sound(item_type, count, 0)) return made;
      if (keep_.vocabulary && count > most_kept_items) {
        refuse(key, {key, " has ", count, " items; at most ", most_kept_items, " can be read."});
        return made;
      }
      if (item_type == text_type && keep_.vocabulary) {
        texts(made, key, count);
        return made;
      }
      if (type_sizes[item_type] == 0) {
        refuse(key, {key, " must be a number, or an array of them."});
        return made;
      }
      if (count > max_model_layers && !keep_.vocabulary) {
        refuse(key, {key, " has ", count, " items, more than a model has layers."});
        return made;
      }
      if (!take(count * type_sizes[item_type])) return made;
      made.is_array = true;
      made.length = count;
      for (std::uint64_t i = 0; i < count && goes_on(); ++i) item(made, item_type);
    }
    return made;
  }

  void texts(GgufValue& made, std::string_view key, std::uint64_t count) {
    // Each text has at least its length: what is reserved is there.
    if (!take(count * 8)) return;
    made.kind = GgufValue::Kind::text;
    made.is_array = true;
    made.length = count;
    made.texts.reserve(as_size(count));
    for (std::uint64_t i = 0; i < count && goes_on(); ++i) {
      made.texts.push_back(string(longest_text, key));
    }
  }

  /// Reads one number into `made`; the worst kind among the items is the kind of all.
  void item(GgufValue& made, std::uint32_t type) {
    using Kind = GgufValue::Kind;
    if (type >= type_sizes.size()) {
      bad_type(type);
      return;
    }
    const std::uint64_t size = type_sizes[type];
    const std::uint64_t bits = number(size);
    if (!goes_on()) return;
    const bool is_signed = type == i8 || type == i16 || type == i32 || type == i64;
    if (type == f32 || type == f64) {
      made.kind = Kind::fraction;
    } else if (type == boolean) {
      if (bits > 1) refuse("file", {"A truth value is ", bits, ": the file is damaged."});
      if (made.kind == Kind::whole) made.kind = Kind::boolean;
    } else if (is_signed && bits >> (8 * size - 1) != 0) {
      made.kind = Kind::negative;
    }
    made.bytes_each = size;
    made.numbers.push_back(bits);
  }

  void tensor() {
    const std::string_view name = string(longest_name, "A tensor's name");
    const std::uint64_t dimensions = number(4);
    if (!goes_on()) return;
    if (dimensions > most_dimensions) {
      refuse("file", {"A tensor would have ", dimensions, " dimensions; at most ", most_dimensions,
                      " are allowed, so the file is damaged."});
      return;
    }
    if (!take(dimensions * 8 + 12)) return;
    GgufTensor made;
    made.name = name;
    made.n_sizes = static_cast<std::uint32_t>(dimensions);
    auto& sizes = made.sizes;
    for (std::size_t i = 0; i < as_size(dimensions); ++i) sizes[i] = number(8);
    const auto type = static_cast<std::uint32_t>(number(4));
    made.type = type;
    made.offset = number(8);
    offsets_ |= made.offset;
    const auto numbers = checked_product("file", {sizes[0], sizes[1], sizes[2], sizes[3]});
    if (!numbers || *numbers > max_exact_count - made_.tensors.weights) {
      refuse("file", {"The tensors would have more than 2^53 numbers: the file is damaged."});
      return;
    }
    GgufTensors& sums = made_.tensors;
    // Factors of rotary positions, which the converter computes.
    if (!name.contains("rope_f")) {
      sums.weights += *numbers;
      if (name.contains("_exps.")) sums.expert_weights += *numbers;
    }
    const auto* block = std::ranges::find(blocks, type, &Block::type);
    if (block == std::end(blocks)) {
      sums.has_unknown_type = true;
      sums.unknown_type = type;
      if (keep_.tensors) made_.list.push_back(made);
      return;
    }
    // A row is made of whole blocks.
    if (sizes[0] % block->numbers != 0) {
      refuse("file", {"A tensor has rows of ", sizes[0], " numbers and its type blocks of ",
                      block->numbers, ", which do not divide them: the file is damaged."});
      return;
    }
    const auto size = checked_product("file", {*numbers / block->numbers, block->bytes});
    if (!size || *size > max_exact_count - sums.bytes) {
      refuse("file", {"The tensors would take more than 2^53 bytes: the file is damaged."});
      return;
    }
    sums.bytes += *size;
    made.bytes = *size;
    if (keep_.tensors) made_.list.push_back(made);
  }

  void check_alignment() {
    std::uint64_t alignment = 32;
    if (const auto at = made_.values.find("general.alignment"); at != made_.values.end()) {
      const GgufValue& value = at->second;
      const bool is_number =
          value.kind == GgufValue::Kind::whole && !value.is_array && value.numbers.size() == 1;
      alignment = is_number ? value.numbers[0] : 0;
      if (!std::has_single_bit(alignment) || alignment < 8 || alignment > 1 << 20) {
        refuse("general.alignment", {"general.alignment must be a power of two from 8."});
        return;
      }
    }
    if ((offsets_ & (alignment - 1)) != 0) {
      refuse("file", {"A tensor does not begin at a multiple of ", alignment,
                      " bytes: the file is damaged."});
    }
    made_.data = ceil_div(at_, alignment) * alignment;
  }

  std::span<const std::uint8_t> bytes_;
  GgufKeep keep_;
  std::uint64_t at_ = 0;
  std::uint64_t keys_ = 0, tensors_ = 0;
  /// Of all tensors, or-ed: a bit that is set is set in one of them.
  std::uint64_t offsets_ = 0;
  GgufFile made_;
  std::optional<Error> problem_;
};

}  // namespace

bool gguf_key_of_bill(std::string_view key) {
  if (key == "general.architecture" || key == "general.alignment" || key == "split.count") {
    return true;
  }
  constexpr std::string_view endings[] = {
      ".block_count",
      ".embedding_length",
      ".context_length",
      ".feed_forward_length",
      ".attention.head_count",
      ".attention.head_count_kv",
      ".attention.key_length",
      ".attention.value_length",
      ".attention.key_length_mla",
      ".attention.value_length_mla",
      ".attention.key_length_swa",
      ".attention.value_length_swa",
      ".attention.sliding_window",
      ".attention.sliding_window_pattern",
      ".attention.kv_lora_rank",
      ".attention.shared_kv_layers",
      ".attention.indexer.key_length",
      ".attention.indexer.top_k",
      ".rope.dimension_count",
      ".ssm.conv_kernel",
      ".ssm.inner_size",
      ".ssm.state_size",
      ".ssm.group_count",
      ".ssm.time_step_rank",
      ".kda.head_dim",
      ".wkv.head_size",
      ".attention.causal",
      ".decoder_start_token_id",
      ".shortconv.l_cache",
      ".full_attention_interval",
      ".nextn_predict_layers",
      ".expert_count",
      ".expert_used_count",
  };
  return std::ranges::any_of(endings, [&](std::string_view end) { return key.ends_with(end); });
}

Expected<GgufFile> parse_gguf(std::span<const std::uint8_t> bytes, const GgufKeep& keep) {
  return Parser(bytes, keep).parse();
}

}  // namespace attn
