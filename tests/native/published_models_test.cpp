#include "kv_cache/published_models.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "cache_bytes.hpp"
#include "core/limits.hpp"
#include "kv_cache/accelerators.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("every published model costs what its fields multiply to", "[cache][models]") {
  struct Row {
    std::string_view id;
    std::uint64_t per_token;    // 16-bit numbers, while no window is full
    std::uint64_t at_32k;       // 32,768 tokens of one sequence
  };
  const Row rows[] = {
      {"llama-3-8b", 131'072, 4'294'967'296},      // 2 * 32 * 8 * 128 * 2
      {"llama-3-70b", 327'680, 10'737'418'240},    // 2 * 80 * 8 * 128 * 2
      {"llama-3.1-405b", 516'096, 16'911'433'728}, // 2 * 126 * 8 * 128 * 2
      {"llama-3.2-1b", 32'768, 1'073'741'824},     // 2 * 16 * 8 * 64 * 2
      {"llama-2-7b", 524'288, 17'179'869'184},     // 2 * 32 * 32 * 128 * 2
      {"llama-2-70b", 327'680, 10'737'418'240},    // 2 * 80 * 8 * 128 * 2
      // 2 * 48 * 8 * 128 * 2; 4,096 * (12 * 32,768 + 36 * 8,192)
      {"llama-4-scout", 196'608, 2'818'572'288},
      // 2 * 32 * 8 * 128 * 2, of 4,096 tokens
      {"mistral-7b-v0.1", 131'072, 536'870'912},
      {"mistral-nemo", 163'840, 5'368'709'120},       // 2 * 40 * 8 * 128 * 2
      {"mistral-small-24b", 163'840, 5'368'709'120},  // 2 * 40 * 8 * 128 * 2
      {"mixtral-8x7b", 131'072, 4'294'967'296},       // 2 * 32 * 8 * 128 * 2
      {"qwen2.5-7b", 57'344, 1'879'048'192},          // 2 * 28 * 4 * 128 * 2
      {"qwen3-4b", 147'456, 4'831'838'208},           // 2 * 36 * 8 * 128 * 2
      {"qwen3-32b", 262'144, 8'589'934'592},          // 2 * 64 * 8 * 128 * 2
      {"qwen3-235b-a22b", 192'512, 6'308'233'216},    // 2 * 94 * 4 * 128 * 2
      // 2 * 12 * 2 * 256 * 2; 36 * 548,864 * 2 beside
      {"qwen3-next-80b-a3b", 24'576, 844'824'576},
      // 2 * 42 * 8 * 256 * 2; 8,192 * 21 * (32,768 + 4,096)
      {"gemma-2-9b", 344'064, 6'341'787'648},
      // 2 * 62 * 16 * 128 * 2; 8,192 * (10 * 32,768 + 52 * 1,024)
      {"gemma-3-27b", 507'904, 3'120'562'176},
      // 2 * 24 * 8 * 64 * 2; 2,048 * 12 * (32,768 + 128)
      {"gpt-oss-20b", 49'152, 808'452'096},
      // 2 * 36 * 8 * 64 * 2; 2,048 * 18 * (32,768 + 128)
      {"gpt-oss-120b", 73'728, 1'212'678'144},
      {"deepseek-v2", 69'120, 2'264'924'160},    // (512 + 64) * 60 * 2
      {"deepseek-v3", 70'272, 2'302'672'896},    // (512 + 64) * 61 * 2
      {"deepseek-v3.2", 85'888, 2'814'377'984},  // (512 + 64 + 128) * 61 * 2
      {"kimi-k2", 70'272, 2'302'672'896},        // (512 + 64) * 61 * 2
      {"glm-4.5", 376'832, 12'348'030'976},      // 2 * 92 * 8 * 128 * 2
      {"hunyuan-large", 81'920, 2'684'354'560},  // 2 * 64 / 2 * 8 * 80 * 2
      // 2 * 32 * 32 * 96 * 2, of 2,047 tokens
      {"phi-3-mini-4k", 393'216, 804'913'152},
      // 2 * 4 * 8 * 128 * 2; 28 * 155,648 * 2 beside
      {"jamba-v0.1", 16'384, 545'587'200},
      // 2 * 4 * 8 * 128 * 2; 24 * 1,079,296 * 2 beside
      {"nemotron-h-8b", 16'384, 588'677'120},
      // nothing a token; 64 * 97,280 * 2
      {"mamba-2.8b", 0, 12'451'840},
      {"falcon-7b", 8'192, 268'435'456},          // 2 * 32 * 1 * 64 * 2
      {"falcon-40b", 122'880, 4'026'531'840},     // 2 * 60 * 8 * 64 * 2
      {"bloom", 4'014'080, 131'533'373'440},      // 2 * 70 * 112 * 128 * 2
      {"gpt-3-175b", 4'718'592, 154'618'822'656}, // 2 * 96 * 96 * 128 * 2
      {"gpt2", 36'864, 1'207'959'552},            // 2 * 12 * 12 * 64 * 2
      {"smollm2-135m", 23'040, 754'974'720},      // 2 * 30 * 3 * 64 * 2
  };
  CHECK(std::size(rows) == published_models().size());
  for (const Row& row : rows) {
    CAPTURE(row.id);
    const CacheModel model = value_of(published_model("model", row.id)).model;
    CHECK(bytes_per_token(model) == row.per_token);
    CHECK(bytes_of(model, 32'768) == row.at_32k);
  }
}

TEST_CASE("the tables are complete and sound", "[cache][models]") {
  CHECK(published_models().size() >= 28);
  std::set<std::string_view> ids;
  for (const PublishedModel& row : published_models()) {
    CAPTURE(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK(check_cache_model(row.model));
    CHECK_FALSE(row.name.empty());
    CHECK((row.source.starts_with("https://huggingface.co/") || row.source.contains("arXiv:")));
    CHECK(row.model.parameters > 0);
    CHECK(row.model.active_parameters > 0);
    CHECK((row.model.max_tokens > 0 || row.model.full_layers == 0));
    CHECK((row.model.index_width > 0) == (row.model.index_top_k > 0));
  }
  CHECK(accelerators().size() >= 12);
  CHECK(accelerators()[0].memory_bytes == 80'000'000'000);
  for (const PublishedAccelerator& row : accelerators()) {
    CAPTURE(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK_FALSE(row.name.empty());
    CHECK_FALSE(row.source.empty());
    CHECK(row.memory_bytes % 1'000'000'000 == 0);
    CHECK(row.memory_bytes <= max_exact_count);
    CHECK(row.flops_s <= max_exact_count);
    // An operation costs less than a byte moved, by a factor that has stayed within these.
    CHECK(row.flops_s / row.bandwidth_bytes_s >= 70);
    CHECK(row.flops_s / row.bandwidth_bytes_s <= 500);
  }
  CHECK(error_of(published_model("model", "gpt-9")).field == "model");
  CHECK(error_of(accelerator("chip", "abacus")).field == "chip");
  CHECK(value_of(accelerator("chip", "h200")).bandwidth_bytes_s == 4'800'000'000'000);
}

TEST_CASE("the lecture's models", "[cache][models]") {
  const CacheModel llama = value_of(published_model("model", "llama-3-8b")).model;
  // 8 requests of 32,768 tokens beside 16 GB of weights fit in 80 GB.
  CHECK(8 * bytes_of(llama, 32'768) == 34'359'738'368);
  CHECK(2 * llama.parameters == 16'060'522'496);
  CacheModel mha = llama;
  mha.n_kv_heads = mha.n_heads;
  CHECK(8 * bytes_of(mha, 32'768) == 137'438'953'472);
}

TEST_CASE("a model whose counts contradict each other is refused", "[cache][models]") {
  const CacheModel sound = value_of(published_model("model", "gpt-oss-20b")).model;
  const auto check = [&](auto change, ErrorCode code, std::string_view field) {
    CacheModel model = sound;
    change(model);
    const Error error = error_of(check_cache_model(model));
    CAPTURE(field, error.message);
    CHECK(error.code == code);
    CHECK(error.field == field);
    CHECK(error.message.contains(field));
  };
  using M = CacheModel&;
  const ErrorCode mismatch = ErrorCode::shape_mismatch;
  check([](M m) { m.n_layers = 0; }, ErrorCode::out_of_range, "n_layers");
  check([](M m) { m.n_layers = 10'001; }, ErrorCode::too_large, "n_layers");
  check([](M m) { m.n_layers = 23; }, mismatch, "local_layers");
  check([](M m) { m.full_layers = 25; }, ErrorCode::too_large, "full_layers");
  check([](M m) { m.n_heads = 0; }, ErrorCode::out_of_range, "n_heads");
  check([](M m) { m.n_kv_heads = 0; }, ErrorCode::out_of_range, "n_kv_heads");
  check([](M m) { m.n_kv_heads = 7; }, mismatch, "n_kv_heads");
  check([](M m) { m.local_n_kv_heads = 128; }, mismatch, "local_n_kv_heads");
  check([](M m) { m.d_k = 0; }, ErrorCode::out_of_range, "d_k");
  check([](M m) { m.d_v = max_exact_count; }, ErrorCode::too_large, "d_v");
  check([](M m) { m.local_d_v = 0; }, ErrorCode::out_of_range, "local_d_v");
  check([](M m) { m.window = 0; }, mismatch, "window");
  check([](M m) { m.local_layers = 0; }, mismatch, "local_layers");
  check([](M m) { m.full_sharing = 12; }, mismatch, "full_sharing");
  check([](M m) { m.local_sharing = 13; }, mismatch, "local_sharing");
  check([](M m) { m.state_layers = 1; }, mismatch, "state_numbers");
  check([](M m) { m.state_numbers = 1; }, mismatch, "state_layers");
  check([](M m) { m.rope_width = 64; }, mismatch, "rope_width");
  check([](M m) { m.active_parameters = m.parameters + 1; }, mismatch, "active_parameters");
  check([](M m) { m.parameters = max_exact_count + 1; }, ErrorCode::too_large, "parameters");
  check([](M m) { m.max_tokens = max_exact_count; }, ErrorCode::too_large, "max_tokens");
  const CacheModel mamba = value_of(published_model("model", "mamba-2.8b")).model;
  CacheModel model = mamba;
  model.sinks = 4;
  CHECK(error_of(check_cache_model(model)).field == "sinks");
  model = mamba;
  model.latent_rank = 4;
  CHECK(error_of(check_cache_model(model)).field == "latent_rank");
  model = mamba;
  model.index_width = 4;
  CHECK(error_of(check_cache_model(model)).field == "index_width");
  model = sound;
  model.index_top_k = 4;
  CHECK(error_of(check_cache_model(model)).field == "index_top_k");
  model.index_width = 4;
  CHECK(check_cache_model(model));
  model.index_top_k = max_exact_count;
  CHECK(error_of(check_cache_model(model)).field == "index_top_k");
  model = mamba;
  model.state_layers = model.state_numbers = 0;
  CHECK(error_of(check_cache_model(model)).field == "full_layers");
}
