#include "kv_cache/bill.hpp"

#include <algorithm>
#include <utility>

#include "core/exact.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

/// Where a search for the longest context ends.
constexpr std::uint64_t longest_search = std::uint64_t{1} << 40;

/// The pages, of `page` tokens, that hold the last `window` of n tokens and the first `sinks`.
std::uint64_t pages_of_window(std::uint64_t n, std::uint64_t window, std::uint64_t sinks,
                              std::uint64_t page) {
  if (n <= window) return ceil_div(n, page);
  const std::uint64_t first = (n - window) / page;
  const std::uint64_t last = (n - 1) / page;
  return last - first + 1 + std::min(ceil_div(std::min(sinks, n - window), page), first);
}

/// The most of them at any length up to n: a window that begins inside a page spans one more than one that begins with
/// it, so a longer text may hold less.
std::uint64_t most_pages_of_window(std::uint64_t n, std::uint64_t window, std::uint64_t sinks,
                                   std::uint64_t page) {
  const std::uint64_t now = pages_of_window(n, window, sinks, page);
  if (n <= window) return now;
  // The last length at which the window began with the last token of a page.
  const std::uint64_t into_page = (n - window) % page + 1;
  return n - window < into_page
             ? now
             : std::max(now, pages_of_window(n - into_page, window, sinks, page));
}

Expected<void> check_plan(const CachePlan& plan) {
  const std::pair<std::string_view, std::uint64_t> fields[] = {
      {"tokens", plan.tokens}, {"sequences", plan.sequences}, {"page_tokens", plan.page_tokens}};
  for (const auto& [field, count] : fields) {
    ATTN_CHECK(check_count(field, count, 1, max_exact_count));
  }
  return check_count("reserved_tokens", plan.reserved_tokens, 0, max_exact_count);
}

/// Numbers and bytes of one row of keys or values, for one token.
struct Row {
  std::uint64_t numbers = 0, bytes = 0;
};

Row row(std::string_view field, const NumberFormat& format, std::uint64_t rows, std::uint64_t width,
        Exact& exact) {
  exact.of(field);
  return {exact.product({rows, width}),
          exact.product({rows, exact.take(row_bytes(field, format, width))})};
}

Row both(const Row& a, const Row& b, Exact& exact) {
  return {exact.sum({a.numbers, b.numbers}), exact.sum({a.bytes, b.bytes})};
}

Row full_row(const CacheModel& model, const NumberFormat& format, Exact& exact) {
  const Row kept = model.latent_rank != 0
                       ? both(row("latent_rank", format, 1, model.latent_rank, exact),
                              row("rope_width", format, 1, model.rope_width, exact), exact)
                       : both(row("d_k", format, model.n_kv_heads, model.d_k, exact),
                              row("d_v", format, model.n_kv_heads, model.d_v, exact), exact);
  return both(kept, row("index_width", format, 1, model.index_width, exact), exact);
}

Row local_row(const CacheModel& model, const NumberFormat& format, Exact& exact) {
  return both(row("local_d_k", format, model.local_n_kv_heads, model.local_d_k, exact),
              row("local_d_v", format, model.local_n_kv_heads, model.local_d_v, exact), exact);
}

using CountPages = std::uint64_t (*)(std::uint64_t n, std::uint64_t window, std::uint64_t sinks,
                                     std::uint64_t page);

/// Tokens of n that a layer has room for. `window` is 0 where everything is seen.
std::uint64_t allocated_tokens(std::uint64_t n, std::uint64_t window, std::uint64_t sinks,
                               const CachePlan& plan, Exact& exact,
                               CountPages pages = pages_of_window) {
  const bool rolls = window != 0 && !plan.keeps_whole_windows;
  if (plan.allocation == Allocation::paged) {
    return exact.product(
        {pages(n, rolls ? window : n, rolls ? sinks : 0, plan.page_tokens), plan.page_tokens});
  }
  const std::uint64_t room = std::max(n, plan.reserved_tokens);
  // A ring of the window's size, taken at once as well.
  return rolls ? std::min(room, window + sinks) : room;
}

/// What `layers` of one kind keep of one sequence. `window` is 0 where everything is seen.
LayersBill layers_bill(std::uint64_t layers, std::uint64_t sharing, const Row& kept,
                       std::uint64_t window, std::uint64_t sinks, const CachePlan& plan,
                       Exact& exact) {
  LayersBill bill;
  bill.layers = layers;
  bill.keeping = layers - sharing;
  if (layers == 0) return bill;
  bill.numbers = kept.numbers;
  bill.layer_token_bytes = kept.bytes;
  bill.token_bytes = exact.of("n_layers").product({bill.keeping, kept.bytes});
  exact.of("tokens");
  const std::uint64_t n = plan.tokens;
  const bool whole = window == 0 || n <= window;
  bill.needed_tokens = whole ? n : std::min(n, window + sinks);
  bill.needed_bytes = exact.product({bill.token_bytes, bill.needed_tokens});
  bill.allocated_tokens = allocated_tokens(n, window, sinks, plan, exact);
  if (plan.allocation == Allocation::paged) bill.pages = bill.allocated_tokens / plan.page_tokens;
  bill.allocated_bytes = exact.product({bill.token_bytes, bill.allocated_tokens});
  return bill;
}

/// Of n tokens those whose keys and values a query of a full layer is multiplied with.
std::uint64_t chosen_tokens(const CacheModel& model, std::uint64_t n) {
  return model.index_top_k == 0 ? n : std::min(n, model.index_top_k);
}

std::uint64_t attention_layers(const CacheModel& model) {
  return model.full_layers + model.local_layers;
}

Expected<void> check_roofs(const Accelerator& accelerator) {
  ATTN_CHECK(check_count("bandwidth_bytes_s", accelerator.bandwidth_bytes_s, 1, max_exact_count));
  ATTN_CHECK(check_count("accelerators", accelerator.count, 1, max_exact_count));
  return check_count("flops_s", accelerator.flops_s, 1, max_exact_count);
}

Roofline roofline(double bytes, double flops, const Accelerator& accelerator) {
  Roofline roof;
  const double bandwidth = as_double(accelerator.count) * as_double(accelerator.bandwidth_bytes_s);
  const double peak = as_double(accelerator.count) * as_double(accelerator.flops_s);
  roof.bytes = bytes;
  roof.flops = flops;
  roof.intensity = flops / bytes;
  roof.ridge = peak / bandwidth;
  roof.peak_flops_s = peak;
  roof.bandwidth_s = bytes / bandwidth;
  roof.arithmetic_s = flops / peak;
  roof.bound_by = roof.arithmetic_s > roof.bandwidth_s ? BoundBy::arithmetic : BoundBy::bandwidth;
  roof.seconds = std::max(roof.bandwidth_s, roof.arithmetic_s);
  roof.attained_flops_s = flops / roof.seconds;
  return roof;
}

/// Pairs of a query and a key that the causal mask and a window leave to n queries.
double pairs(std::uint64_t n, std::uint64_t window, std::uint64_t sinks) {
  const double all = as_double(n) * (as_double(n) + 1) / 2;
  if (window == 0) return all;
  const std::uint64_t most = window + sinks;
  if (n <= most) return all;
  return as_double(most) * (as_double(most) + 1) / 2 + as_double(most) * as_double(n - most);
}

double prefill_attention_flops(const CacheModel& model, std::uint64_t n) {
  const double full = as_double(model.full_layers) * as_double(model.d_k + model.d_v) *
                      pairs(n, model.index_top_k, 0);
  const double local = model.local_layers == 0 ? 0
                                               : as_double(model.local_layers) *
                                                     as_double(model.local_d_k + model.local_d_v) *
                                                     pairs(n, model.window, model.sinks);
  return 2 * as_double(model.n_heads) * (full + local);
}

double state_flops(const CacheModel& model) {
  return 5 * as_double(model.state_layers) * as_double(model.state_numbers);
}

double prefill_linear_flops(const CacheModel& model, std::uint64_t n) {
  return (2 * as_double(model.active_parameters) + state_flops(model)) * as_double(n);
}

/// Attention for each token grows with n, so the first n at which it has caught up is found by halving.
std::uint64_t crossing(const CacheModel& model) {
  const auto crossed = [&](std::uint64_t n) {
    return prefill_attention_flops(model, n) >= prefill_linear_flops(model, n);
  };
  if (!crossed(longest_search)) return 0;
  std::uint64_t below = 0;
  std::uint64_t above = longest_search;
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (crossed(middle) ? above : below) = middle;
  }
  return above;
}

std::uint64_t largest_divisor(std::uint64_t n, std::uint64_t most) {
  for (std::uint64_t divisor = std::min(n, most); divisor > 1; --divisor) {
    if (n % divisor == 0) return divisor;
  }
  return 1;
}

}  // namespace

std::string_view name(BoundBy bound) {
  return bound == BoundBy::bandwidth ? "bandwidth" : "arithmetic";
}

std::string_view name(Scheme scheme) {
  switch (scheme) {
    case Scheme::own:
      return "own";
    case Scheme::mha:
      return "mha";
    case Scheme::gqa:
      return "gqa";
    case Scheme::mqa:
      return "mqa";
    case Scheme::mla:
      return "mla";
    case Scheme::sliding:
      return "sliding";
    case Scheme::hybrid:
      return "hybrid";
  }
  return "own";
}

Expected<CacheBill> cache_bill(const CacheModel& model, const CachePlan& plan) {
  ATTN_CHECK(check_cache_model(model));
  ATTN_CHECK(check_plan(plan));
  Exact exact("tokens");
  CacheBill bill;
  bill.full = layers_bill(model.full_layers, model.full_sharing,
                          full_row(model, plan.cache_format, exact), 0, 0, plan, exact);
  bill.local = layers_bill(model.local_layers, model.local_sharing,
                           local_row(model, plan.cache_format, exact), model.window, model.sinks,
                           plan, exact);
  bill.state_bytes =
      exact.of("state_numbers")
          .product({model.state_layers, exact.take(row_bytes("state_numbers", plan.state_format,
                                                             model.state_numbers))});
  bill.token_bytes = exact.of("n_layers").sum({bill.full.token_bytes, bill.local.token_bytes});
  bill.late_token_bytes = bill.full.token_bytes;
  const CacheModel mha = with_scheme(model, Scheme::mha);
  bill.mha_token_bytes =
      exact.product({mha.full_layers, full_row(mha, plan.cache_format, exact).bytes});
  exact.of("tokens");
  bill.sequence_needed_bytes =
      exact.sum({bill.full.needed_bytes, bill.local.needed_bytes, bill.state_bytes});
  bill.sequence_allocated_bytes =
      exact.sum({bill.full.allocated_bytes, bill.local.allocated_bytes, bill.state_bytes});
  exact.of("sequences");
  bill.needed_bytes = exact.product({plan.sequences, bill.sequence_needed_bytes});
  bill.allocated_bytes = exact.product({plan.sequences, bill.sequence_allocated_bytes});
  if (exact.error()) return std::unexpected(*exact.error());
  bill.unused_bytes = bill.allocated_bytes - bill.needed_bytes;
  return bill;
}

Expected<MemoryBill> memory_bill(const CacheModel& model, const CachePlan& plan,
                                 const Accelerator& accelerator) {
  const auto cache = cache_bill(model, plan);
  ATTN_CHECK(cache);
  ATTN_CHECK(check_count("memory_bytes", accelerator.memory_bytes, 1, max_exact_count));
  ATTN_CHECK(check_count("accelerators", accelerator.count, 1, max_exact_count));
  ATTN_CHECK(check_count("other_bytes", accelerator.other_bytes, 0, max_exact_count));
  Exact exact("parameters");
  MemoryBill bill;
  bill.weight_bytes = exact.take(row_bytes("parameters", plan.weight_format, model.parameters));
  const std::uint64_t fixed =
      exact.of("other_bytes").sum({bill.weight_bytes, accelerator.other_bytes});
  bill.total_bytes = exact.of("sequences").sum({fixed, cache->allocated_bytes});
  if (exact.error()) return std::unexpected(*exact.error());
  const auto all = checked_product("memory_bytes", {accelerator.count, accelerator.memory_bytes});
  ATTN_CHECK(all);
  const std::uint64_t memory = bill.memory_bytes = *all;
  bill.fits = bill.total_bytes <= memory;
  (bill.fits ? bill.free_bytes : bill.missing_bytes) =
      bill.fits ? memory - bill.total_bytes : bill.total_bytes - memory;
  return bill;
}

Expected<MemoryRoom> memory_room(const CacheModel& model, const CachePlan& plan,
                                 const Accelerator& accelerator) {
  const auto cache = cache_bill(model, plan);
  ATTN_CHECK(cache);
  const auto memory = memory_bill(model, plan, accelerator);
  ATTN_CHECK(memory);
  const std::uint64_t fixed = memory->total_bytes - cache->allocated_bytes;
  MemoryRoom found;
  if (fixed > memory->memory_bytes) return found;
  const std::uint64_t room = memory->memory_bytes - fixed;
  found.most_sequences = room / cache->sequence_allocated_bytes;
  const auto fits = [&](std::uint64_t tokens) {
    Exact exact("tokens");
    const auto layers = [&](const LayersBill& bill, std::uint64_t window, std::uint64_t sinks) {
      return exact.product({bill.token_bytes, allocated_tokens(tokens, window, sinks, plan, exact,
                                                               most_pages_of_window)});
    };
    const std::uint64_t sequence =
        exact.sum({layers(cache->full, 0, 0), layers(cache->local, model.window, model.sinks),
                   cache->state_bytes});
    const std::uint64_t all = exact.product({plan.sequences, sequence});
    return !exact.error() && all <= room;
  };
  if (fits(longest_search)) {
    found.most_tokens = longest_search;
    found.tokens_unbounded = true;
    return found;
  }
  std::uint64_t above = longest_search;
  while (above - found.most_tokens > 1) {
    const std::uint64_t middle = found.most_tokens + (above - found.most_tokens) / 2;
    (fits(middle) ? found.most_tokens : above) = middle;
  }
  return found;
}

Expected<DecodeBill> decode_bill(const CacheModel& model, const CachePlan& plan,
                                 const Accelerator& accelerator) {
  const auto cache = cache_bill(model, plan);
  ATTN_CHECK(cache);
  ATTN_CHECK(check_roofs(accelerator));
  const auto weights = row_bytes("parameters", plan.weight_format, model.active_parameters);
  ATTN_CHECK(weights);
  const double sequences = as_double(plan.sequences);
  const auto read = [](const LayersBill& layers) {
    return as_double(layers.layers) * as_double(layers.layer_token_bytes) *
           as_double(layers.needed_tokens);
  };
  const auto index = row_bytes("index_width", plan.cache_format, model.index_width);
  ATTN_CHECK(index);
  const double chosen = as_double(chosen_tokens(model, cache->full.needed_tokens));
  const double read_full =
      as_double(cache->full.layers) * (as_double(*index) * as_double(cache->full.needed_tokens) +
                                       as_double(cache->full.layer_token_bytes - *index) * chosen);
  DecodeBill bill;
  bill.weight_bytes = as_double(*weights);
  bill.cache_bytes =
      sequences * (read_full + read(cache->local) + 2 * as_double(cache->state_bytes));
  bill.weight_flops = 2 * sequences * as_double(model.active_parameters);
  const double full_width = model.latent_rank != 0
                                ? as_double(2 * model.latent_rank + model.rope_width)
                                : as_double(model.d_k + model.d_v);
  const double full = as_double(cache->full.layers) * full_width * chosen;
  const double local = as_double(cache->local.layers) *
                       as_double(model.local_d_k + model.local_d_v) *
                       as_double(cache->local.needed_tokens);
  bill.attention_flops =
      sequences * (2 * as_double(model.n_heads) * (full + local) + state_flops(model));
  bill.roof = roofline(bill.weight_bytes + bill.cache_bytes,
                       bill.weight_flops + bill.attention_flops, accelerator);
  bill.sequence_tokens_per_s = 1 / bill.roof.seconds;
  bill.tokens_per_s = sequences / bill.roof.seconds;
  return bill;
}

Expected<PrefillWork> prefill_work(const CacheModel& model, std::uint64_t tokens) {
  ATTN_CHECK(check_cache_model(model));
  ATTN_CHECK(check_count("tokens", tokens, 1, max_exact_count));
  ATTN_CHECK(check_count("parameters", model.active_parameters, 1, max_exact_count));
  return PrefillWork{prefill_linear_flops(model, tokens), prefill_attention_flops(model, tokens)};
}

Expected<PrefillBill> prefill_bill(const CacheModel& model, const CachePlan& plan,
                                   const Accelerator& accelerator) {
  CachePlan one = plan;
  one.sequences = 1;
  const auto cache = cache_bill(model, one);
  ATTN_CHECK(cache);
  ATTN_CHECK(check_roofs(accelerator));
  const auto weights = row_bytes("parameters", plan.weight_format, model.active_parameters);
  ATTN_CHECK(weights);
  PrefillBill bill;
  bill.linear_flops = prefill_linear_flops(model, plan.tokens);
  bill.attention_flops = prefill_attention_flops(model, plan.tokens);
  const double all = bill.linear_flops + bill.attention_flops;
  bill.linear_percent = 100 * bill.linear_flops / all;
  bill.attention_percent = 100 * bill.attention_flops / all;
  // Weights in, the cache out.
  bill.roof = roofline(as_double(*weights) + as_double(cache->needed_bytes), all, accelerator);
  return bill;
}

Expected<std::uint64_t> prefill_crossing(const CacheModel& model) {
  ATTN_CHECK(check_cache_model(model));
  return model.active_parameters == 0 ? 0 : crossing(model);
}

CacheModel with_scheme(const CacheModel& model, Scheme scheme) {
  CacheModel made = model;
  if (scheme == Scheme::own) return made;
  const std::uint64_t layers = attention_layers(model);
  if (layers == 0) return made;
  if (model.full_layers == 0) {
    made.n_kv_heads = model.local_n_kv_heads;
    made.d_k = model.local_d_k;
    made.d_v = model.local_d_v;
  }
  made.full_layers = layers;
  made.full_sharing = 0;
  made.index_width = made.index_top_k = 0;
  made.latent_rank = made.rope_width = 0;
  made.local_layers = made.local_sharing = 0;
  made.window = made.sinks = 0;
  made.local_n_kv_heads = made.local_d_k = made.local_d_v = 0;
  const bool groups = made.n_kv_heads > 1 && made.n_kv_heads < made.n_heads;
  const auto make_local = [&](std::uint64_t local, std::uint64_t window) {
    if (local == 0) return;
    made.full_layers = layers - local;
    made.local_layers = local;
    made.window = model.window != 0 ? model.window : window;
    made.sinks = model.sinks;
    const bool own = model.local_layers != 0;
    made.local_n_kv_heads = own ? model.local_n_kv_heads : made.n_kv_heads;
    made.local_d_k = own ? model.local_d_k : made.d_k;
    made.local_d_v = own ? model.local_d_v : made.d_v;
  };
  switch (scheme) {
    case Scheme::own:
      break;
    case Scheme::mha:
      made.n_kv_heads = made.n_heads;
      break;
    case Scheme::gqa:
      if (!groups) made.n_kv_heads = largest_divisor(made.n_heads, 8);
      break;
    case Scheme::mqa:
      made.n_kv_heads = 1;
      break;
    case Scheme::mla:
      made.latent_rank = model.latent_rank != 0 ? model.latent_rank : 512;
      made.rope_width =
          model.latent_rank != 0 ? model.rope_width : std::min<std::uint64_t>(64, made.d_k / 2);
      break;
    case Scheme::sliding:
      make_local(layers, 4096);
      break;
    case Scheme::hybrid:
      make_local(model.full_layers != 0 && model.local_layers != 0
                     ? model.local_layers
                     : layers - std::max<std::uint64_t>(1, layers / 6),
                 1024);
      break;
  }
  return made;
}

Expected<std::uint64_t> key_value_parameters(const CacheModel& model) {
  ATTN_CHECK(check_cache_model(model));
  ATTN_CHECK(check_count("d_model", model.d_model, 1, max_exact_count));
  Exact exact("d_model");
  const auto projections = [&](std::uint64_t layers, std::uint64_t heads, std::uint64_t d_k,
                               std::uint64_t d_v) {
    return exact.product({layers, model.d_model, heads, exact.sum({d_k, d_v})});
  };
  const std::uint64_t full_layers = model.full_layers - model.full_sharing;
  const std::uint64_t local = projections(model.local_layers - model.local_sharing,
                                          model.local_n_kv_heads, model.local_d_k, model.local_d_v);
  std::uint64_t full = 0;
  if (model.latent_rank == 0) {
    full = projections(full_layers, model.n_kv_heads, model.d_k, model.d_v);
  } else {
    // The rotary part of a key comes from the token itself, not from its latent.
    const std::uint64_t content = model.d_k - model.rope_width;
    full = exact.sum({exact.product({full_layers, model.d_model,
                                     exact.sum({model.latent_rank, model.rope_width})}),
                      exact.product({full_layers, model.latent_rank, model.n_heads,
                                     exact.sum({content, model.d_v})})});
  }
  const std::uint64_t all = exact.sum({local, full});
  if (exact.error()) return std::unexpected(*exact.error());
  return all;
}

}  // namespace attn
