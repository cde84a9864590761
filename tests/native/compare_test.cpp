#include "kv_cache/compare.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cstdint>

#include "core/limits.hpp"
#include "kv_cache/bill.hpp"
#include "support.hpp"

namespace attn {
namespace {

using Catch::Matchers::WithinRel;
using test::error_of;
using test::value_of;

CacheModel llama_70b() {
  CacheModel model;
  model.n_layers = model.full_layers = 80;
  model.n_heads = 64;
  model.d_model = 8192;
  model.n_kv_heads = 8;
  model.d_k = model.d_v = 128;
  model.parameters = model.active_parameters = 70'553'706'496;
  return model;
}

}  // namespace

TEST_CASE("other KV heads change the weights by those of the projections, and back again") {
  const CacheModel model = llama_70b();
  const std::uint64_t kv = GENERATE(as<std::uint64_t>{}, 1, 2, 4, 8, 16, 32, 64);
  const CacheModel made = value_of(with_kv_heads(model, kv));
  CHECK(made.n_kv_heads == kv);
  CHECK(made.parameters - value_of(key_value_parameters(made)) ==
        model.parameters - value_of(key_value_parameters(model)));
  CHECK(made.active_parameters == made.parameters);
  const CacheModel back = value_of(with_kv_heads(made, 8));
  CHECK(back.parameters == model.parameters);
}

TEST_CASE("with_kv_heads refuses what has no heads to change") {
  CHECK(error_of(with_kv_heads(llama_70b(), 3)).field == "n_kv_heads");
  CHECK(error_of(with_kv_heads(llama_70b(), 0)).field == "n_kv_heads");
  CHECK(error_of(with_kv_heads(with_scheme(llama_70b(), Scheme::mla), 8)).field == "latent_rank");
  CacheModel unknown = llama_70b();
  unknown.d_model = 0;
  CHECK(error_of(with_kv_heads(unknown, 4)).field == "d_model");
  unknown = llama_70b();
  unknown.parameters = unknown.active_parameters = 1000;
  CHECK(error_of(with_kv_heads(unknown, 4)).field == "parameters");
}

TEST_CASE("twice a prompt: twice the linear work, nearly four times the attention") {
  const std::uint64_t n = GENERATE(as<std::uint64_t>{}, 1, 7, 4096, 1'000'000);
  const PromptGrowth growth = value_of(prompt_growth(llama_70b(), 2 * n, n));
  CHECK(growth.tokens == 2);
  CHECK(growth.all_pairs == 4);
  CHECK(growth.linear == 2);
  const auto tokens = static_cast<double>(n);
  // n (n + 1) / 2 pairs
  CHECK_THAT(growth.attention, WithinRel(2 * (2 * tokens + 1) / (tokens + 1), 1e-14));
  CHECK(growth.total > 2);
  CHECK(growth.total < growth.attention);
}

TEST_CASE(
    "a window makes attention linear in the end, and without attention there is nothing to grow") {
  const CacheModel sliding = with_scheme(llama_70b(), Scheme::sliding);
  CHECK_THAT(value_of(prompt_growth(sliding, 1 << 26, 1 << 25)).attention, WithinRel(2.0, 1e-3));
  CacheModel states;
  states.n_layers = states.state_layers = 2;
  states.n_heads = 1;
  states.state_numbers = 10;
  states.parameters = states.active_parameters = 100;
  const PromptGrowth growth = value_of(prompt_growth(states, 30, 10));
  CHECK(growth.attention == 1);
  CHECK(growth.total == 3);
}

TEST_CASE("prompt_growth names what is wrong") {
  CHECK(error_of(prompt_growth(llama_70b(), 0, 1)).field == "tokens");
  CHECK(error_of(prompt_growth(llama_70b(), 1, 0)).field == "against");
  CHECK(error_of(prompt_growth(llama_70b(), max_exact_count + 1, 1)).code == ErrorCode::too_large);
  CacheModel unknown = llama_70b();
  unknown.active_parameters = 0;
  CHECK(error_of(prompt_growth(unknown, 2, 1)).field == "parameters");
}

TEST_CASE("token passes: the sum of the first n numbers, exactly") {
  std::uint64_t sum = 0;
  for (std::uint64_t n = 1; n <= 300; ++n) {
    sum += n;
    const TokenPasses passes = value_of(token_passes(n));
    CHECK(passes.with_cache == n);
    CHECK(passes.without_cache == sum);
  }
  CHECK(error_of(token_passes(0)).field == "n");
  CHECK(value_of(token_passes(100'000'000)).without_cache == 5'000'000'050'000'000);
  CHECK(error_of(token_passes(1'000'000'000)).code == ErrorCode::too_large);
}

TEST_CASE("bytes in units: powers of 1000 beside powers of 1024") {
  const ByteUnits units = value_of(in_units(17'179'869'184));
  CHECK(units.GiB == 16);
  CHECK(units.MiB == 16 * 1024);
  CHECK(units.KiB == 16 * 1024 * 1024);
  CHECK(units.GB == 17.179869184);
  CHECK(units.MB == 17179.869184);
  CHECK(units.kB == 17179869.184);
  CHECK(error_of(in_units(max_exact_count + 1)).field == "bytes");
}

}  // namespace attn
