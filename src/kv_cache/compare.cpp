#include "kv_cache/compare.hpp"

#include "core/exact.hpp"
#include "core/limits.hpp"
#include "kv_cache/bill.hpp"

namespace attn {

Expected<CacheModel> with_kv_heads(const CacheModel& model, std::uint64_t n_kv_heads) {
  if (model.latent_rank != 0) {
    return fail(ErrorCode::bad_argument, "latent_rank",
                {"latent_rank must be 0: a latent takes the place of the heads of K and V."});
  }
  const auto before = key_value_parameters(model);
  ATTN_CHECK(before);
  CacheModel made = model;
  made.n_kv_heads = n_kv_heads;
  const auto after = key_value_parameters(made);
  ATTN_CHECK(after);
  for (std::uint64_t* weights : {&made.parameters, &made.active_parameters}) {
    ATTN_CHECK(check_count("parameters", *weights, *before + 1, max_exact_count));
    *weights = *weights - *before + *after;
    ATTN_CHECK(check_count("parameters", *weights, 1, max_exact_count));
  }
  return made;
}

Expected<PromptGrowth> prompt_growth(const CacheModel& model, std::uint64_t tokens,
                                     std::uint64_t against) {
  ATTN_CHECK(check_count("tokens", tokens, 1, max_exact_count));
  ATTN_CHECK(check_count("against", against, 1, max_exact_count));
  const auto work = prefill_work(model, tokens);
  ATTN_CHECK(work);
  const auto other = prefill_work(model, against);
  ATTN_CHECK(other);
  PromptGrowth growth;
  growth.tokens = as_double(tokens) / as_double(against);
  growth.all_pairs = growth.tokens * growth.tokens;
  growth.linear = work->linear_flops / other->linear_flops;
  growth.attention =
      other->attention_flops == 0 ? 1 : work->attention_flops / other->attention_flops;
  growth.total =
      (work->linear_flops + work->attention_flops) / (other->linear_flops + other->attention_flops);
  return growth;
}

Expected<TokenPasses> token_passes(std::uint64_t n) {
  ATTN_CHECK(check_count("n", n, 1, max_exact_count));
  // One of the two is even.
  const std::uint64_t half = n % 2 == 0 ? n / 2 : (n + 1) / 2;
  const std::uint64_t rest = n % 2 == 0 ? n + 1 : n;
  const auto without = checked_product("n", {half, rest});
  ATTN_CHECK(without);
  return TokenPasses{
      .with_cache = n, .without_cache = *without, .ratio = as_double(*without) / as_double(n)};
}

Expected<ByteUnits> in_units(std::uint64_t bytes) {
  ATTN_CHECK(check_count("bytes", bytes, 0, max_exact_count));
  const double all = as_double(bytes);
  return ByteUnits{.kB = all / 1e3,
                   .MB = all / 1e6,
                   .GB = all / 1e9,
                   .KiB = all / 1024,
                   .MiB = all / (1024.0 * 1024),
                   .GiB = all / (1024.0 * 1024 * 1024)};
}

}  // namespace attn
