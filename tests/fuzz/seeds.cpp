// Writes small files of each kind that a reader is fuzzed with, so that the fuzzer begins behind the head of a file:
//
//   fuzz_seeds <folder>     ->  <folder>/packed/…, <folder>/tiktoken/…, <folder>/tokenizer_json/…, <folder>/gguf_header/…
//
// Those of configurations are the files in tests/golden/configs (run.mjs).

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "model/weight_slots.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/train.hpp"

namespace {

using namespace attn;

template <class T>
T value_of(Expected<T> made) {
  if (!made) {
    std::cerr << made.error().message << '\n';
    std::exit(1);
  }
  return std::move(*made);
}

void write(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string little(std::uint64_t value, int size) {
  std::string made;
  for (int i = 0; i < size; ++i) made += static_cast<char>(value >> 8 * i & 0xFF);
  return made;
}

std::string counted(std::string_view text) { return little(text.size(), 8) + std::string(text); }

/// The header of a GGUF file with every key that is read, and two tensors.
std::string gguf(std::uint32_t version, std::string_view architecture) {
  std::string keys = counted("general.architecture") + little(8, 4) + counted(architecture);
  std::uint64_t count = 1;
  for (const std::string_view name : {"block_count",
                                      "embedding_length",
                                      "context_length",
                                      "feed_forward_length",
                                      "attention.head_count",
                                      "attention.head_count_kv",
                                      "attention.key_length",
                                      "attention.value_length",
                                      "attention.key_length_swa",
                                      "attention.value_length_swa",
                                      "attention.sliding_window",
                                      "attention.sliding_window_pattern",
                                      "attention.kv_lora_rank",
                                      "attention.shared_kv_layers",
                                      "attention.indexer.key_length",
                                      "attention.indexer.top_k",
                                      "rope.dimension_count",
                                      "ssm.conv_kernel",
                                      "ssm.inner_size",
                                      "ssm.state_size",
                                      "ssm.group_count",
                                      "shortconv.l_cache",
                                      "full_attention_interval",
                                      "nextn_predict_layers",
                                      "expert_count",
                                      "expert_used_count"}) {
    keys += counted(std::string(architecture) + "." + std::string(name)) + little(4, 4) +
            little(name.starts_with("block") ? 4 : 2, 4);
    ++count;
  }
  keys += counted(std::string(architecture) + ".a.sliding_window_pattern") + little(9, 4) +
          little(7, 4) + little(3, 8) + std::string("\1\0\1", 3);
  keys += counted("tokenizer.ggml.tokens") + little(9, 4) + little(8, 4) + little(2, 8) +
          counted("a") + counted("bc");
  keys += counted("nested") + little(9, 4) + little(9, 4) + little(1, 8) + little(6, 4) +
          little(1, 8) + little(0, 4);
  count += 3;
  std::string tensors = counted("blk.0.ffn_up_exps.weight") + little(3, 4) + little(256, 8) +
                        little(2, 8) + little(2, 8) + little(12, 4) + little(0, 8);
  tensors +=
      counted("output_norm.weight") + little(1, 4) + little(8, 8) + little(0, 4) + little(576, 8);
  return "GGUF" + little(version, 4) + little(2, 8) + little(count, 8) + keys + tensors;
}

/// A whole model of one layer in either form; a safetensors file follows its config.json and a zero.
std::string model_file(Architecture architecture, FileForm form) {
  ModelConfig config;
  config.architecture = architecture;
  config.n_layers = 1;
  config.d_model = 4;
  config.n_heads = 2;
  config.n_kv_heads = architecture == Architecture::llama ? 1 : 2;
  config.head_dim = 2;
  config.d_ff = 3;
  config.context = 2;
  config.vocab_size = 3;
  const std::string of(name(architecture));
  std::string tensors, entries, data;
  std::uint64_t count = 0;
  for (std::size_t s = 0; s < n_slots; ++s) {
    const auto slot = static_cast<Slot>(s);
    const bool divides = slot == Slot::rotary_divisors && architecture == Architecture::llama &&
                         form == FileForm::gguf;
    if (!slot_is_needed(architecture, slot) && !divides) continue;
    const SlotShape shape = slot_shape(config, form, slot);
    const std::string called = slot_name(config, form, {slot, 0});
    const std::uint64_t rows = shape.is_transposed ? shape.columns : shape.rows;
    const std::uint64_t columns = shape.is_transposed ? shape.rows : shape.columns;
    tensors += counted(called) + little(shape.is_vector ? 1 : 2, 4) + little(columns, 8) +
               (shape.is_vector ? "" : little(rows, 8)) + little(0, 4) + little(data.size(), 8);
    const std::size_t begin = data.size();
    data += std::string(static_cast<std::size_t>(4 * rows * columns), '\1');
    entries += (entries.empty() ? "{\"" : ",\"") + called + R"(":{"dtype":"F32","shape":[)" +
               (shape.is_vector ? "" : std::to_string(rows) + ",") + std::to_string(columns) +
               R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(data.size()) +
               "]}";
    if (form == FileForm::gguf) data.resize((data.size() + 31) / 32 * 32);
    ++count;
  }
  if (form == FileForm::safetensors) {
    const std::string json =
        architecture == Architecture::llama
            ? R"({"model_type":"llama","hidden_size":4,"intermediate_size":3,"num_hidden_layers":1,)"
              R"("num_attention_heads":2,"num_key_value_heads":1,"max_position_embeddings":2,"rms_norm_eps":1e-5,)"
              R"("rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,)"
              R"("original_max_position_embeddings":64}})"
            : R"({"model_type":"gpt2","n_embd":4,"n_inner":3,"n_layer":1,"n_head":2,"n_positions":2})";
    return json + std::string(1, '\0') + little(entries.size() + 1, 8) + entries + "}" + data;
  }
  std::string keys = counted("general.architecture") + little(8, 4) + counted(of);
  for (const auto& [key, value] : {std::pair<std::string_view, std::uint64_t>{"block_count", 1},
                                   {"context_length", 2},
                                   {"embedding_length", 4},
                                   {"feed_forward_length", 3},
                                   {"attention.head_count", 2},
                                   {"attention.head_count_kv", config.n_kv_heads}}) {
    keys += counted(of + "." + std::string(key)) + little(4, 4) + little(value, 4);
  }
  for (const std::string_view key :
       {"attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"}) {
    keys += counted(of + "." + std::string(key)) + little(6, 4) + little(0x3727C5AC, 4);
  }
  const auto texts = [&](std::string_view key, std::initializer_list<std::string_view> list) {
    keys += counted(key) + little(9, 4) + little(8, 4) + little(list.size(), 8);
    for (const std::string_view each : list) keys += counted(each);
  };
  texts("tokenizer.ggml.tokens", {"a", "b", "ab"});
  texts("tokenizer.ggml.merges", {"a b"});
  for (const auto& [key, value] : {std::pair{"model", "gpt2"}, {"pre", "smollm"}}) {
    keys += counted(std::string("tokenizer.ggml.") + key) + little(8, 4) + counted(value);
  }
  std::string file = "GGUF" + little(3, 4) + little(count, 8) + little(13, 8) + keys + tensors;
  file.resize((file.size() + 31) / 32 * 32);
  return file + data;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "fuzz_seeds <folder>\n";
    return 1;
  }
  const std::filesystem::path folder = arguments[1];
  constexpr std::string_view corpus =
      "the cat climbed the roof, the cat sat; o gato subiu no telhado “à noite”";
  for (const Pretokenizer cut : pretokenizers) {
    for (const Alphabet alphabet : {Alphabet::bytes, Alphabet::characters}) {
      for (const std::size_t merges : {0U, 20U}) {
        Trainer trainer =
            value_of(Trainer::make({&corpus, 1}, {TieRule::lowest_bytes, alphabet, cut}));
        value_of(trainer.run(merges));
        Vocabulary vocabulary = trainer.vocabulary();
        const std::string name = std::string(attn::name(cut)) +
                                 (alphabet == Alphabet::bytes ? "-bytes-" : "-characters-") +
                                 std::to_string(merges);
        if (alphabet == Alphabet::bytes) {
          write(folder / "tiktoken" / name, value_of(write_tiktoken(vocabulary)));
          // Only what is read from a file can have special tokens.
          const std::uint32_t id = vocabulary.size();
          vocabulary = value_of(
              read_tiktoken(value_of(write_tiktoken(vocabulary)), cut, {{"<|endoftext|>", id}}));
        }
        const std::string packed = value_of(write_packed(vocabulary));
        // Without its sum, which the fuzzer's program adds.
        write(folder / "packed" / name, packed.substr(0, packed.size() - 4));
        write(folder / "tokenizer_json" / name, write_tokenizer_json(vocabulary));
      }
    }
  }
  for (const Architecture architecture : {Architecture::llama, Architecture::gpt2}) {
    const std::string_view of = name(architecture);
    write(folder / "model_gguf" / of, model_file(architecture, FileForm::gguf));
    write(folder / "model_safetensors" / of, model_file(architecture, FileForm::safetensors));
  }
  write(folder / "gguf_header" / "version-2", gguf(2, "llama"));
  write(folder / "gguf_header" / "version-3", gguf(3, "x"));
  return 0;
}
