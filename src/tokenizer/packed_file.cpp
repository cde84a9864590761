#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/pair_table.hpp"

namespace attn {
namespace {

constexpr std::string_view magic = "ATTNBPE1";
constexpr std::uint32_t gpt2_order_flag = 1;
constexpr std::uint32_t whole_words_flag = 2;

std::uint32_t sum_of(std::string_view bytes) {
  std::uint32_t sum = 0x811C9DC5;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x01000193;
  return sum;
}

void put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

class Bytes {
 public:
  explicit Bytes(std::string_view file) : file_(file) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return file_.size() - at_; }

  /// The next bytes; empty, and `cut`, when there are fewer.
  std::string_view take(std::size_t count) {
    if (left() < count) {
      cut = true;
      at_ = file_.size();
      return {};
    }
    at_ += count;
    return file_.substr(at_ - count, count);
  }

  std::uint32_t number(std::size_t bytes) {
    std::uint32_t value = 0;
    const std::string_view taken = take(bytes);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(taken[i])) << (8 * i);
    }
    return value;
  }

  bool cut = false;

 private:
  std::string_view file_;
  std::size_t at_ = 0;
};

bool is_gpt2_order(const Vocabulary& vocabulary) {
  if (vocabulary.base.size() != 256) return false;
  for (std::uint32_t id = 0; id < 256; ++id) {
    if (static_cast<unsigned char>(vocabulary.bytes(id)[0]) != gpt2_byte_order()[id]) return false;
  }
  return true;
}

}  // namespace

Expected<Vocabulary> read_packed(std::string_view file) {
  const auto refuse = [](std::size_t byte, const std::string& what) {
    return fail(ErrorCode::bad_argument, "file", {"At byte ", byte, ": ", what});
  };
  if (file.size() > max_file_bytes) {
    return fail(ErrorCode::too_large, "file",
                {"A packed vocabulary may have at most ", max_file_bytes, " bytes."});
  }
  if (!file.starts_with(magic)) {
    return refuse(0, "this is no packed vocabulary, or it is cut short.");
  }
  if (file.size() < magic.size() + 4 ||
      Bytes(file.substr(file.size() - 4)).number(4) != sum_of(file.substr(0, file.size() - 4))) {
    return refuse(file.size(), "the file is cut short or damaged: its sum does not agree.");
  }
  Bytes in(file.substr(0, file.size() - 4));
  in.take(magic.size());
  const std::uint32_t alphabet = in.number(1);
  const std::uint32_t pretokenizer = in.number(1);
  const std::uint32_t flags = in.number(1);
  const std::uint32_t id_bytes = in.number(1);
  const std::uint32_t base_count = in.number(4);
  const std::uint32_t merge_count = in.number(4);
  const std::uint32_t special_count = in.number(4);
  if (in.cut || alphabet > 1 || pretokenizer >= pretokenizers.size() || flags > 3 || id_bytes < 1 ||
      id_bytes > 3) {
    return refuse(magic.size(), "the head is of a form that this reader does not know.");
  }
  const bool by_character = alphabet == 1;
  const bool gpt2_order = (flags & gpt2_order_flag) != 0;
  // Each count stands for at least a byte that must be there, so that no count asks for much memory.
  if (base_count > max_vocab_size || merge_count > max_vocab_size ||
      std::uint64_t{base_count} + merge_count > max_vocab_size ||
      (!gpt2_order && base_count > in.left()) ||
      std::uint64_t{merge_count} * id_bytes * 2 > in.left() || special_count > in.left() ||
      (!by_character && base_count != 256) || (gpt2_order && (by_character || base_count != 256))) {
    return refuse(magic.size() + 4, "the counts do not fit the file or the alphabet.");
  }

  Vocabulary made;
  made.alphabet = by_character ? Alphabet::characters : Alphabet::bytes;
  made.pretokenizer = static_cast<Pretokenizer>(pretokenizer);
  made.whole_words = (flags & whole_words_flag) != 0;
  std::vector<std::size_t> begins;
  std::string bytes;
  begins.reserve(base_count + merge_count + 1);
  begins.push_back(0);
  for (std::uint32_t id = 0; id < base_count; ++id) {
    const std::size_t at = in.at();
    if (gpt2_order) {
      bytes.push_back(static_cast<char>(gpt2_byte_order()[id]));
    } else {
      const std::string_view token = in.take(in.number(1));
      const bool whole =
          !token.empty() &&
          (by_character
               ? utf8::step(reinterpret_cast<const unsigned char*>(token.data()), token.size(), 0)
                         .length == token.size()
               : token.size() == 1);
      if (!whole) return refuse(at, "a base token must be one byte or one character.");
      bytes += token;
    }
    begins.push_back(bytes.size());
    made.base.push_back(id);
  }
  const std::size_t planes_at = in.at();
  std::vector<std::string_view> planes;
  for (std::uint32_t i = 0; i < 2 * id_bytes; ++i) planes.push_back(in.take(merge_count));
  if (in.cut) return refuse(planes_at, "the merges are cut short.");
  made.merges.reserve(merge_count);
  constexpr std::size_t max_bytes_in_all = std::size_t{1} << 28;
  for (std::uint32_t rank = 0; rank < merge_count; ++rank) {
    const auto id_at = [&](std::size_t plane) {
      std::uint32_t id = 0;
      for (std::size_t i = 0; i < id_bytes; ++i) {
        id = id << 8 | static_cast<unsigned char>(planes[plane + i][rank]);
      }
      return id;
    };
    const std::uint32_t left = id_at(0);
    const std::uint32_t right = id_at(id_bytes);
    const std::uint32_t result = base_count + rank;
    if (left >= result || right >= result) {
      return refuse(planes_at + rank,
                    "merge " + std::to_string(rank) + " joins a token that does not exist yet.");
    }
    const std::size_t length = begins[left + 1] - begins[left] + begins[right + 1] - begins[right];
    if (bytes.size() + length > max_bytes_in_all) {
      return fail(ErrorCode::too_large, "file", {"The tokens take more bytes than is allowed."});
    }
    bytes.append(bytes, begins[left], begins[left + 1] - begins[left]);
    bytes.append(bytes, begins[right], begins[right + 1] - begins[right]);
    begins.push_back(bytes.size());
    made.merges.push_back({left, right, result, rank});
  }
  std::vector<std::string_view> tokens;
  tokens.reserve(begins.size());
  BytesTable known(begins.size());
  for (std::uint32_t id = 0; id + 1 < begins.size(); ++id) {
    tokens.push_back(std::string_view(bytes).substr(begins[id], begins[id + 1] - begins[id]));
    if (const std::uint32_t earlier = known.insert(tokens.back(), id);
        earlier != BytesTable::none) {
      return refuse(planes_at, "the tokens " + std::to_string(earlier) + " and " +
                                   std::to_string(id) + " are both " + quoted(tokens.back()) + ".");
    }
  }
  for (std::uint32_t i = 0; i < special_count; ++i) {
    const std::size_t at = in.at();
    const std::uint32_t id = in.number(4);
    const std::string_view text = in.take(in.number(2));
    const bool taken =
        id < tokens.size() || std::any_of(
                                  made.special_tokens.begin(), made.special_tokens.end(),
                                  [&](const SpecialToken& other) { return other.id == id; });
    if (in.cut || text.empty() || taken || id >= max_vocab_size) {
      return refuse(at, "a special token is cut short, or its id is taken or too large.");
    }
    made.special_tokens.push_back({std::string(text), id});
  }
  if (in.left() != 0) return refuse(in.at(), "there are bytes after the end.");
  made.set_tokens(tokens);
  return made;
}

Expected<std::string> write_packed(const Vocabulary& vocabulary) {
  const auto base_count = static_cast<std::uint32_t>(vocabulary.base.size());
  const auto merge_count = static_cast<std::uint32_t>(vocabulary.merges.size());
  bool in_order = vocabulary.alphabet == Alphabet::characters || base_count == 256;
  for (std::uint32_t id = 0; id < base_count; ++id)
    in_order = in_order && vocabulary.base[id] == id;
  for (std::uint32_t rank = 0; rank < merge_count; ++rank) {
    const Merge& merge = vocabulary.merges[rank];
    in_order = in_order && merge.rank == rank && merge.result == base_count + rank;
  }
  if (!in_order) {
    return fail(ErrorCode::bad_argument, "vocabulary",
                {"The packed form holds vocabularies in which the ids follow the order of the "
                 "merges, and in this one they do not. Save it as tokenizer.json."});
  }
  const std::uint32_t largest = base_count + merge_count;
  const int id_bytes = largest <= 0x100 ? 1 : largest <= 0x10000 ? 2 : 3;
  const bool gpt2_order = vocabulary.alphabet == Alphabet::bytes && is_gpt2_order(vocabulary);
  std::string out(magic);
  put(out, vocabulary.alphabet == Alphabet::characters ? 1 : 0, 1);
  put(out, static_cast<std::uint32_t>(vocabulary.pretokenizer), 1);
  put(out, (gpt2_order ? gpt2_order_flag : 0) | (vocabulary.whole_words ? whole_words_flag : 0), 1);
  put(out, static_cast<std::uint32_t>(id_bytes), 1);
  put(out, base_count, 4);
  put(out, merge_count, 4);
  put(out, static_cast<std::uint32_t>(vocabulary.special_tokens.size()), 4);
  if (!gpt2_order) {
    for (const std::uint32_t id : vocabulary.base) {
      put(out, static_cast<std::uint32_t>(vocabulary.bytes(id).size()), 1);
      out += vocabulary.bytes(id);
    }
  }
  for (const bool left : {true, false}) {
    for (int byte = id_bytes; byte-- > 0;) {
      for (const Merge& merge : vocabulary.merges) {
        put(out, (left ? merge.left : merge.right) >> (8 * byte) & 0xFF, 1);
      }
    }
  }
  for (const SpecialToken& token : vocabulary.special_tokens) {
    put(out, token.id, 4);
    put(out, static_cast<std::uint32_t>(token.text.size()), 2);
    out += token.text;
  }
  put(out, sum_of(out), 4);
  return out;
}

}  // namespace attn
