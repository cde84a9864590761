#include "read_model_call.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache_model_option.hpp"
#include "core/limits.hpp"
#include "kv_cache/config_json.hpp"
#include "kv_cache/gguf_header.hpp"

namespace attn::binding {
namespace {

val list_of(const std::vector<std::string>& words) {
  val list = val::array();
  for (const std::string& word : words) list.call<void>("push", val(word));
  return list;
}

val written(const ReadModel& read) {
  return Writer(val::undefined())
      .value("model", binding::written(read.model))
      .value("architecture", val(read.architecture))
      .value("notes", list_of(read.notes))
      .value("missing", list_of(read.missing))
      .number("needs_bytes", 0)
      .finish();
}

}  // namespace

val read_model_of(Reader& in) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string file = in.bytes("file", max_bytes);
  const std::uint64_t size =
      in.has("size") ? in.count("size", max_exact_count, 0) : std::uint64_t{file.size()};
  if (in.failed()) return failure(in.error());
  if (!file.starts_with("GGUF")) {
    if (size > max_config_bytes) {
      return failure(fail(ErrorCode::too_large, "file",
                          {"The file has ", size, " bytes, and a config.json may have ",
                           max_config_bytes, "; give the model’s config.json or its .gguf file."})
                         .error());
    }
    if (file.starts_with(byte_order_mark)) file.erase(0, byte_order_mark.size());
    const std::size_t first = file.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || file[first] != '{') {
      return failure(fail(ErrorCode::bad_argument, "file",
                          {"The file begins neither as a config.json, with {, nor as a GGUF file, "
                           "with the letters GGUF; give one of these."})
                         .error());
    }
    const auto read = read_config_json(file);
    return read ? written(*read) : failure(read.error());
  }
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(file.data()),
                                            file.size());
  const std::uint64_t needed = gguf_bytes_needed(bytes);
  if (needed != 0 && file.size() < size && needed <= size) {
    return Writer(val::undefined()).number("needs_bytes", static_cast<double>(needed)).finish();
  }
  auto read = read_gguf_header(bytes);
  if (!read) return failure(read.error());
  if (needed != 0) {
    read->notes.emplace_back("The file ends before its list of tensors does: it was cut.");
  } else if (const auto weight_bytes = gguf_weight_bytes(bytes); weight_bytes) {
    read->notes.push_back(
        attn::text({"Its tensors take ", *weight_bytes, " bytes as they are kept in the file."}));
  }
  return written(*read);
}

}  // namespace attn::binding
