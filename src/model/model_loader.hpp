#pragma once

// Reads a model from wherever its bytes come from, without ever holding a file: it says which bytes it wants, and takes
// them in pieces of any size. Whoever reads (a file, a server that is asked for a range, a stream that only goes
// forward) does so in its own time, and can show how far it is.
//
//   while (const auto wanted = loader.wanted()) { loader.give(bytes of wanted->file from wanted->begin on …); }
//   ModelWeights weights = loader.finish();
//
// After the header the wanted places of one file only rise.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "model/file_tensors.hpp"
#include "model/model_vocabulary.hpp"
#include "model/model_weights.hpp"

namespace attn {

/// A place in the files that the loader was made with.
struct WantedBytes {
  std::size_t file = 0;
  std::uint64_t begin = 0, bytes = 0;

  bool operator==(const WantedBytes&) const = default;
};

class ModelLoader {
 public:
  /// A GGUF file of so many bytes.
  static ModelLoader of_gguf(std::uint64_t file_bytes);

  /// Safetensors files of so many bytes each, and the config.json beside them.
  /// Errors: those of model_config_of_json; out_of_range and too_large ("files").
  static Expected<ModelLoader> of_safetensors(std::string_view config,
                                              std::vector<std::uint64_t> file_bytes);

  /// What comes next; nothing when all is there, or after an error.
  std::optional<WantedBytes> wanted() const;

  /// The next bytes of what is wanted, at most that many. After an error the loader is of no use any more.
  /// Errors: out_of_range ("bytes") for more than is wanted; those of the readers and model_config_of_gguf; bad_argument
  /// naming `file` for a tensor that the model does not have, one that is missing, of another shape, or of a format
  /// that cannot be computed with; too_large, out_of_memory.
  Expected<void> give(std::span<const std::uint8_t> bytes);

  /// Bytes of all weights, known once the headers are read (0 before), and how many of them are there.
  std::uint64_t weight_bytes() const { return weight_bytes_; }
  std::uint64_t given_bytes() const { return given_bytes_; }

  /// Errors: bad_argument ("file") while bytes are wanted still, and after an error.
  Expected<ModelWeights> finish();

  /// Of a GGUF file whose header has been read.
  const FileVocabulary& vocabulary() const { return vocabulary_; }
  /// What a GGUF file calls the model; empty where it does not say it.
  const std::string& name() const { return name_; }
  /// Whether all headers have been read, so that the model's sizes are known.
  bool has_sizes() const { return !failed_ && files_read_ == file_bytes_.size(); }
  const ModelConfig& config() const { return config_; }

 private:
  /// One tensor on its way into memory.
  struct Task {
    std::size_t file = 0;
    FileTensor tensor;
    SlotPlace place = {};
    SlotShape shape = {};
    std::byte* to = nullptr;
  };

  ModelLoader(FileForm form, std::vector<std::uint64_t> file_bytes);

  Expected<void> read_header();
  Expected<void> read_gguf(std::uint64_t& needed, std::vector<FileTensor>& tensors);
  Expected<void> keep_vocabulary(const GgufFile& file);
  Expected<void> plan(std::vector<FileTensor> tensors);
  Expected<void> check_whole() const;
  Expected<void> take_memory();
  void put(const Task& task, std::uint64_t at, std::span<const std::uint8_t> bytes);
  /// Vectors to floats, once all their bytes are there.
  Expected<void> complete(const Task& task);

  FileForm form_;
  std::vector<std::uint64_t> file_bytes_;
  ModelConfig config_;
  FileVocabulary vocabulary_;
  std::string name_;
  bool failed_ = false;
  /// Headers are read first, file by file.
  std::size_t files_read_ = 0;
  std::vector<std::uint8_t> header_;
  std::uint64_t header_wanted_ = 0;
  /// In the order of the files, and of the places there.
  std::vector<Task> tasks_;
  std::size_t task_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t weight_bytes_ = 0, given_bytes_ = 0;
  /// Bytes of a vector that is no floats yet.
  std::vector<std::byte> small_;
  ModelWeights weights_;
};

}  // namespace attn
