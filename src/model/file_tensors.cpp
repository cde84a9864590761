#include "model/file_tensors.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "core/json_reader.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

using kernels::WeightFormat;

constexpr std::uint64_t longest_header = 100'000'000;
constexpr std::size_t most_tensors = std::size_t{1} << 16;
constexpr std::size_t most_sizes = 8;
constexpr std::size_t longest_name = 1024;
constexpr std::size_t most_files = 1000;

struct Known {
  WeightFormat format;
  std::string_view name;
  std::uint32_t gguf_type;
};

constexpr std::array known = {
    Known{WeightFormat::f32, "F32", 0},    Known{WeightFormat::f16, "F16", 1},
    Known{WeightFormat::bf16, "BF16", 30}, Known{WeightFormat::q8_0, "Q8_0", 8},
    Known{WeightFormat::q4_0, "Q4_0", 2},  Known{WeightFormat::q4_1, "Q4_1", 3},
    Known{WeightFormat::q4_k, "Q4_K", 12}, Known{WeightFormat::q6_k, "Q6_K", 14},
};

std::unexpected<Error> damaged(std::initializer_list<Piece> message) {
  return fail(ErrorCode::bad_argument, "file", message);
}

/// Names stand once, and no two tensors share a byte.
Expected<void> check_places(const std::vector<FileTensor>& tensors, std::uint64_t file_bytes) {
  std::vector<const FileTensor*> order;
  order.reserve(tensors.size());
  for (const FileTensor& tensor : tensors) order.push_back(&tensor);
  std::ranges::sort(order, {}, [](const FileTensor* of) { return std::string_view(of->name); });
  const auto twice = std::ranges::adjacent_find(
      order, [](const FileTensor* a, const FileTensor* b) { return a->name == b->name; });
  if (twice != order.end()) {
    return damaged(
        {"The tensor ", json_string((*twice)->name), " stands twice: the file is damaged."});
  }
  std::ranges::sort(order, {}, [](const FileTensor* of) { return of->begin; });
  std::uint64_t end = 0;
  for (const FileTensor* const tensor : order) {
    if (tensor->bytes == 0) continue;
    if (tensor->begin < end) {
      return damaged({"The tensor ", json_string(tensor->name),
                      " begins within another: the file is damaged."});
    }
    if (tensor->begin > file_bytes || tensor->bytes > file_bytes - tensor->begin) {
      return damaged({"The tensor ", json_string(tensor->name), " would end ", "behind the file's ",
                      file_bytes, " bytes: the file is cut short, or damaged."});
    }
    end = tensor->begin + tensor->bytes;
  }
  return {};
}

/// Bytes of one number of a safetensors type; 0 of what is none.
std::uint64_t bytes_of(std::string_view type) {
  if (type == "F64" || type == "I64" || type == "U64") return 8;
  if (type == "F32" || type == "I32" || type == "U32") return 4;
  if (type == "F16" || type == "BF16" || type == "I16" || type == "U16") return 2;
  if (type == "I8" || type == "U8" || type == "BOOL" || type.starts_with("F8_")) return 1;
  return 0;
}

/// One entry of the header. Begin and end are those of the data alone still.
void read_entry(JsonReader& reader, FileTensor& made) {
  bool has_type = false, has_shape = false;
  std::vector<std::uint64_t> places;
  const auto numbers = [&](std::vector<std::uint64_t>& to, std::size_t most) {
    reader.array([&] {
      const JsonNumber number = reader.any_number();
      if (reader.failed()) return;
      if (!number.is_whole || number.is_negative || number.magnitude > max_exact_count) {
        reader.refuse("here must be a whole number up to 2^53.");
      } else if (to.size() == most) {
        reader.refuse("here are more numbers than there may be.");
      } else {
        to.push_back(number.magnitude);
      }
    });
  };
  reader.object([&](const std::string& key) {
    if (key == "dtype") {
      made.format_name = reader.string().substr(0, 16);
      has_type = true;
    } else if (key == "shape") {
      if (has_shape) return reader.refuse("“shape” stands twice.");
      numbers(made.sizes, most_sizes);
      has_shape = true;
    } else if (key == "data_offsets") {
      if (!places.empty()) return reader.refuse("“data_offsets” stands twice.");
      numbers(places, 2);
    } else {
      reader.skip();
    }
  });
  if (reader.failed()) return;
  if (!has_type || !has_shape || places.size() != 2 || places[0] > places[1]) {
    return reader.refuse("a tensor needs dtype, shape and two data_offsets in order.");
  }
  made.begin = places[0];
  made.bytes = places[1] - places[0];
  std::uint64_t count = 1;
  for (const std::uint64_t size : made.sizes) {
    if (size != 0 && count > max_exact_count / size) {
      return reader.refuse("a tensor would have more than 2^53 numbers.");
    }
    count *= size;
  }
  const std::uint64_t each = bytes_of(made.format_name);
  if (each != 0 && made.bytes != count * each) {
    return reader.refuse("the shape of a tensor does not fit its data_offsets.");
  }
  const auto* const format = std::ranges::find(known, made.format_name, &Known::name);
  if (format != known.end() && each != 0) made.format = format->format;
}

}  // namespace

std::string_view name(WeightFormat format) {
  return std::ranges::find(known, format, &Known::format)->name;
}

Expected<std::vector<FileTensor>> tensors_of_gguf(const GgufFile& file, std::uint64_t file_bytes) {
  std::vector<FileTensor> made;
  made.reserve(file.list.size());
  for (const GgufTensor& tensor : file.list) {
    FileTensor to;
    to.name = tensor.name;
    for (std::uint32_t i = tensor.n_sizes; i-- > 0;) to.sizes.push_back(tensor.sizes[i]);
    const auto* const format = std::ranges::find(known, tensor.type, &Known::gguf_type);
    if (format != known.end()) {
      to.format = format->format;
      to.format_name = format->name;
    } else {
      to.format_name = text({"type ", tensor.type});
    }
    if (tensor.offset > max_exact_count || file.data > max_exact_count) {
      return damaged(
          {"The tensor ", json_string(to.name), " begins behind 2^53 bytes: the file is damaged."});
    }
    to.begin = file.data + tensor.offset;
    to.bytes = tensor.bytes;
    made.push_back(std::move(to));
  }
  ATTN_CHECK(check_places(made, file_bytes));
  return made;
}

Expected<SafetensorsHeader> read_safetensors(std::span<const std::uint8_t> bytes,
                                             std::uint64_t file_bytes) {
  SafetensorsHeader header;
  constexpr std::uint64_t begin = 8;
  if (bytes.size() < begin) {
    header.needed = begin;
    return header;
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < begin; ++i) length |= std::uint64_t{bytes[i]} << 8 * i;
  if (length > longest_header) {
    return damaged({"The header would have ", length, " bytes; at most ", longest_header,
                    " are allowed, so this is no safetensors file, or a damaged one."});
  }
  if (length < 2 || length > file_bytes || begin > file_bytes - length) {
    return damaged({"The header would have ", length, " bytes and the file has ", file_bytes,
                    ": it is no safetensors file, or cut short."});
  }
  if (bytes.size() - begin < length) {
    header.needed = begin + length;
    return header;
  }
  const std::string_view json(reinterpret_cast<const char*>(bytes.data()) + begin, as_size(length));
  if (json.front() != '{') {
    return damaged({"The header does not begin with “{”: this is no safetensors file."});
  }
  JsonReader reader(json);
  reader.object([&](const std::string& key) {
    if (key == "__metadata__") return reader.skip();
    if (key.empty() || key.size() > longest_name) {
      return reader.refuse("a tensor's name is empty, or longer than 1024 bytes.");
    }
    if (header.tensors.size() == most_tensors) {
      return reader.refuse("there are more than 65,536 tensors.");
    }
    FileTensor made;
    made.name = key;
    read_entry(reader, made);
    header.tensors.push_back(std::move(made));
  });
  reader.finish();
  if (reader.failed()) {
    return damaged({"The header of the file cannot be read. ", reader.problem()});
  }
  for (FileTensor& tensor : header.tensors) tensor.begin += begin + length;
  ATTN_CHECK(check_places(header.tensors, file_bytes));
  return header;
}

Expected<std::vector<std::string>> files_of_safetensors_index(std::string_view json) {
  std::set<std::string, std::less<>> files;
  bool has_map = false;
  JsonReader reader(json);
  reader.object([&](const std::string& key) {
    if (key != "weight_map") return reader.skip();
    has_map = true;
    reader.object([&](const std::string&) {
      std::string file = reader.string();
      if (reader.failed()) return;
      const bool is_name = !file.empty() && file.size() <= 255 && file.front() != '.' &&
                           std::ranges::all_of(file, [](char c) {
                             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                    (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                           });
      if (!is_name) {
        return reader.refuse("a file's name may have letters, digits, “-”, “_” and “.” alone.");
      }
      files.insert(std::move(file));
      if (files.size() > most_files) reader.refuse("there are more than 1000 files.");
    });
  });
  reader.finish();
  if (!reader.failed() && (!has_map || files.empty())) {
    reader.refuse("there is no weight_map with a tensor in it.");
  }
  if (reader.failed()) {
    return fail(ErrorCode::bad_argument, "index",
                {"The index of the files cannot be read. ", reader.problem()});
  }
  return std::vector<std::string>(files.begin(), files.end());
}

}  // namespace attn
