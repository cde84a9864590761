#include "kv_cache/gguf_header.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cache_bytes.hpp"
#include "gguf_writer.hpp"
#include "kv_cache/published_models.hpp"
#include "sound_model.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

using Gguf = GgufWriter;

std::span<const std::uint8_t> span_of(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

ReadModel read(const Gguf& file) { return value_of(read_gguf_header(span_of(file.bytes()))); }

Error refused(const Gguf& file) {
  const std::string bytes = file.bytes();
  return error_of(read_gguf_header(span_of(bytes)));
}

bool is_missing(const ReadModel& read, std::string_view field) {
  return std::ranges::count(read.missing, field) > 0;
}

Gguf llama(std::uint32_t version = 3) {
  Gguf file(version);
  file.text("general.architecture", "llama")
      .text("general.name", "a name that nobody asks for")
      .number("llama.block_count", 32)
      .number("llama.context_length", 8192)
      .number("llama.embedding_length", 4096)
      .number("llama.attention.head_count", 32)
      .number("llama.attention.head_count_kv", 8)
      .texts("tokenizer.ggml.tokens", 100);
  return file;
}

/// What the keys of a hybrid have in common.
Gguf base(std::string_view name, std::uint32_t layers, std::uint32_t width, std::uint32_t heads) {
  const std::string prefix(name);
  Gguf file;
  file.text("general.architecture", name)
      .number(prefix + ".block_count", layers)
      .number(prefix + ".context_length", 131072)
      .number(prefix + ".embedding_length", width)
      .number(prefix + ".attention.head_count", heads);
  return file;
}

}  // namespace

TEST_CASE("a GGUF header is read by its keys", "[cache][gguf]") {
  for (const std::uint32_t version : {2U, 3U}) {
    const ReadModel made = read(llama(version));
    CHECK(made.architecture == "llama");
    CacheModel model = made.model;
    // 2 * 32 * 8 * 128 * 2
    CHECK(bytes_per_token(model) == 131'072);
    const CacheModel table = value_of(published_model("model", "llama-3-8b")).model;
    model.parameters = table.parameters;
    model.active_parameters = table.active_parameters;
    CHECK(model == table);
    CHECK(is_missing(made, "parameters"));
  }
  // Any prefix will do: it is no name that is known.
  Gguf other = base("a-model", 2, 64, 4);
  CHECK(read(other).model.n_kv_heads == 4);
  CHECK(read(other).notes.front().contains("multi-head attention"));
  // The values of other prefixes do not count.
  other.number("clip.vision.block_count", 99);
  CHECK(read(other).model.n_layers == 2);
  // Other sizes of numbers.
  Gguf sizes;
  sizes.text("general.architecture", "x")
      .put("x.block_count", 0, 3, 1)
      .put("x.embedding_length", 2, 640, 2)
      .put("x.attention.head_count", 11, 10, 8)
      .put("x.attention.head_count_kv", 10, 5, 8)
      .put("x.attention.key_length", 5, 128, 4)
      .put("x.attention.value_length", 3, 96, 2);
  CHECK(read(sizes).model.d_k == 128);
  CHECK(read(sizes).model.d_v == 96);
  CHECK(read(sizes).model.n_kv_heads == 5);
  CHECK(is_missing(read(sizes), "max_tokens"));
}

TEST_CASE("windows, latent vectors and states in a GGUF header", "[cache][gguf]") {
  Gguf gemma = base("gemma3", 62, 5376, 32);
  gemma.number("gemma3.attention.head_count_kv", 16)
      .number("gemma3.attention.key_length", 128)
      .number("gemma3.attention.value_length", 128)
      .number("gemma3.attention.sliding_window", 1024);
  // Files of this architecture leave the pattern to their reader.
  ReadModel made = read(gemma);
  CHECK(made.model.full_layers == 10);
  CHECK(made.model.local_layers == 52);
  gemma.number("gemma3.attention.sliding_window_pattern", 6);
  made = read(gemma);
  CHECK(made.model.full_layers == 10);
  CHECK(made.model.local_layers == 52);
  CHECK(bytes_of(made.model, 131'072) == 11'173'625'856);

  Gguf unknown = base("unheard", 62, 5376, 32);
  unknown.number("unheard.attention.key_length", 128)
      .number("unheard.attention.value_length", 128)
      .number("unheard.attention.sliding_window", 1024);
  made = read(unknown);
  CHECK(is_missing(made, "full_layers"));
  CHECK(is_missing(made, "local_layers"));
  CHECK(made.model.window == 1024);

  Gguf bools = base("g", 5, 64, 4);
  bools.numbers("g.attention.head_count_kv", {1, 2, 2, 2, 1})
      .number("g.attention.sliding_window", 16)
      .numbers("g.attention.sliding_window_pattern", {0, 1, 1, 1, 0}, 7)
      .number("g.attention.key_length", 32)
      .number("g.attention.value_length", 32)
      .number("g.attention.key_length_swa", 16)
      .number("g.attention.value_length_swa", 16)
      .number("g.attention.shared_kv_layers", 2);
  made = read(bools);
  CHECK(made.model.local_layers == 3);
  CHECK(made.model.local_n_kv_heads == 2);
  CHECK(made.model.n_kv_heads == 1);
  CHECK(made.model.local_sharing == 1);
  CHECK(made.model.full_sharing == 1);
  // 2 * (1 * 1 * 64 + 2 * 2 * 32)
  CHECK(bytes_per_token(made.model) == 384);
}

TEST_CASE("latent vectors and states in a GGUF header", "[cache][gguf]") {
  Gguf deepseek = base("deepseek2", 62, 7168, 128);
  deepseek.number("deepseek2.attention.head_count_kv", 1)
      .number("deepseek2.nextn_predict_layers", 1)
      .number("deepseek2.attention.key_length", 576)
      .number("deepseek2.attention.value_length", 512)
      .number("deepseek2.attention.key_length_mla", 192)
      .number("deepseek2.attention.value_length_mla", 128)
      .number("deepseek2.attention.kv_lora_rank", 512)
      .number("deepseek2.rope.dimension_count", 64);
  ReadModel made = read(deepseek);
  CHECK(made.model.n_layers == 61);
  CHECK(made.model.d_k == 192);
  // (512 + 64) * 61 * 2
  CHECK(bytes_per_token(made.model) == 70'272);
  CHECK(made.model.index_top_k == 0);
  deepseek.number("deepseek2.attention.indexer.top_k", 2048);
  CHECK(is_missing(read(deepseek), "index_width"));
  deepseek.number("deepseek2.attention.indexer.key_length", 128);
  made = read(deepseek);
  CHECK(made.missing == std::vector<std::string>{"parameters", "active_parameters"});
  CHECK(made.model.index_width == 128);
  CHECK(made.model.index_top_k == 2048);

  Gguf mamba = base("mamba", 64, 2560, 0);
  mamba.number("mamba.ssm.conv_kernel", 4)
      .number("mamba.ssm.inner_size", 5120)
      .number("mamba.ssm.state_size", 16)
      .number("mamba.ssm.time_step_rank", 160);
  made = read(mamba);
  CHECK(made.model.state_layers == 64);
  CHECK(made.model.full_layers == 0);
  CHECK(bytes_of(made.model, 1) == 12'451'840);

  Gguf jamba = base("jamba", 8, 4096, 32);
  jamba.numbers("jamba.attention.head_count_kv", {0, 0, 0, 0, 8, 0, 0, 0})
      .number("jamba.feed_forward_length", 14336)
      .number("jamba.ssm.conv_kernel", 4)
      .number("jamba.ssm.inner_size", 8192)
      .number("jamba.ssm.state_size", 16);
  made = read(jamba);
  CHECK(made.model.full_layers == 1);
  CHECK(made.model.state_layers == 7);
  CHECK(made.model.n_kv_heads == 8);
  CHECK(made.model.state_numbers == 155'648);

  Gguf nemotron = base("nemotron_h", 3, 4096, 32);
  nemotron.numbers("nemotron_h.attention.head_count_kv", {0, 8, 0})
      .numbers("nemotron_h.feed_forward_length", {0, 0, 21504})
      .number("nemotron_h.ssm.conv_kernel", 4)
      .number("nemotron_h.ssm.inner_size", 8192)
      .number("nemotron_h.ssm.state_size", 128)
      .number("nemotron_h.ssm.group_count", 8);
  made = read(nemotron);
  CHECK(made.model.state_layers == 1);
  CHECK(made.model.full_layers == 1);
  CHECK(made.model.state_numbers == 1'079'296);

  Gguf kimi = base("kimi", 4, 2304, 32);
  kimi.numbers("kimi.attention.head_count_kv", {0, 0, 0, 1})
      .number("kimi.attention.kv_lora_rank", 512)
      .number("kimi.attention.key_length_mla", 192)
      .number("kimi.attention.value_length_mla", 128)
      .number("kimi.rope.dimension_count", 64)
      .number("kimi.ssm.conv_kernel", 4)
      .number("kimi.kda.head_dim", 128);
  made = read(kimi);
  CHECK(made.model.full_layers == 1);
  CHECK(made.model.state_layers == 3);
  CHECK(made.model.state_numbers == 561'152);

  Gguf next = base("qwen3next", 48, 2048, 16);
  next.number("qwen3next.attention.head_count_kv", 2)
      .number("qwen3next.attention.key_length", 256)
      .number("qwen3next.attention.value_length", 256)
      .number("qwen3next.full_attention_interval", 4)
      .number("qwen3next.ssm.conv_kernel", 4)
      .number("qwen3next.ssm.inner_size", 4096)
      .number("qwen3next.ssm.state_size", 128)
      .number("qwen3next.ssm.group_count", 16)
      .number("qwen3next.ssm.time_step_rank", 32);
  made = read(next);
  CHECK(bytes_per_token(made.model) == 24'576);
  CHECK(made.model.state_numbers == 548'864);
  CHECK(made.model.state_layers == 36);
}

TEST_CASE("local layers of a model with latents keep keys and values", "[cache][gguf]") {
  Gguf latent = base("x", 4, 64, 4);
  latent.number("x.attention.head_count_kv", 1)
      .number("x.attention.key_length", 24)
      .number("x.attention.value_length", 16)
      .number("x.attention.key_length_mla", 24)
      .number("x.attention.value_length_mla", 20)
      .number("x.attention.kv_lora_rank", 16)
      .number("x.rope.dimension_count", 8)
      .number("x.attention.sliding_window", 512)
      .numbers("x.attention.sliding_window_pattern", {1, 0, 1, 0}, 7);
  ReadModel made = read(latent);
  CHECK(made.missing == std::vector<std::string>{"parameters", "active_parameters"});
  CHECK(made.model.local_layers == 2);
  CHECK(made.model.local_n_kv_heads == 4);
  CHECK(made.model.local_d_k == 24);
  CHECK(made.model.local_d_v == 20);
  // 2 * (2 * (16 + 8) + 2 * 4 * (24 + 20))
  CHECK(bytes_per_token(made.model) == 800);
  latent.number("x.attention.key_length_swa", 32).number("x.attention.value_length_swa", 12);
  made = read(latent);
  CHECK(made.model.local_d_k == 32);
  CHECK(made.model.local_d_v == 12);
}

TEST_CASE("a window that no layer has is none", "[cache][gguf]") {
  // By the pattern of the architecture too: attention and a state stand side by side in each layer.
  Gguf both = base("gpt-oss", 4, 64, 4);
  both.number("gpt-oss.attention.sliding_window", 128)
      .number("gpt-oss.ssm.conv_kernel", 4)
      .number("gpt-oss.ssm.inner_size", 64)
      .number("gpt-oss.ssm.state_size", 16);
  CHECK(read(both).model.window == 0);
  CHECK(read(both).model.full_layers == 4);

  Gguf untold = base("x", 4, 64, 4);
  untold.number("x.attention.sliding_window", 128).number("x.attention.shared_kv_layers", 2);
  CHECK(read(untold).model.window == 128);
  CHECK(is_missing(read(untold), "full_sharing"));
  CHECK(is_missing(read(untold), "local_sharing"));
}

TEST_CASE("a truth value is a number in the pattern of windows alone", "[cache][gguf]") {
  const auto refuse = [](const Gguf& file, std::string_view key) {
    const Error error = refused(file);
    CAPTURE(error.message);
    CHECK(error.code == ErrorCode::bad_argument);
    CHECK(error.field == key);
    CHECK(error.message.contains("is a truth value; it must be a whole number"));
  };
  Gguf layers;
  layers.text("general.architecture", "x").put("x.block_count", 7, 1, 1);
  refuse(layers, "x.block_count");
  for (const std::string key : {"x.attention.head_count_kv", "x.attention.key_length",
                                "x.attention.sliding_window", "x.expert_count"}) {
    refuse(base("x", 2, 64, 4).put(key, 7, 1, 1), key);
    refuse(base("x", 2, 64, 4).numbers(key, {1, 1}, 7), key);
  }
  Gguf told = base("x", 2, 64, 4);
  told.put("x.attention.causal", 7, 1, 1)
      .number("x.attention.sliding_window", 16)
      .put("x.attention.sliding_window_pattern", 7, 1, 1);
  CHECK(read(told).model.local_layers == 2);
}

TEST_CASE("weights are counted from the list of tensors", "[cache][gguf]") {
  Gguf file = llama();
  file.tensor("token_embd.weight", {4096, 128}, 12)  // Q4_K: 144 bytes a 256
      .tensor("blk.0.attn_norm.weight", {4096}, 0)  // F32
      .tensor("blk.0.attn_q.weight", {4096, 4096}, 1, 2048)  // F16
      .tensor("rope_freqs.weight", {64}, 0);
  ReadModel made = read(file);
  // 4,096 * 128 + 4,096 + 4,096 * 4,096; the rotary factors are computed
  CHECK(made.model.parameters == 17'305'600);
  CHECK(made.model.active_parameters == 17'305'600);
  std::string bytes = file.bytes();
  // 524,288 / 256 * 144 + 4,096 * 4 + 16,777,216 * 2 + 64 * 4
  CHECK(value_of(gguf_weight_bytes(span_of(bytes))) == 33'865'984);
  CHECK(gguf_bytes_needed(span_of(bytes)) == 0);

  file.number("llama.expert_count", 8).number("llama.expert_used_count", 2);
  file.tensor("blk.0.ffn_up_exps.weight", {4096, 16, 8}, 1);
  made = read(file);
  CHECK(made.model.parameters == 17'829'888);  // and 4,096 * 16 * 8
  CHECK(made.model.active_parameters == 17'436'672);  // of which a quarter
  file.number("split.count", 2);
  CHECK(is_missing(read(file), "parameters"));

  Gguf unknown = llama();
  unknown.tensor("a", {32}, 77);
  bytes = unknown.bytes();
  CHECK(error_of(gguf_weight_bytes(span_of(bytes))).message.contains("type 77"));
  CHECK(read(unknown).model.parameters == 32);
}

TEST_CASE("a GGUF header cut anywhere says how much more it needs", "[cache][gguf]") {
  Gguf file = llama();
  file.numbers("llama.attention.sliding_window_pattern", std::vector<std::uint32_t>(32, 1), 7);
  const std::string keys = file.bytes();
  file.tensor("token_embd.weight", {4096, 128}, 12).tensor("b", {4096}, 0);
  const std::string whole = file.bytes();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    // In memory of its own, so that the sanitizer sees each byte read beyond it.
    const std::vector<std::uint8_t> cut(whole.begin(), whole.begin() + static_cast<long>(size));
    const std::uint64_t needed = gguf_bytes_needed(cut);
    CAPTURE(size, needed);
    CHECK((size == whole.size() ? needed == 0 : needed > size && needed <= whole.size()));
    const auto made = read_gguf_header(cut);
    if (size >= keys.size()) {
      REQUIRE(made);
      CHECK((made->model.parameters == 0) == (size < whole.size()));
      continue;
    }
    REQUIRE_FALSE(made);
    CHECK(made.error().field == "file");
    CHECK(made.error().message.contains(std::to_string(needed) + " at least"));
  }
}

TEST_CASE("a GGUF header with any byte changed is refused or sound", "[cache][gguf]") {
  Gguf file = llama();
  file.numbers("llama.feed_forward_length", std::vector<std::uint32_t>(32, 1));
  file.tensor("token_embd.weight", {4096, 128}, 12).tensor("b", {4096}, 0);
  const std::string whole = file.bytes();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int byte : {0x00, 0x01, 0x07, 0x08, 0x09, 0x7F, 0x80, 0xFF}) {
      std::vector<std::uint8_t> damaged(whole.begin(), whole.end());
      damaged[i] = static_cast<std::uint8_t>(byte);
      const auto made = read_gguf_header(damaged);
      gguf_bytes_needed(damaged);
      gguf_weight_bytes(damaged);
      if (made) check_sound(*made);
      if (!made) CHECK(made.error().message.ends_with("."));
    }
  }
}

TEST_CASE("what is no sound GGUF file is refused with its reason", "[cache][gguf]") {
  const auto refused_bytes = [](std::string_view bytes, std::string_view part) {
    const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
    const Error error = error_of(read_gguf_header(copy));
    CAPTURE(error.message);
    CHECK(error.field == "file");
    CHECK(error.message.contains(part));
    CHECK(gguf_bytes_needed(copy) == 0);
  };
  refused_bytes("PK\x03\x04", "does not begin with GGUF");
  refused_bytes(
      "GG"
      "M",
      "does not begin with GGUF");
  const std::string whole = llama().bytes();
  std::string bytes = whole;
  bytes.replace(4, 4, std::string("\0\0\0\3", 4));
  refused_bytes(bytes, "big-endian");
  refused_bytes(llama(1).bytes(), "version 1; versions 2 and 3");
  refused_bytes(llama(4).bytes(), "version 4");
  bytes = whole;
  bytes.replace(8, 8, std::string(8, '\xFF'));
  refused_bytes(bytes, "which no model has");
  bytes = whole;
  bytes.replace(24, 8, std::string(8, '\xFF'));
  refused_bytes(bytes, "A key would be 18446744073709551615 bytes long");

  const auto refused_file = [&](const Gguf& file, std::string_view part) {
    refused_bytes(file.bytes(), part);
  };
  const auto array = [](std::uint32_t type, std::uint64_t count) {
    std::string head;
    Gguf::little(head, type, 4);
    Gguf::little(head, count, 8);
    return head;
  };
  refused_file(llama().put("a", 13, 0, 8), "type 13");
  refused_file(llama().raw("a", 9, array(99, 1)), "type 99");
  refused_file(llama().raw("a", 9, array(8, std::uint64_t{1} << 60)), "An array would have");
  refused_file(
      llama().raw("a", 9, array(9, 1) + array(9, 1) + array(9, 1) + array(9, 1) + array(9, 1)),
      "deep");
  std::string text_head;
  Gguf::little(text_head, std::uint64_t{1} << 40, 8);
  refused_file(llama().raw("a", 8, text_head), "A text would be");
  refused_file(llama().put("", 4, 1, 4), "A key is empty");
  refused_file(llama().put("\xFF", 4, 1, 4), "no UTF-8");
  refused_file(llama().tensor("t", {1, 1, 1, 1, 1}, 0), "5 dimensions");
  refused_file(llama().tensor("t", {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, 0), "2^53");
  refused_file(llama().tensor("t", {100}, 2), "blocks of 32");
  refused_file(llama().tensor("t", {32}, 0, 8), "multiple of 32");
  refused_file(llama().tensor(std::string(2000, 'a'), {32}, 0), "A tensor's name");
  Gguf many = llama();
  for (int i = 0; i < 300; ++i) many.number("m" + std::to_string(i) + ".block_count", 1);
  refused_file(many, "more than 256");
}

TEST_CASE("a GGUF value that cannot be is refused by its key", "[cache][gguf]") {
  const auto check = [](const Gguf& file, ErrorCode code, std::string_view field,
                        std::string_view part) {
    const Error error = refused(file);
    CAPTURE(error.message);
    CHECK(error.code == code);
    CHECK(error.field == field);
    CHECK(error.message.contains(part));
  };
  Gguf none;
  none.number("llama.block_count", 1);
  check(none, ErrorCode::bad_argument, "general.architecture", "general.architecture");
  Gguf no_layers;
  no_layers.text("general.architecture", "x");
  check(no_layers, ErrorCode::bad_argument, "x.block_count", "the number of layers");
  check(base("x", 0, 64, 4), ErrorCode::out_of_range, "x.block_count", "at least 1");
  check(base("x", 20'000, 64, 4), ErrorCode::too_large, "x.block_count", "at most 10000");
  check(base("x", 2, 66, 4), ErrorCode::shape_mismatch, "x.attention.key_length", "66 columns");
  check(base("x", 2, 64, 4).number("x.attention.head_count_kv", 3), ErrorCode::shape_mismatch,
        "x.attention.head_count_kv", "must divide");
  check(base("x", 2, 64, 4).put("x.attention.causal", 7, 0, 1), ErrorCode::bad_argument,
        "x.attention.causal", "keeps no cache");
  check(base("x", 2, 64, 4).number("x.decoder_start_token_id", 0), ErrorCode::bad_argument,
        "x.decoder_start_token_id", "second cache");
  check(base("x", 2, 64, 0).number("x.wkv.head_size", 64), ErrorCode::bad_argument,
        "x.wkv.head_size", "not priced");
  Gguf shared = base("x", 4, 64, 4);
  shared.number("x.attention.sliding_window", 16)
      .numbers("x.attention.sliding_window_pattern", {1, 1, 1, 0}, 7)
      .number("x.attention.shared_kv_layers", 1);
  check(shared, ErrorCode::shape_mismatch, "x.attention.shared_kv_layers", "leaves no layer");
  check(base("x", 2, 64, 4).numbers("x.attention.head_count_kv", {2}), ErrorCode::shape_mismatch,
        "x.attention.head_count_kv", "one for each");
  check(base("x", 2, 64, 4).numbers("x.attention.head_count_kv", {2, 4}), ErrorCode::bad_argument,
        "x.attention.head_count_kv", "between layers of one kind");
  check(base("x", 2, 64, 4).text("x.attention.head_count_kv", "8"), ErrorCode::bad_argument,
        "x.attention.head_count_kv", "is a text");
  check(base("x", 2, 64, 4).put("x.attention.key_length", 6, 0x42000000, 4),
        ErrorCode::bad_argument, "x.attention.key_length", "is a fraction");
  check(base("x", 2, 64, 4).put("x.attention.key_length", 5, 0xFFFFFFFF, 4),
        ErrorCode::out_of_range, "x.attention.key_length", "negative");
  check(base("x", 2, 64, 4).number("x.block_count", 3), ErrorCode::bad_argument, "x.block_count",
        "stands twice");
  check(base("x", 2, 64, 4).put("x.attention.sliding_window_pattern", 7, 2, 1),
        ErrorCode::bad_argument, "file", "truth value is 2");
  check(base("x", 2, 64, 4).number("x.attention.shared_kv_layers", 2), ErrorCode::shape_mismatch,
        "x.attention.shared_kv_layers", "below the number of layers");
  check(base("x", 2, 64, 4).number("general.alignment", 3), ErrorCode::bad_argument,
        "general.alignment", "power of two");
  check(base("x", 2, 64, 4).texts("x.attention.head_count_kv", 2), ErrorCode::bad_argument,
        "x.attention.head_count_kv", "an array of them");
  check(
      base("x", 2, 64, 4).numbers("x.attention.head_count_kv", std::vector<std::uint32_t>(20'000)),
      ErrorCode::bad_argument, "x.attention.head_count_kv", "more than a model has layers");
  check(base("x", 2, 64, 4).numbers("x.attention.key_length", {1, 2}), ErrorCode::bad_argument,
        "x.attention.key_length", "differs from layer to layer");
}
