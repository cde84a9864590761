#include "vocabulary_file_calls.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pretokenizer_names.hpp"
#include "tokenizer/files.hpp"

namespace attn::binding {
namespace {

constexpr std::string_view format_names[] = {"packed", "tiktoken", "json"};

/// Special tokens come as one list of bytes, their lengths and their ids.
std::vector<SpecialToken> read_special(Reader& in) {
  const std::string bytes = in.bytes("special_bytes", 1 << 20);
  const auto lengths = in.integers("special_lengths", 1 << 16);
  const auto ids = in.list_or_empty<std::int32_t>("special_ids", lengths.size());
  std::vector<SpecialToken> special;
  std::size_t at = 0;
  for (std::size_t i = 0; i < lengths.size() && i < ids.size() && !in.failed(); ++i) {
    const auto length = static_cast<std::size_t>(lengths[i]);
    if (lengths[i] <= 0 || length > bytes.size() - at || ids[i] < 0) {
      in.refuse(ErrorCode::bad_argument, "special_lengths", " do not fit special_bytes.");
      return {};
    }
    special.push_back({bytes.substr(at, length), static_cast<std::uint32_t>(ids[i])});
    at += length;
  }
  return special;
}

val written(std::string_view file) {
  return Writer(val::undefined())
      .value("file", copied({file.data(), file.size(), ArrayKind::uint8}))
      .number("bytes", static_cast<double>(file.size()))
      .finish();
}

}  // namespace

val read_vocabulary_of(Reader& in) {
  const std::size_t format = in.choice("format", format_names);
  const Pretokenizer kind = pretokenizers_by_name[in.choice("pretokenizer", pretokenizer_names)];
  std::vector<SpecialToken> special = read_special(in);
  const std::string file = in.bytes("file", max_file_bytes);
  if (in.failed()) return failure(in.error());
  const auto vocabulary = format == 0   ? read_packed(file)
                          : format == 1 ? read_tiktoken(file, kind, std::move(special))
                                        : read_tokenizer_json(file);
  return vocabulary ? written(write_plain(*vocabulary)) : failure(vocabulary.error());
}

val write_vocabulary_of(Reader& in) {
  const std::size_t format = in.choice("format", format_names);
  const std::string given = in.bytes("file", max_plain_bytes);
  if (in.failed()) return failure(in.error());
  const auto vocabulary = read_plain(given);
  if (!vocabulary) return failure(vocabulary.error());
  const Expected<std::string> file = format == 0   ? write_packed(*vocabulary)
                                     : format == 1 ? write_tiktoken(*vocabulary)
                                                   : write_tokenizer_json(*vocabulary);
  return file ? written(*file) : failure(file.error());
}

}  // namespace attn::binding
