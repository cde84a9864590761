#include "kv_cache/cache.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "core/limits.hpp"
#include "kernels/scalar/decode_segments.hpp"
#include "kernels/scalar/stored_rows.hpp"
#include "kv_cache/stored_error.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/decode.hpp"
#endif

namespace attn {
namespace {

/// A cache that is really held is far smaller than one that is only priced (field_limits.hpp).
constexpr std::uint64_t max_layers = 1024;
constexpr std::uint64_t usual_page_tokens = 16;

Expected<void> check_absent(std::string_view field, std::uint64_t value, std::string_view why) {
  if (value == 0) return {};
  return fail(ErrorCode::bad_argument, field, {field, " must not be given ", why, "."});
}

Expected<void> check_shape(const CacheConfig& config) {
  ATTN_CHECK(check_count("n_layers", config.n_layers, 1, max_layers));
  ATTN_CHECK(check_count("n_heads", config.n_heads, 1, max_heads));
  ATTN_CHECK(check_count("d_k", config.d_k, 1, max_width));
  if (config.scale && !std::isfinite(*config.scale)) {
    return fail(ErrorCode::not_finite, "scale", {"scale must be a finite number."});
  }
  if (config.latent_rank != 0) {
    ATTN_CHECK(check_count("latent_rank", config.latent_rank, 1, max_width));
    ATTN_CHECK(check_count("rope_width", config.rope_width, 0, max_width));
    ATTN_CHECK(check_absent("n_kv_heads", config.n_kv_heads, "with latent_rank"));
    return check_absent("d_v", config.d_v, "with latent_rank");
  }
  ATTN_CHECK(check_absent("rope_width", config.rope_width, "without latent_rank"));
  ATTN_CHECK(check_count("n_kv_heads", config.n_kv_heads, 1, max_heads));
  ATTN_CHECK(check_count("d_v", config.d_v, 1, max_width));
  if (config.n_heads % config.n_kv_heads == 0) return {};
  return fail(ErrorCode::shape_mismatch, "n_kv_heads",
              {"n_kv_heads must divide n_heads, so that each group has as many heads; ",
               config.n_kv_heads, " does not divide ", config.n_heads, "."});
}

Expected<void> check_layout(const CacheConfig& config) {
  ATTN_CHECK(check_count("window", config.window, 0, max_exact_count));
  ATTN_CHECK(check_count("sinks", config.sinks, 0, max_cached_tokens));
  if (config.layout == CacheLayout::paged) {
    ATTN_CHECK(check_absent("capacity", config.capacity, "with pages, which are taken as needed"));
    return check_count("page_tokens", config.page_tokens, 0, max_cached_tokens);
  }
  ATTN_CHECK(check_absent("page_tokens", config.page_tokens, "without pages"));
  if (config.capacity == 0 && config.window != 0) {
    return check_count("window", config.window, 1, max_cached_tokens);
  }
  ATTN_CHECK(check_count("capacity", config.capacity, 1, max_cached_tokens));
  if (config.capacity > config.sinks) return {};
  return fail(ErrorCode::out_of_range, "capacity",
              {"capacity must be more than sinks: ", config.capacity,
               " tokens leave no room behind ", config.sinks, " that stay."});
}

/// Tokens that one block has room for.
std::uint64_t block_tokens(const CacheConfig& config) {
  if (config.layout == CacheLayout::paged) {
    return config.page_tokens == 0 ? usual_page_tokens : config.page_tokens;
  }
  if (config.window == 0) return config.capacity;
  const std::uint64_t whole = config.sinks + config.window;
  return config.capacity == 0 ? whole : std::min(config.capacity, whole);
}

}  // namespace

std::string_view name(CacheLayout layout) {
  return layout == CacheLayout::contiguous ? "contiguous" : "paged";
}

KvCache::KvCache(const CacheConfig& config) : config_(config) {}

Expected<KvCache> KvCache::make(const CacheConfig& config) {
  ATTN_CHECK(check_shape(config));
  ATTN_CHECK(check_layout(config));
  const auto format = row_format(config.format);
  ATTN_CHECK(format);
  KvCache cache(config);
  cache.format_ = *format;
  const bool latent = config.latent_rank != 0;
  cache.config_.page_tokens =
      config.layout == CacheLayout::paged ? block_tokens(config) : config.page_tokens;
  cache.key_width_ = as_size(latent ? config.latent_rank + config.rope_width : config.d_k);
  cache.value_width_ = as_size(latent ? config.latent_rank : config.d_v);
  BlockLayout& layout = cache.layout_;
  layout.tokens = as_size(block_tokens(config));
  layout.n_layers = as_size(config.n_layers);
  layout.n_kv_heads = latent ? 1 : as_size(config.n_kv_heads);
  const std::size_t split = config.rope_width == 0 ? 0 : as_size(config.latent_rank);
  layout.k_bytes = kernels::StoredRow{*format, cache.key_width_, split}.bytes();
  layout.v_bytes = latent ? 0 : kernels::stored_bytes(*format, cache.value_width_);
  const std::string_view field = config.layout == CacheLayout::paged ? "page_tokens"
                                 : config.capacity != 0              ? "capacity"
                                                                     : "window";
  const auto bytes =
      checked_product(field, {block_tokens(config), config.n_layers, layout.n_kv_heads,
                              std::uint64_t{layout.k_bytes} + layout.v_bytes});
  ATTN_CHECK(bytes);
  if (*bytes > max_bytes) ATTN_CHECK(check_bytes(field, *bytes));
  cache.store_ = std::make_unique<BlockStore>(as_size(*bytes));
  return cache;
}

// Which tokens

std::uint64_t KvCache::sinks_of(std::uint64_t length) const {
  return std::min(config_.sinks, length);
}

std::uint64_t KvCache::first_visible(const Sequence& sequence, std::uint64_t length) const {
  const std::uint64_t left =
      config_.window != 0 && length > config_.window ? length - config_.window : 0;
  return std::max({left, sequence.evicted, sinks_of(length)});
}

std::uint64_t KvCache::visible_tokens(const Sequence& sequence) const {
  const std::uint64_t length = sequence.length;
  return sinks_of(length) + length - first_visible(sequence, length);
}

bool KvCache::is_held(const Sequence& sequence, std::uint64_t token) const {
  return token < config_.sinks || token >= sequence.first_held;
}

KvCache::Place KvCache::place(std::uint64_t token) const {
  if (is_paged()) return {as_size(token / layout_.tokens), as_size(token % layout_.tokens)};
  if (token < config_.sinks) return {0, as_size(token)};
  const std::uint64_t ring = layout_.tokens - config_.sinks;
  return {0, as_size(config_.sinks + (token - config_.sinks) % ring)};
}

template <class Use>
void KvCache::each_run(const Sequence& sequence, const Use& use) const {
  const std::uint64_t length = sequence.length;
  const std::uint64_t sinks = sinks_of(length);
  const std::uint64_t first = first_visible(sequence, length);
  if (is_paged()) {
    const auto pieces = [&](std::uint64_t begin, std::uint64_t end) {
      while (begin < end) {
        const Place at = place(begin);
        const std::uint64_t count = std::min<std::uint64_t>(end - begin, layout_.tokens - at.slot);
        use(at.block, at.slot, as_size(count));
        begin += count;
      }
    };
    if (first == sinks) return pieces(0, length);
    pieces(0, sinks);
    return pieces(first, length);
  }
  // In the order of the slots and not of the tokens, so that a full ring is one run.
  std::size_t begin = 0;
  std::size_t end = as_size(sinks);
  const auto run = [&](std::size_t from, std::size_t to) {
    if (from != end) {
      if (begin < end) use(0, begin, end - begin);
      begin = from;
    }
    end = to;
  };
  if (first < length) {
    const std::size_t slot = place(first).slot;
    const std::size_t past = slot + as_size(length - first);
    if (past > layout_.tokens) {
      run(as_size(config_.sinks), as_size(config_.sinks) + past - layout_.tokens);
      run(slot, layout_.tokens);
    } else {
      run(slot, past);
    }
  }
  if (begin < end) use(0, begin, end - begin);
}

// Checks

Expected<KvCache::Sequence*> KvCache::find(std::uint64_t sequence) {
  const auto found = sequences_.find(sequence);
  if (found != sequences_.end()) return &found->second;
  return fail(ErrorCode::bad_argument, "sequence",
              {"Sequence ", sequence, " is closed, or was never open."});
}

Expected<const KvCache::Sequence*> KvCache::find(std::uint64_t sequence) const {
  const auto found = const_cast<KvCache*>(this)->find(sequence);
  ATTN_CHECK(found);
  return *found;
}

Expected<void> KvCache::check_layer(std::uint64_t layer) const {
  if (layer < config_.n_layers) return {};
  return fail(
      ErrorCode::out_of_range, "layer",
      {"layer must be less than n_layers, which is ", config_.n_layers, "; it is ", layer, "."});
}

Expected<void> KvCache::check_rows(std::uint64_t layers, std::uint64_t count,
                                   std::span<const float> K, std::span<const float> V) const {
  const auto keys = checked_product("K", {layers, count, kept_heads(), key_width_});
  ATTN_CHECK(keys);
  ATTN_CHECK(check_length("K", K.size(), *keys));
  const auto values =
      checked_product("V", {layers, count, kept_heads(), keeps_latent() ? 0 : value_width_});
  ATTN_CHECK(values);
  return check_length("V", V.size(), *values);
}

Expected<void> KvCache::check_rollback(const Sequence& sequence, std::uint64_t length) const {
  if (length > sequence.length) {
    return fail(ErrorCode::out_of_range, "length",
                {"length must be at most ", sequence.length, ", the tokens that there are; it is ",
                 length, "."});
  }
  // Sinks never leave.
  if (length == sequence.length || length <= config_.sinks) return {};
  const bool held = first_visible(sequence, length) >= sequence.first_held;
  if (held && length >= sequence.evicted) return {};
  return fail(
      ErrorCode::out_of_range, "length",
      {"At length ", length,
       " tokens would be visible that are no longer kept: those "
       "before ",
       std::max(sequence.first_held, sequence.evicted), " have left the window or were evicted."});
}

// Sequences

Expected<KvCache::Block> KvCache::take_block(std::string_view field) {
  if (Block block = store_->take()) return block;
  return fail(
      ErrorCode::out_of_memory, field,
      {"This needs ", std::uint64_t{store_->block_bytes()},
       " bytes of memory, which are not free. Close sequences, or choose a smaller ", field, "."});
}

Expected<KvCache::Block> KvCache::copy_block(const CacheBlock& block, std::string_view field) {
  auto copy = take_block(field);
  if (copy) std::memcpy((*copy)->bytes(), block.bytes(), store_->block_bytes());
  return copy;
}

std::uint64_t KvCache::put(Sequence sequence) {
  sequences_.emplace(++last_sequence_, std::move(sequence));
  return last_sequence_;
}

Expected<std::uint64_t> KvCache::open() {
  Sequence sequence;
  if (!is_paged()) {
    ATTN_CHECK(check_bytes("capacity", store_->block_bytes()));
    auto block = take_block("capacity");
    ATTN_CHECK(block);
    sequence.blocks.push_back(std::move(*block));
  }
  return put(std::move(sequence));
}

Expected<void> KvCache::close(std::uint64_t sequence) {
  ATTN_CHECK(find(sequence));
  sequences_.erase(sequence);
  return {};
}

Expected<void> KvCache::grow_contiguous(Sequence& sequence, std::uint64_t length) const {
  const std::uint64_t first = first_visible(sequence, length);
  const std::uint64_t wanted = sinks_of(length) + length - first;
  if (wanted > layout_.tokens) {
    return fail(ErrorCode::too_large, "capacity",
                {"A sequence has room for ", std::uint64_t{layout_.tokens}, " tokens, and ", wanted,
                 " would have to be kept. Evict some, or open a cache of more capacity."});
  }
  sequence.length = length;
  sequence.first_held = std::max(sequence.first_held, first > config_.sinks ? first : 0);
  return {};
}

Expected<void> KvCache::grow_paged(Sequence& sequence, std::uint64_t length) {
  const std::uint64_t page = layout_.tokens;
  const std::uint64_t sink_pages = ceil_div(sinks_of(length), page);
  const std::uint64_t first = first_visible(sequence, length);
  const auto stays = [&](std::uint64_t p) { return p < sink_pages || (p + 1) * page > first; };
  const std::uint64_t begun = sequence.blocks.size();
  const std::uint64_t wanted = ceil_div(length, page);
  // All is taken before anything changes.
  const bool copies_last = sequence.length % page != 0 && stays(begun - 1) &&
                           sequence.blocks[as_size(begun - 1)].use_count() > 1;
  std::uint64_t taken = copies_last;
  for (std::uint64_t p = begun; p < wanted; ++p) taken += stays(p);
  const auto bytes = checked_product("count", {taken, store_->block_bytes()});
  ATTN_CHECK(bytes);
  // The table grows too, and is moved when it does.
  ATTN_CHECK(check_bytes("count", *bytes + 3 * wanted * sizeof(Block)));
  std::vector<Block> blocks;
  blocks.reserve(as_size(wanted - begun + 1));
  if (copies_last) {
    auto copy = copy_block(*sequence.blocks[as_size(begun - 1)], "count");
    ATTN_CHECK(copy);
    blocks.push_back(std::move(*copy));
  }
  for (std::uint64_t p = begun; p < wanted; ++p) {
    if (!stays(p)) {
      blocks.emplace_back();
      continue;
    }
    auto block = take_block("count");
    ATTN_CHECK(block);
    blocks.push_back(std::move(*block));
  }
  if (copies_last) sequence.blocks.pop_back();
  for (Block& block : blocks) sequence.blocks.push_back(std::move(block));
  sequence.length = length;
  drop_pages(sequence);
  return {};
}

void KvCache::drop_pages(Sequence& sequence) const {
  const std::uint64_t page = layout_.tokens;
  const std::uint64_t first = first_visible(sequence, sequence.length);
  const std::uint64_t sink_pages = ceil_div(sinks_of(sequence.length), page);
  const std::uint64_t stays = first / page;
  if (stays <= sink_pages) return;
  for (std::uint64_t p = std::max(sink_pages, sequence.first_held / page); p < stays; ++p) {
    sequence.blocks[as_size(p)].reset();
  }
  sequence.first_held = std::max(sequence.first_held, stays * page);
}

Expected<void> KvCache::grow(std::uint64_t sequence, std::uint64_t count) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  ATTN_CHECK(check_count("count", count, 1, max_cached_tokens));
  ATTN_CHECK(check_count("count", (*found)->length + count, 1, max_cached_tokens));
  const std::uint64_t length = (*found)->length + count;
  return is_paged() ? grow_paged(**found, length) : grow_contiguous(**found, length);
}

void KvCache::write_rows(Sequence& sequence, std::size_t layer, std::uint64_t first,
                         std::uint64_t count, const float* K, const float* V) const {
  const std::size_t heads = kept_heads();
  const std::size_t split = config_.rope_width == 0 ? 0 : as_size(config_.latent_rank);
  const kernels::StoredRow k_row = {format_, key_width_, split};
  const kernels::StoredRow v_row = {format_, value_width_, 0};
  for (std::uint64_t t = 0; t < count; ++t) {
    if (!is_held(sequence, first + t)) continue;
    const Place at = place(first + t);
    std::byte* const bytes = sequence.blocks[at.block]->bytes();
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t row = as_size(t) * heads + head;
      kernels::encode_row_scalar(k_row, K + row * key_width_,
                                 bytes + layout_.k_at(layer, head, at.slot));
      if (keeps_latent()) continue;
      kernels::encode_row_scalar(v_row, V + row * value_width_,
                                 bytes + layout_.v_at(layer, head, at.slot));
    }
  }
}

Expected<void> KvCache::append(std::uint64_t sequence, std::uint64_t count,
                               std::span<const float> K, std::span<const float> V) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  ATTN_CHECK(check_count("count", count, 1, max_cached_tokens));
  ATTN_CHECK(check_rows(config_.n_layers, count, K, V));
  const std::uint64_t first = (*found)->length;
  ATTN_CHECK(grow(sequence, count));
  for (std::size_t layer = 0; layer < layout_.n_layers; ++layer) {
    const std::size_t rows = layer * as_size(count) * kept_heads();
    write_rows(**found, layer, first, count, K.data() + rows * key_width_,
               keeps_latent() ? nullptr : V.data() + rows * value_width_);
  }
  return {};
}

Expected<void> KvCache::write(std::uint64_t sequence, std::uint64_t layer, std::uint64_t first,
                              std::uint64_t count, std::span<const float> K,
                              std::span<const float> V) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  ATTN_CHECK(check_layer(layer));
  ATTN_CHECK(check_count("count", count, 1, max_cached_tokens));
  ATTN_CHECK(check_rows(1, count, K, V));
  Sequence& into = **found;
  if (first > into.length || count > into.length - first) {
    return fail(ErrorCode::out_of_range, "first",
                {"Tokens ", first, " to ", first + count - 1,
                 " are not all there: the sequence has ", into.length, "."});
  }
  if (is_paged()) {
    std::vector<std::pair<std::size_t, Block>> copies;
    for (std::uint64_t p = first / layout_.tokens; p <= (first + count - 1) / layout_.tokens; ++p) {
      const Block& block = into.blocks[as_size(p)];
      if (block == nullptr || block.use_count() == 1) continue;
      auto copy = copy_block(*block, "count");
      ATTN_CHECK(copy);
      copies.emplace_back(as_size(p), std::move(*copy));
    }
    for (auto& [p, copy] : copies) into.blocks[p] = std::move(copy);
  }
  write_rows(into, as_size(layer), first, count, K.data(), keeps_latent() ? nullptr : V.data());
  return {};
}

Expected<void> KvCache::roll_back(std::uint64_t sequence, std::uint64_t length) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  Sequence& from = **found;
  ATTN_CHECK(check_rollback(from, length));
  from.length = length;
  from.evicted = std::min(from.evicted, length);
  from.first_held = std::min(from.first_held, length);
  if (is_paged()) from.blocks.resize(as_size(ceil_div(length, layout_.tokens)));
  return {};
}

Expected<std::uint64_t> KvCache::fork(std::uint64_t sequence, std::uint64_t length) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  ATTN_CHECK(check_rollback(**found, length));
  Sequence copy = **found;
  if (!is_paged()) {
    ATTN_CHECK(check_bytes("capacity", store_->block_bytes()));
    auto block = copy_block(*copy.blocks.front(), "capacity");
    ATTN_CHECK(block);
    copy.blocks.front() = std::move(*block);
  }
  const std::uint64_t made = put(std::move(copy));
  ATTN_CHECK(roll_back(made, length));
  return made;
}

Expected<void> KvCache::evict(std::uint64_t sequence, std::uint64_t kept) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  Sequence& from = **found;
  if (kept < from.length) from.evicted = std::max(from.evicted, from.length - kept);
  if (is_paged()) drop_pages(from);
  return {};
}

// Answers

void KvCache::add_segments(const Sequence& sequence, std::size_t layer, std::uint64_t begin,
                           std::uint64_t end, std::span<const std::uint64_t>& hidden) const {
  while (begin < end) {
    while (!hidden.empty() && hidden.front() < begin) hidden = hidden.subspan(1);
    if (!hidden.empty() && hidden.front() == begin) {
      ++begin;
      continue;
    }
    const std::uint64_t next = hidden.empty() ? end : std::min(end, hidden.front());
    const Place at = place(begin);
    const std::uint64_t count = std::min<std::uint64_t>(next - begin, layout_.tokens - at.slot);
    segments_.push_back(
        layout_.segment(sequence.blocks[at.block]->bytes(), layer, at.slot, as_size(count)));
    begin += count;
  }
}

kernels::SegmentsProblem KvCache::problem(const Sequence& sequence, std::size_t layer,
                                          const CacheView& view) const {
  segments_.clear();
  if (!view.length && view.hidden.empty()) {
    each_run(sequence, [&](std::size_t block, std::size_t slot, std::size_t count) {
      segments_.push_back(layout_.segment(sequence.blocks[block]->bytes(), layer, slot, count));
    });
  } else {
    const std::uint64_t length = view.length.value_or(sequence.length);
    const std::uint64_t sinks = sinks_of(length);
    const std::uint64_t first = first_visible(sequence, length);
    std::span<const std::uint64_t> hidden = view.hidden;
    if (first == sinks) {
      add_segments(sequence, layer, 0, length, hidden);
    } else {
      add_segments(sequence, layer, 0, sinks, hidden);
      add_segments(sequence, layer, first, length, hidden);
    }
  }
  kernels::SegmentsProblem asked;
  asked.n_heads = as_size(config_.n_heads);
  asked.n_kv_heads = kept_heads();
  asked.d_k = key_width_;
  asked.d_v = value_width_;
  asked.scale =
      static_cast<float>(config_.scale.value_or(1 / std::sqrt(static_cast<double>(config_.d_k))));
  asked.segments = segments_.data();
  asked.n_segments = segments_.size();
  asked.format = format_;
  asked.k_split = config_.rope_width == 0 ? 0 : as_size(config_.latent_rank);
  asked.values_in_keys = keeps_latent();
  return asked;
}

Expected<std::byte*> KvCache::scratch(std::uint64_t bytes) {
  if (bytes > scratch_size_) {
    // Half as much again, as a sequence grows by one token at a time, where there is as much.
    std::uint64_t wanted = bytes + bytes / 2;
    if (!check_bytes("sequence", wanted)) wanted = bytes;
    ATTN_CHECK(check_bytes("sequence", wanted));
    scratch_.reset(new (std::nothrow) std::byte[as_size(wanted)]);
    scratch_size_ = scratch_ == nullptr ? 0 : as_size(wanted);
    if (scratch_ == nullptr) {
      return fail(ErrorCode::out_of_memory, "sequence",
                  {"The working memory of ", wanted, " bytes is not free."});
    }
  }
  return scratch_.get();
}

Expected<void> KvCache::attend(std::uint64_t sequence, std::uint64_t layer, Backend backend,
                               std::span<const float> q, std::span<float> output,
                               std::span<float> log_sum_exp, const CacheView& view) {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  ATTN_CHECK(check_layer(layer));
  if (std::ranges::find(backends(), backend) == backends().end()) {
    return fail(ErrorCode::bad_argument, "backend",
                {"This build has no back end ", name(backend), "."});
  }
  ATTN_CHECK(check_length("q", q.size(), config_.n_heads * key_width_));
  ATTN_CHECK(check_length("output", output.size(), config_.n_heads * value_width_));
  if (!log_sum_exp.empty()) {
    ATTN_CHECK(check_length("log_sum_exp", log_sum_exp.size(), config_.n_heads));
  }
  if (view.length) ATTN_CHECK(check_rollback(**found, *view.length));
  kernels::SegmentsProblem asked = problem(**found, as_size(layer), view);
  asked.q = q.data();
  float* const sums = log_sum_exp.empty() ? nullptr : log_sum_exp.data();
  if (backend == Backend::scalar) {
    const std::size_t row = kernels::decode_segments_scalar_row(asked);
    const auto memory =
        scratch(std::uint64_t{row} * sizeof(double) +
                std::uint64_t{kernels::decode_segments_scalar_numbers(asked)} * sizeof(float));
    ATTN_CHECK(memory);
    kernels::decode_segments_scalar(asked, output.data(), reinterpret_cast<double*>(*memory),
                                    reinterpret_cast<float*>(*memory + row * sizeof(double)), sums);
    return {};
  }
#if defined(ATTN_HAS_SIMD_KERNELS)
  const auto memory =
      scratch(std::uint64_t{kernels::decode_segments_simd_scratch(asked)} * sizeof(float));
  ATTN_CHECK(memory);
  kernels::decode_segments_simd(asked, output.data(), reinterpret_cast<float*>(*memory), sums);
#endif
  return {};
}

Expected<void> KvCache::read(std::uint64_t sequence, std::uint64_t layer, std::span<float> K,
                             std::span<float> V) const {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  ATTN_CHECK(check_layer(layer));
  const Sequence& from = **found;
  ATTN_CHECK(check_rows(1, visible_tokens(from), K, V));
  const kernels::SegmentsProblem asked = problem(from, as_size(layer), {});
  const std::size_t heads = kept_heads();
  std::size_t row = 0;
  const std::uint64_t sinks = sinks_of(from.length);
  for (std::uint64_t token = 0; token < from.length; ++token) {
    if (token == sinks) token = first_visible(from, from.length);
    if (token == from.length) break;
    const Place at = place(token);
    const std::byte* const bytes = from.blocks[at.block]->bytes();
    for (std::size_t head = 0; head < heads; ++head, ++row) {
      kernels::decode_rows_scalar(asked.k_row(),
                                  bytes + layout_.k_at(as_size(layer), head, at.slot), 0, 1,
                                  K.data() + row * key_width_);
      if (keeps_latent()) continue;
      kernels::decode_rows_scalar(asked.v_row(),
                                  bytes + layout_.v_at(as_size(layer), head, at.slot), 0, 1,
                                  V.data() + row * value_width_);
    }
  }
  return {};
}

Expected<SequenceStats> KvCache::stats(std::uint64_t sequence) const {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  const Sequence& of = **found;
  SequenceStats stats;
  stats.length = of.length;
  stats.sinks = sinks_of(of.length);
  stats.first_visible = first_visible(of, of.length);
  stats.visible_tokens = visible_tokens(of);
  stats.first_held = std::max(of.first_held, stats.sinks);
  stats.needed_bytes = stats.visible_tokens * (store_->block_bytes() / layout_.tokens);
  for (const Block& block : of.blocks) stats.blocks += block != nullptr;
  return stats;
}

CacheStats KvCache::stats() const {
  CacheStats stats;
  stats.token_bytes = store_->block_bytes() / layout_.tokens;
  stats.block_bytes = store_->block_bytes();
  stats.blocks = store_->blocks();
  stats.allocated_bytes = store_->allocated_bytes();
  stats.sequences = sequences_.size();
  for (const auto& [number, sequence] : sequences_) {
    stats.tokens += sequence.length;
    stats.visible_tokens += visible_tokens(sequence);
  }
  stats.needed_bytes = stats.visible_tokens * stats.token_bytes;
  return stats;
}

Expected<std::vector<TableEntry>> KvCache::table(std::uint64_t sequence) const {
  const auto found = find(sequence);
  ATTN_CHECK(found);
  std::vector<TableEntry> entries;
  for (const Block& block : (*found)->blocks) {
    if (block == nullptr) {
      entries.push_back({});
    } else {
      entries.push_back({block->id(), static_cast<std::uint64_t>(block.use_count())});
    }
  }
  return entries;
}

}  // namespace attn
