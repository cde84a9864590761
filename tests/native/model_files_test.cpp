// The readers of models: what is read, in pieces of any size, and every way in which a file is damaged or hostile.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "model/file_tensors.hpp"
#include "model/model_config.hpp"
#include "model/model_loader.hpp"
#include "tiny_model.hpp"

using namespace attn;
using namespace attn::test;
using kernels::WeightFormat;

namespace {

bool same_weights(const ModelWeights& a, const ModelWeights& b) {
  if (a.bytes() != b.bytes()) return false;
  for (std::uint64_t layer = 0; layer < a.config().n_layers; ++layer) {
    for (std::size_t s = 0; s < n_slots; ++s) {
      const auto slot = static_cast<Slot>(s);
      if (a.has(slot, layer) != b.has(slot, layer)) return false;
      if (!a.has(slot, layer)) continue;
      const kernels::WeightMatrix& left = a.matrix(slot, layer);
      const kernels::WeightMatrix& right = b.matrix(slot, layer);
      if (left.format != right.format || left.rows != right.rows ||
          !std::equal(left.data, left.data + left.rows * left.row_bytes(), right.data)) {
        return false;
      }
    }
  }
  return true;
}

Expected<ModelWeights> load_gguf(const std::string& file) {
  ModelLoader loader = ModelLoader::of_gguf(file.size());
  return load(loader, {file});
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string safetensors(std::string_view header, std::size_t data) {
  std::string made;
  GgufWriter::little(made, header.size(), 8);
  return made + std::string(header) + std::string(data, 'x');
}

Error refused_safetensors(std::string_view header, std::size_t data) {
  const std::string file = safetensors(header, data);
  return error_of(read_safetensors(bytes_of(file), file.size()));
}

/// A llama in GGUF with other keys or tensors.
GgufWriter llama_keys() {
  GgufWriter file;
  file.text("general.architecture", "llama")
      .number("llama.block_count", 1)
      .number("llama.context_length", 8)
      .number("llama.embedding_length", 8)
      .number("llama.feed_forward_length", 8)
      .number("llama.attention.head_count", 2)
      .fraction("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  return file;
}

Error refused_config(const GgufWriter& file) { return error_of(load_gguf(file.bytes())); }

}  // namespace

TEST_CASE("a model is the same however its file is cut into pieces") {
  for (const Architecture architecture : {Architecture::llama, Architecture::gpt2}) {
    for (const FileForm form : {FileForm::gguf, FileForm::safetensors}) {
      TinyModel model = some_tiny_model(architecture, form);
      for (const WeightFormat format : {WeightFormat::f32, WeightFormat::bf16}) {
        model.format = format;
        const ModelWeights whole = value_of(load(model, 1, 1 << 20));
        CHECK(whole.config() == model.config);
        for (const std::size_t piece : {1U, 3U, 7U, 4096U}) {
          CHECK(same_weights(whole, value_of(load(model, 1, piece))));
        }
        if (form == FileForm::safetensors) CHECK(same_weights(whole, value_of(load(model, 3))));
      }
    }
  }
}

TEST_CASE("after the header the wanted places of a file only rise, and are counted") {
  const TinyModel model = some_tiny_model(Architecture::gpt2);
  const std::string file = tiny_gguf(model);
  ModelLoader loader = ModelLoader::of_gguf(file.size());
  std::uint64_t at = 0;
  while (loader.weight_bytes() == 0) {
    const WantedBytes wanted = *loader.wanted();
    CHECK(wanted.begin == at);
    at = wanted.begin + wanted.bytes;
    REQUIRE(loader.give(bytes_of(file).subspan(static_cast<std::size_t>(wanted.begin),
                                               static_cast<std::size_t>(wanted.bytes))));
  }
  CHECK(error_of(loader.finish()).field == "file");
  at = 0;
  std::uint64_t sum = 0;
  ModelLoader other = ModelLoader::of_gguf(file.size());
  while (const auto wanted = other.wanted()) {
    if (other.weight_bytes() > 0) {
      CHECK(wanted->begin >= at);
      at = wanted->begin + wanted->bytes;
      sum += wanted->bytes;
    }
    const auto bytes = bytes_of(file).subspan(static_cast<std::size_t>(wanted->begin),
                                              static_cast<std::size_t>(wanted->bytes));
    const std::vector<std::uint8_t> more(bytes.size() + 1);
    CHECK(error_of(other.give(more)).field == "bytes");
    REQUIRE(other.give(bytes));
  }
  CHECK(sum == other.weight_bytes());
  CHECK(sum == other.given_bytes());
  CHECK(other.finish());
}

TEST_CASE("a vocabulary comes with a GGUF file") {
  GgufWriter file = llama_keys();
  file.text("tokenizer.ggml.model", "gpt2")
      .text("tokenizer.ggml.pre", "smollm")
      .texts("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "ab"})
      .numbers("tokenizer.ggml.token_type", {1, 1, 3}, 5)
      .texts("tokenizer.ggml.merges", std::vector<std::string>{"a b"})
      .number("tokenizer.ggml.bos_token_id", 1)
      .put("tokenizer.ggml.add_bos_token", 7, 1, 1);
  const std::string bytes = file.bytes();
  ModelLoader loader = ModelLoader::of_gguf(bytes.size());
  // Without a tensor the model is not whole, and the vocabulary is read before that is found.
  CHECK(error_of(load(loader, {bytes})).message.contains("token_embd.weight"));
  const FileVocabulary& vocabulary = loader.vocabulary();
  CHECK(vocabulary.model == "gpt2");
  CHECK(vocabulary.pretokenizer == "smollm");
  CHECK(vocabulary.tokens == std::vector<std::string>{"a", "b", "ab"});
  CHECK(vocabulary.merges == std::vector<std::string>{"a b"});
  CHECK(vocabulary.types == std::vector<std::uint32_t>{1, 1, 3});
  CHECK(vocabulary.begin_id == 1);
  CHECK_FALSE(vocabulary.end_id);
  CHECK(vocabulary.adds_begin);
}

TEST_CASE("a GGUF file cut short at any byte is refused, and nothing is loaded") {
  const std::string file = tiny_gguf(some_tiny_model(Architecture::llama));
  for (std::size_t size = 0; size < file.size(); size += size < 3000 ? 7 : 997) {
    CHECK(error_of(load_gguf(file.substr(0, size))).field == "file");
  }
}

TEST_CASE("a GGUF file with damaged bytes is read or refused, and never more than that") {
  const std::string file = tiny_gguf(some_tiny_model(Architecture::llama));
  Dice dice(4);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = file;
    for (std::size_t i = 0; i <= dice.between(0, 3); ++i) {
      damaged[dice.between(0, 2500)] = static_cast<char>(dice.between(0, 255));
    }
    ModelLoader loader = ModelLoader::of_gguf(damaged.size());
    const auto read = load(loader, {damaged}, 100'000);
    if (!read) CHECK(read.error().message.size() > 10);
  }
}

TEST_CASE("keys of a GGUF file: what is missing, wrong or not done here is named") {
  CHECK(
      refused_config(GgufWriter().text("general.architecture", "mamba")).message.contains("mamba"));
  CHECK(refused_config(GgufWriter().number("llama.block_count", 1)).field ==
        "general.architecture");
  CHECK(refused_config(GgufWriter().text("general.architecture", "llama")).field ==
        "llama.block_count");
  CHECK(refused_config(llama_keys().number("split.count", 2)).field == "split.count");
  CHECK(refused_config(llama_keys().number("llama.expert_count", 8)).field == "llama.expert_count");
  CHECK(refused_config(llama_keys().text("llama.rope.scaling.type", "yarn")).field ==
        "llama.rope.scaling.type");
  const GgufWriter linear = llama_keys().text("llama.rope.scaling.type", "linear");
  CHECK(refused_config(GgufWriter(linear).fraction("llama.rope.scaling.factor", -2)).field ==
        "llama.rope.scaling.factor");
  CHECK(refused_config(GgufWriter(linear).fraction("llama.rope.scaling.factor", 0.5F)).field ==
        "llama.rope.scaling.factor");
  CHECK(refused_config(llama_keys().number("llama.rope.dimension_count", 2)).field ==
        "llama.rope.dimension_count");
  CHECK(refused_config(llama_keys().number("llama.attention.head_count_kv", 3)).code ==
        ErrorCode::shape_mismatch);
}

TEST_CASE("tensors of a GGUF file: names, shapes, formats and places are checked") {
  const auto refused = [](const GgufWriter& file, std::size_t data) {
    std::string bytes = file.bytes();
    pad(bytes);
    return error_of(load_gguf(bytes + std::string(data, '\0'))).message;
  };
  CHECK(refused(llama_keys().tensor("blk.0.what.weight", {8}, 0), 32).contains("blk.0.what"));
  CHECK(refused(llama_keys().tensor("blk.1.attn_norm.weight", {8}, 0), 32).contains("1 layers"));
  CHECK(refused(llama_keys().tensor("blk.00.attn_norm.weight", {8}, 0), 32).contains("no part"));
  CHECK(refused(llama_keys().tensor("rope_freqs.weight", {4}, 0), 32).contains("rope_freqs"));
  CHECK(refused(llama_keys().tensor("blk.0.attn_norm.weight", {9}, 0), 64).contains("shape 9"));
  CHECK(refused(llama_keys().tensor("token_embd.weight", {8, 0}, 0), 32).contains("rows"));
  CHECK(refused(llama_keys().tensor("blk.0.attn_q.weight", {8, 8}, 24), 64).contains("type 24"));
  CHECK(refused(llama_keys().tensor("blk.0.attn_q.weight", {8, 4}, 0), 512).contains("4 x 8"));
  CHECK(refused(llama_keys()
                    .tensor("blk.0.attn_norm.weight", {8}, 0)
                    .tensor("blk.0.attn_norm.weight", {8}, 0, 32),
                64)
            .contains("twice"));
  CHECK(refused(llama_keys()
                    .tensor("blk.0.attn_norm.weight", {8}, 0)
                    .tensor("blk.0.ffn_norm.weight", {8}, 0),
                64)
            .contains("within another"));
  CHECK(refused(llama_keys().tensor("blk.0.attn_norm.weight", {8}, 0, 64), 64).contains("behind"));
  CHECK(refused(llama_keys().tensor("blk.0.attn_norm.weight", {8}, 0, ~std::uint64_t{31}), 64)
            .contains("2^53"));
}

TEST_CASE("a safetensors header: what is read of it") {
  const std::string file = safetensors(
      R"({"b":{"dtype":"BF16","shape":[3],"data_offsets":[8,14]},"__metadata__":{"x":"y"},)"
      R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"n":{"dtype":"I64","shape":[],"data_offsets":[14,22]}})",
      22);
  const SafetensorsHeader header = value_of(read_safetensors(bytes_of(file), file.size()));
  REQUIRE(header.tensors.size() == 3);
  CHECK(header.tensors[0].name == "b");
  CHECK(header.tensors[0].format == WeightFormat::bf16);
  CHECK(header.tensors[0].begin == file.size() - 14);
  CHECK(header.tensors[1].sizes == std::vector<std::uint64_t>{1, 2});
  CHECK_FALSE(header.tensors[2].format);
  CHECK(header.tensors[2].format_name == "I64");
  CHECK(value_of(read_safetensors(bytes_of(file).first(5), file.size())).needed == 8);
  CHECK(value_of(read_safetensors(bytes_of(file).first(9), file.size())).needed ==
        file.size() - 22);
}

TEST_CASE("a safetensors header: every kind of damage is refused") {
  const auto message = [](std::string_view header, std::size_t data = 8) {
    return refused_safetensors(header, data).message;
  };
  CHECK(message("[]").contains("{"));
  CHECK(message("{} x").contains("Line 1"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,9]}})", 9).contains("fit"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})").contains("order"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})").contains("behind"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[2]}})").contains("data_offsets"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})").contains("whole"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[1e3],"data_offsets":[0,8]}})").contains("whole"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})")
            .contains("2^53"));
  CHECK(message(R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]}})")
            .contains("more numbers"));
  CHECK(message(R"({"":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})").contains("name"));
  CHECK(message("{\"" + std::string(2000, 'a') +
                "\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}")
            .contains("1024"));
  const std::string one = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(message("{" + one + "," + one + "}").contains("twice"));
  CHECK(message("{" + one + "," + replaced(one, "a", "b") + "}").contains("within another"));
  CHECK(message("{" + std::string(100'000, '[') + "}").contains("Line 1"));
  // A length that would be a header of its own size, or larger than memory.
  std::string length;
  GgufWriter::little(length, ~std::uint64_t{0}, 8);
  CHECK(error_of(read_safetensors(bytes_of(length), 1000)).field == "file");
  length.clear();
  GgufWriter::little(length, 993, 8);
  CHECK(error_of(read_safetensors(bytes_of(length), 1000)).field == "file");
}

TEST_CASE("safetensors in several files, and the index that names them") {
  CHECK(
      value_of(files_of_safetensors_index(
          R"({"metadata":{"total_size":9},"weight_map":{"a":"m-2.safetensors","b":"m-1.safetensors","c":"m-2.safetensors"}})")) ==
      std::vector<std::string>{"m-1.safetensors", "m-2.safetensors"});
  for (const char* const name : {"../x", "a/b", "", ".hidden", "http:x", "a b", "\\u0000"}) {
    CHECK(
        error_of(files_of_safetensors_index(std::string(R"({"weight_map":{"a":")") + name + "\"}}"))
            .field == "index");
  }
  CHECK(error_of(files_of_safetensors_index(R"({"weight_map":{}})")).field == "index");
  CHECK(error_of(files_of_safetensors_index("{}")).field == "index");
  CHECK(error_of(files_of_safetensors_index("no")).field == "index");
}

TEST_CASE("safetensors: a tensor that is missing, of another model or of another format is named") {
  const TinyModel model = some_tiny_model(Architecture::llama, FileForm::safetensors);
  const std::string file = tiny_safetensors(model)[0];
  const auto refused = [&](const std::string& given, const std::string& config) {
    auto loader = value_of(ModelLoader::of_safetensors(config, {given.size()}));
    return error_of(load(loader, {given})).message;
  };
  const std::string config = tiny_config(model.config);
  CHECK(refused(replaced(file, "model.norm.weight", "model.nrom.weight"), config).contains("nrom"));
  CHECK(refused(replaced(file, "\"F32\"", "\"I32\""), config).contains("I32"));
  const std::string deeper = replaced(config, "\"num_hidden_layers\":2", "\"num_hidden_layers\":3");
  CHECK(refused(file, deeper).contains("model.layers.2.input_layernorm.weight is missing"));
  const std::string wider =
      replaced(config, "\"intermediate_size\":20", "\"intermediate_size\":21");
  CHECK(refused(file, wider).contains("21 x 24"));
}

TEST_CASE("turns are divided by numbers above 0 alone") {
  TinyModel model = some_tiny_model(Architecture::llama);
  model.divisors = {1, 2, 3};
  CHECK(load(model));
  for (const float bad : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    model.divisors[1] = bad;
    CHECK(error_of(load(model)).message.contains("above 0"));
  }
}

TEST_CASE("config.json: how turns are scaled, in the words of old files and of new ones") {
  const std::string config =
      tiny_config(some_tiny_model(Architecture::llama, FileForm::safetensors).config);
  const auto read = [&](std::string_view to) {
    return model_config_of_json(replaced(config, "\"rope_scaling\":null", to));
  };
  const auto linear = value_of(read(R"("rope_scaling":{"type":"linear","factor":2.5})"));
  const std::vector<double> plain = rotary_frequencies_of(value_of(read(R"("rope_scaling":null)")));
  CHECK(rotary_frequencies_of(linear)[1] == plain[1] / 2.5);
  const auto llama3 =
      value_of(read(R"("rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,)"
                    R"("high_freq_factor":4.0,"original_max_position_embeddings":64})"));
  // 64 tokens are ten turns of the first pair, and not one of the third.
  CHECK(rotary_frequencies_of(llama3)[0] == plain[0]);
  CHECK(rotary_frequencies_of(llama3)[2] == plain[2] / 8);
  const auto newer =
      value_of(read(R"("rope_parameters":{"rope_type":"default","rope_theta":500000.0})"));
  CHECK(newer.rope_base == 500'000);
  CHECK(newer.rope_scaling == RotaryScaling::none);
  for (const auto& [to, field] : {
           std::pair{R"("rope_scaling":{"rope_type":"yarn","factor":4})", "rope_scaling"},
           {R"("rope_scaling":{"rope_type":"linear"})", "rope_scaling.factor"},
           {R"("rope_scaling":{"rope_type":"linear","factor":1e9})", "rope_scaling"},
           {R"("rope_scaling":{"rope_type":"llama3","factor":8})", "rope_scaling.low_freq_factor"},
           {R"("rope_scaling":[2])", "rope_scaling"},
           {R"("rope_parameters":{"rope_type":"longrope"})", "rope_parameters"},
           {R"("rope_scaling":{"factor":2,"factor":2})", "config"},
       }) {
    CHECK(error_of(read(to)).field == field);
  }
}

TEST_CASE("config.json: what is missing, wrong or not done here is named") {
  const std::string config =
      tiny_config(some_tiny_model(Architecture::llama, FileForm::safetensors).config);
  CHECK(model_config_of_json(config));
  const auto refused = [&](std::string_view from, std::string_view to) {
    return error_of(model_config_of_json(replaced(config, from, to)));
  };
  CHECK(refused("\"llama\"", "\"mistral\"").message.contains("mistral"));
  CHECK(refused("\"hidden_size\":24", "\"hidden_size\":-24").field == "hidden_size");
  CHECK(refused("\"hidden_size\":24", "\"hidden_size\":25").code == ErrorCode::shape_mismatch);
  CHECK(refused("\"hidden_size\":24", "\"hidden_size\":99999999").code == ErrorCode::too_large);
  CHECK(refused("\"rope_scaling\":null", "\"rope_scaling\":{\"rope_type\":\"dynamic\"}").field ==
        "rope_scaling");
  CHECK(refused("\"silu\"", "\"gelu\"").field == "hidden_act");
  CHECK(refused("\"rms_norm_eps\":1e-05", "\"rms_norm_eps\":-1").field == "rms_norm_eps");
  CHECK(refused("{", "{\"hidden_size\":24,").field == "config");
  CHECK(error_of(model_config_of_json("[]")).field == "config");
}
