#include "model/model_loader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/json_reader.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/weights.hpp"

namespace attn {
namespace {

/// What the header is asked for at first: most of them are longer, and then it doubles.
constexpr std::uint64_t first_piece = std::uint64_t{1} << 18;
/// Above every header of a model that fits the memory.
constexpr std::uint64_t longest_header = std::uint64_t{1} << 28;

std::unexpected<Error> refuse(std::initializer_list<Piece> message) {
  return fail(ErrorCode::bad_argument, "file", message);
}

std::string sizes_in_words(std::span<const std::uint64_t> sizes) {
  std::string words;
  for (const std::uint64_t size : sizes) words += (words.empty() ? "" : " x ") + text({size});
  return words.empty() ? "a single number" : words;
}

/// Whether the sizes are those of the slot; rows that the configuration leaves open take what the file has.
bool fits(SlotShape& shape, std::span<const std::uint64_t> sizes) {
  if (shape.is_vector) return sizes.size() == 1 && sizes[0] == shape.columns;
  if (sizes.size() != 2) return false;
  if (shape.rows == 0) {
    if (sizes[0] < 1 || sizes[0] > max_model_vocabulary) return false;
    shape.rows = sizes[0];
  }
  return shape.is_transposed ? sizes[0] == shape.columns && sizes[1] == shape.rows
                             : sizes[0] == shape.rows && sizes[1] == shape.columns;
}

const GgufValue* value_of(const GgufFile& file, std::string_view key) {
  const auto at = file.values.find(key);
  return at == file.values.end() ? nullptr : &at->second;
}

}  // namespace

ModelLoader::ModelLoader(FileForm form, std::vector<std::uint64_t> file_bytes)
    : form_(form), file_bytes_(std::move(file_bytes)) {
  header_wanted_ = std::min(first_piece, file_bytes_[0]);
}

ModelLoader ModelLoader::of_gguf(std::uint64_t file_bytes) {
  return ModelLoader(FileForm::gguf, {file_bytes});
}

Expected<ModelLoader> ModelLoader::of_safetensors(std::string_view config,
                                                  std::vector<std::uint64_t> file_bytes) {
  ATTN_CHECK(check_count("files", file_bytes.size(), 1, 1000));
  auto read = model_config_of_json(config);
  ATTN_CHECK(read);
  ModelLoader loader(FileForm::safetensors, std::move(file_bytes));
  loader.config_ = *read;
  return loader;
}

std::optional<WantedBytes> ModelLoader::wanted() const {
  if (failed_) return {};
  if (files_read_ < file_bytes_.size()) {
    // An empty file has a header to miss, too: it is asked for, and given nothing.
    return WantedBytes{files_read_, header_.size(), header_wanted_ - header_.size()};
  }
  if (task_ == tasks_.size()) return {};
  const Task& task = tasks_[task_];
  return WantedBytes{task.file, task.tensor.begin + at_, task.tensor.bytes - at_};
}

Expected<void> ModelLoader::give(std::span<const std::uint8_t> bytes) {
  const auto next = wanted();
  if (!next || bytes.size() > next->bytes) {
    return fail(ErrorCode::out_of_range, "bytes",
                {"The loader wants ", next ? next->bytes : 0, " bytes now and was given ",
                 bytes.size(), "."});
  }
  // Until it is known that all went well.
  failed_ = true;
  if (files_read_ < file_bytes_.size()) {
    ATTN_CHECK(check_bytes("file", std::uint64_t{header_.size()} + bytes.size()));
    header_.insert(header_.end(), bytes.begin(), bytes.end());
    if (header_.size() == header_wanted_) ATTN_CHECK(read_header());
  } else {
    put(tasks_[task_], at_, bytes);
    at_ += bytes.size();
    given_bytes_ += bytes.size();
    if (at_ == tasks_[task_].tensor.bytes) {
      ATTN_CHECK(complete(tasks_[task_]));
      ++task_;
      at_ = 0;
    }
  }
  failed_ = false;
  return {};
}

Expected<void> ModelLoader::read_header() {
  const std::uint64_t file_bytes = file_bytes_[files_read_];
  std::uint64_t needed = 0;
  std::vector<FileTensor> tensors;
  if (form_ == FileForm::gguf) {
    ATTN_CHECK(read_gguf(needed, tensors));
  } else {
    auto read = read_safetensors(header_, file_bytes);
    ATTN_CHECK(read);
    needed = read->needed;
    tensors = std::move(read->tensors);
  }
  if (needed != 0) {
    if (needed > file_bytes) {
      return refuse({"The header of the file goes on beyond its ", file_bytes,
                     " bytes: it is cut short; get it again."});
    }
    if (needed > longest_header) {
      return fail(ErrorCode::too_large, "file",
                  {"The header of the file takes more than ", longest_header, " bytes."});
    }
    header_wanted_ = std::min(file_bytes, std::max(needed, 2 * std::uint64_t{header_.size()}));
    return {};
  }
  ATTN_CHECK(plan(std::move(tensors)));
  ++files_read_;
  header_ = {};
  if (files_read_ < file_bytes_.size()) {
    header_wanted_ = std::min(first_piece, file_bytes_[files_read_]);
    return {};
  }
  ATTN_CHECK(check_whole());
  return take_memory();
}

Expected<void> ModelLoader::read_gguf(std::uint64_t& needed, std::vector<FileTensor>& tensors) {
  const auto file =
      parse_gguf(header_, {.key = gguf_key_of_model, .vocabulary = true, .tensors = true});
  ATTN_CHECK(file);
  needed = file->needed;
  if (needed != 0) return {};
  auto config = model_config_of_gguf(*file);
  ATTN_CHECK(config);
  config_ = *config;
  auto read = tensors_of_gguf(*file, file_bytes_[0]);
  ATTN_CHECK(read);
  tensors = std::move(*read);
  return keep_vocabulary(*file);
}

Expected<void> ModelLoader::keep_vocabulary(const GgufFile& file) {
  const auto word = [&](std::string_view key, std::string& to) {
    if (const auto* value = value_of(file, key); value != nullptr) to = value->text;
  };
  const auto words = [&](std::string_view key, std::vector<std::string>& to) {
    if (const auto* value = value_of(file, key); value != nullptr) {
      to.assign(value->texts.begin(), value->texts.end());
    }
  };
  const auto number = [&](std::string_view key) -> std::optional<std::uint32_t> {
    const auto* const value = value_of(file, key);
    if (value == nullptr || value->numbers.size() != 1 ||
        value->numbers[0] > max_model_vocabulary) {
      return {};
    }
    return static_cast<std::uint32_t>(value->numbers[0]);
  };
  word("general.name", name_);
  word("tokenizer.ggml.model", vocabulary_.model);
  word("tokenizer.ggml.pre", vocabulary_.pretokenizer);
  words("tokenizer.ggml.tokens", vocabulary_.tokens);
  words("tokenizer.ggml.merges", vocabulary_.merges);
  if (const auto* types = value_of(file, "tokenizer.ggml.token_type"); types != nullptr) {
    for (const std::uint64_t type : types->numbers) {
      vocabulary_.types.push_back(static_cast<std::uint32_t>(type));
    }
  }
  vocabulary_.begin_id = number("tokenizer.ggml.bos_token_id");
  vocabulary_.end_id = number("tokenizer.ggml.eos_token_id");
  vocabulary_.adds_begin = number("tokenizer.ggml.add_bos_token").value_or(0) == 1;
  return {};
}

Expected<void> ModelLoader::plan(std::vector<FileTensor> tensors) {
  std::ranges::sort(tensors, {}, &FileTensor::begin);
  for (FileTensor& tensor : tensors) {
    const auto place = slot_of(config_, form_, tensor.name);
    ATTN_CHECK(place);
    if (!*place) continue;
    Task task;
    task.file = files_read_;
    task.place = **place;
    task.shape = slot_shape(config_, form_, task.place.slot);
    if (!tensor.format) {
      return refuse({"The tensor ", json_string(tensor.name), " is kept as ", tensor.format_name,
                     "; what can be computed with is F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K and "
                     "Q6_K."});
    }
    if (!fits(task.shape, tensor.sizes)) {
      const SlotShape& shape = task.shape;
      if (!shape.is_vector && shape.rows == 0) {
        return refuse({"The tensor ", json_string(tensor.name), " has the shape ",
                       sizes_in_words(tensor.sizes), "; it must have ", shape.columns,
                       " columns and from 1 to ", max_model_vocabulary, " rows."});
      }
      const std::uint64_t wanted[] = {shape.is_transposed ? shape.columns : shape.rows,
                                      shape.is_transposed ? shape.rows : shape.columns};
      return refuse({"The tensor ", json_string(tensor.name), " has the shape ",
                     sizes_in_words(tensor.sizes), "; the model's sizes ask for ",
                     sizes_in_words(shape.is_vector ? std::span(&shape.columns, 1)
                                                    : std::span<const std::uint64_t>(wanted)),
                     "."});
    }
    if (task.place.slot == Slot::token_embedding) config_.vocab_size = task.shape.rows;
    const bool is_in_blocks = kernels::weight_block(*tensor.format).numbers > 1;
    if (is_in_blocks && (task.shape.is_vector || form_ == FileForm::safetensors)) {
      return refuse({"The tensor ", json_string(tensor.name), " must be numbers, and is kept as ",
                     tensor.format_name, "."});
    }
    weight_bytes_ += tensor.bytes;
    task.tensor = std::move(tensor);
    tasks_.push_back(std::move(task));
  }
  return {};
}

Expected<void> ModelLoader::check_whole() const {
  std::vector<std::uint8_t> is_there(n_slots * as_size(config_.n_layers));
  for (const Task& task : tasks_) {
    std::uint8_t& there =
        is_there[as_size(task.place.layer) * n_slots + static_cast<std::size_t>(task.place.slot)];
    if (there != 0) {
      return refuse({"The tensor ", json_string(task.tensor.name), " stands twice."});
    }
    there = 1;
    // A file may list the logits' matrix before the embedding, and have left its rows open.
    if (task.place.slot == Slot::output && task.shape.rows != config_.vocab_size) {
      return refuse({"The tensor ", json_string(task.tensor.name), " has ", task.shape.rows,
                     " rows, and the token embedding ", config_.vocab_size, "."});
    }
  }
  for (std::uint64_t layer = 0; layer < config_.n_layers; ++layer) {
    for (std::size_t s = 0; s < n_slots; ++s) {
      const auto slot = static_cast<Slot>(s);
      if (layer > 0 && slot < first_layer_slot) continue;
      if (!slot_is_needed(config_.architecture, slot)) continue;
      if (is_there[as_size(layer) * n_slots + s] != 0) continue;
      return refuse({"The tensor ", slot_name(config_, form_, {slot, layer}),
                     " is missing, which the model cannot do without."});
    }
  }
  return {};
}

Expected<void> ModelLoader::take_memory() {
  weights_ = ModelWeights(config_);
  for (Task& task : tasks_) {
    const auto format = task.shape.is_vector ? kernels::WeightFormat::f32 : *task.tensor.format;
    const auto to = weights_.take(task.place, format, task.shape.rows, task.shape.columns);
    ATTN_CHECK(to);
    task.to = *to;
  }
  return {};
}

void ModelLoader::put(const Task& task, std::uint64_t at, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  if (task.shape.is_vector) {
    const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
    small_.insert(small_.end(), from, from + bytes.size());
    return;
  }
  if (!task.shape.is_transposed) {
    std::memcpy(task.to + at, bytes.data(), bytes.size());
    return;
  }
  const std::size_t each = kernels::weight_block(*task.tensor.format).bytes;
  const std::size_t rows = as_size(task.shape.rows);
  const std::size_t columns = as_size(task.shape.columns);
  // Byte `part` of number [c, r] of the file; a piece may begin and end within a number.
  std::size_t part = as_size(at % each);
  std::size_t r = as_size(at / each % rows);
  std::size_t c = as_size(at / each / rows);
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t count = std::min(each - part, bytes.size() - done);
    std::memcpy(task.to + (r * columns + c) * each + part, bytes.data() + done, count);
    done += count;
    part = 0;
    if (++r == rows) {
      r = 0;
      ++c;
    }
  }
}

Expected<void> ModelLoader::complete(const Task& task) {
  if (!task.shape.is_vector) return {};
  const kernels::WeightMatrix given = {*task.tensor.format, 1, as_size(task.shape.columns),
                                       small_.data()};
  kernels::unpack_weights_scalar(given, 0, reinterpret_cast<float*>(task.to));
  small_.clear();
  if (task.place.slot != Slot::rotary_divisors) return {};
  const std::span divisors(reinterpret_cast<const float*>(task.to), as_size(task.shape.columns));
  // NaN is not above 0 either.
  const auto divides = [](float number) { return number > 0 && number < 1e30F; };
  if (std::ranges::all_of(divisors, divides)) return {};
  return refuse({"The tensor ", json_string(task.tensor.name),
                 " must hold numbers above 0, by which turns are divided."});
}

Expected<ModelWeights> ModelLoader::finish() {
  if (failed_ || wanted()) {
    return refuse({"The model is not there as a whole: ", given_bytes_, " of ", weight_bytes_,
                   " bytes of its weights were read."});
  }
  failed_ = true;
  return std::move(weights_);
}

}  // namespace attn
