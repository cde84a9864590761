#pragma once

// A KV cache: what attention keeps of the tokens before, so that a new token costs one row and not all of them anew.
//
// One mechanism holds every kind. Rows of several tokens lie in blocks, a sequence is a list of blocks, and a query is
// answered over the places where visible tokens lie (kernels/kv_segments.hpp): contiguous is one block, used as a ring
// behind its first tokens; paged is a table of blocks of page_tokens tokens (Kwon et al. 2023, arXiv:2309.06180), which
// sequences may share. Keys must be rotated, or given their positions otherwise, before they are kept: their order says
// nothing afterwards.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "attention/heads.hpp"
#include "core/error.hpp"
#include "kv_cache/cache_block.hpp"

namespace attn {

enum class CacheLayout : std::uint8_t { contiguous, paged };

std::string_view name(CacheLayout layout);

/// Tokens of one sequence.
inline constexpr std::uint64_t max_cached_tokens = std::uint64_t{1} << 24;

struct CacheConfig {
  std::uint64_t n_layers = 1;
  std::uint64_t n_heads = 1;
  std::uint64_t n_kv_heads = 0;
  std::uint64_t d_k = 0, d_v = 0;
  /// When not 0, one row [latent_rank + rope_width] is kept for all heads and no value: the latent and the rotary key of
  /// multi-head latent attention (DeepSeek-AI 2024, arXiv:2405.04434, section 2.1). A query then has that width and the
  /// output the first latent_rank of it (absorbed matrices: see latent_attention.hpp); n_kv_heads and d_v stay 0, and
  /// d_k is the width of a whole key, for the scale alone.
  std::uint64_t latent_rank = 0, rope_width = 0;
  /// 1 / sqrt(d_k) unless told.
  std::optional<double> scale = {};

  CacheLayout layout = CacheLayout::contiguous;
  /// Contiguous: tokens that each sequence has room for from the start; with a window sinks + window, unless told less.
  std::uint64_t capacity = 0;
  /// Paged: tokens of a page; 16 unless told.
  std::uint64_t page_tokens = 0;
  /// When not 0, a query sees the last `window` tokens, itself counted, and the first `sinks` (Xiao et al. 2023,
  /// arXiv:2309.17453).
  std::uint64_t window = 0;
  /// First tokens that neither the window nor an eviction drops.
  std::uint64_t sinks = 0;
  /// f32, f16, q8_0 or q4_0: see kernels/stored_rows.hpp. Must outlive the cache.
  std::string_view format = "f32";
};

/// What one sequence holds. Its visible tokens are 0 to sinks - 1 and first_visible to length - 1.
struct SequenceStats {
  std::uint64_t length = 0;
  std::uint64_t sinks = 0, first_visible = 0, visible_tokens = 0;
  /// The oldest token behind the sinks whose row is still there: one may roll back as far as the window from here.
  std::uint64_t first_held = 0;
  /// What the mathematics needs: visible_tokens x token_bytes.
  std::uint64_t needed_bytes = 0;
  /// Pages, shared ones too; 1 when contiguous.
  std::uint64_t blocks = 0;
};

struct CacheStats {
  std::uint64_t sequences = 0;
  /// Of all sequences, tokens of a shared page once for each.
  std::uint64_t tokens = 0, visible_tokens = 0, needed_bytes = 0;
  /// Bytes of one token in all layers; of one block.
  std::uint64_t token_bytes = 0, block_bytes = 0;
  /// Blocks that exist, shared ones once, and what they have taken from the allocator: their product with block_bytes.
  std::uint64_t blocks = 0, allocated_bytes = 0;
};

/// One entry of a block table.
struct TableEntry {
  /// 0 where the page went back.
  std::uint64_t id = 0;
  /// Sequences that share it.
  std::uint64_t references = 0;
};

/// What a query sees, where it is less than the whole sequence.
struct CacheView {
  /// As if the sequence had no more tokens than these: so several queries of one sequence are answered after the rows of
  /// all of them were written. Nothing: all of them.
  std::optional<std::uint64_t> length = {};
  /// Tokens that are not seen, in rising order, each once.
  std::span<const std::uint64_t> hidden = {};
};

/// The cache of one or several layers that are alike, for several sequences.
///
/// Bytes. A token has token_bytes = n_layers n_kv_heads (row_bytes(d_k) + row_bytes(d_v)) bytes, with a latent n_layers
/// (row_bytes(latent_rank) + row_bytes(rope_width)); row_bytes is that of number_format.hpp. Visible at n tokens are all
/// of them, with a window min(n, window) + min(sinks, n - min(n, window)). Contiguous: every open sequence has taken
/// capacity x token_bytes (with a window min(capacity, sinks + window)), whatever it holds. Paged, with pages of P
/// tokens, page p for tokens pP to pP + P - 1: a sequence of n tokens holds each begun page but those whose last token
/// has left the window and which hold no sink,
///   pages(n) = ceil(n / P) - max(0, floor(max(0, n - window) / P) - ceil(min(sinks, n) / P)),
/// ceil(n / P) without a window, each of P x token_bytes; after evict(), the first token that is left counts where it is
/// later than n - window. Pages that sequences share exist once. Tables and scratch are not counted.
///
/// A call that fails leaves everything as it was.
class KvCache {
 public:
  /// Errors: out_of_range and too_large naming the field; not_finite ("scale"); shape_mismatch ("n_kv_heads") when it does not divide n_heads;
  /// bad_argument naming a field that contradicts layout or latent_rank, and "format".
  static Expected<KvCache> make(const CacheConfig& config);

  KvCache(KvCache&&) = default;
  /// Blocks would outlive the store that counts them.
  KvCache& operator=(KvCache&&) = delete;

  const CacheConfig& config() const { return config_; }
  /// Numbers of a kept key and value, and how many of each a token has in one layer. With a latent the value is the
  /// beginning of the key: a query and a key have latent_rank + rope_width, an output latent_rank.
  std::size_t key_width() const { return key_width_; }
  std::size_t value_width() const { return value_width_; }
  std::size_t kept_heads() const { return layout_.n_kv_heads; }
  bool keeps_latent() const { return config_.latent_rank != 0; }

  /// Begins an empty sequence. Its number is never given again.
  /// Errors: too_large and out_of_memory ("capacity") for what a contiguous one reserves.
  Expected<std::uint64_t> open();

  /// Appends `count` tokens to all layers: K [n_layers, count, n_kv_heads, d_k], V [n_layers, count, n_kv_heads, d_v];
  /// with a latent K [n_layers, count, latent_rank + rope_width] and V empty.
  /// Errors: bad_argument ("sequence") when it is not open; shape_mismatch ("K", "V"); out_of_range and too_large
  /// ("count"); too_large ("capacity") when a contiguous sequence is full; out_of_memory ("count").
  /// Promise: NaN and infinity are kept; what quantized formats make of them is said in stored_rows.hpp.
  Expected<void> append(std::uint64_t sequence, std::uint64_t count, std::span<const float> K,
                        std::span<const float> V);

  /// The same without rows, for a model that computes layer by layer: every layer's are to be written before it attends.
  /// Until then they hold zeros or rows of tokens before. Errors: as append.
  Expected<void> grow(std::uint64_t sequence, std::uint64_t count);

  /// Writes rows of tokens first to first + count - 1 of one layer, K [count, n_kv_heads, d_k], V likewise; those that
  /// have left the window are passed over. A page that is shared is copied first.
  /// Errors: as append; out_of_range ("layer", "first").
  Expected<void> write(std::uint64_t sequence, std::uint64_t layer, std::uint64_t first,
                       std::uint64_t count, std::span<const float> K, std::span<const float> V);

  /// One query a head over every visible token of one layer, or those of them that `view` leaves.
  /// q [n_heads, d_k], output [n_heads, d_v], with a latent as key_width() and value_width() say; log_sum_exp [n_heads]
  /// or empty.
  /// Errors: bad_argument ("sequence", "backend"), out_of_range ("layer", "length" as roll_back), shape_mismatch; too_large and
  /// out_of_memory ("sequence") for its working memory.
  /// Promise: that of decode_segments_simd or decode_segments_scalar; a sequence without tokens gives 0.
  Expected<void> attend(std::uint64_t sequence, std::uint64_t layer, Backend backend,
                        std::span<const float> q, std::span<float> output,
                        std::span<float> log_sum_exp, const CacheView& view = {});

  /// The rows of the visible tokens in order, as they are read back: K [visible_tokens, n_kv_heads, d_k], V likewise.
  /// Errors: as attend.
  Expected<void> read(std::uint64_t sequence, std::uint64_t layer, std::span<float> K,
                      std::span<float> V) const;

  /// Forgets the tokens from `length` on.
  /// Errors: out_of_range ("length") when there are fewer tokens, and when a token that is visible at that length has
  /// left the window or was evicted.
  Expected<void> roll_back(std::uint64_t sequence, std::uint64_t length);

  /// A new sequence of the first `length` tokens. Paged: the pages are shared, and whoever writes to one copies it
  /// first; contiguous: all is copied. Errors: as roll_back and open.
  Expected<std::uint64_t> fork(std::uint64_t sequence, std::uint64_t length);

  /// Drops all tokens but the sinks and the last `kept`, also for later queries. Pages without a token that is left go
  /// back; a contiguous sequence keeps what it reserved and has room again. Errors: bad_argument ("sequence").
  Expected<void> evict(std::uint64_t sequence, std::uint64_t kept);

  /// Gives back what the sequence alone holds. Errors: bad_argument ("sequence").
  Expected<void> close(std::uint64_t sequence);

  Expected<SequenceStats> stats(std::uint64_t sequence) const;
  CacheStats stats() const;
  /// One entry for each begun page. Errors: bad_argument ("sequence").
  Expected<std::vector<TableEntry>> table(std::uint64_t sequence) const;

 private:
  using Block = std::shared_ptr<CacheBlock>;

  struct Sequence {
    std::uint64_t length = 0;
    /// Tokens before these were evicted; have been overwritten, or their page went back.
    std::uint64_t evicted = 0, first_held = 0;
    /// Contiguous: one. Paged: one for each begun page, null where it went back.
    std::vector<Block> blocks;
  };

  explicit KvCache(const CacheConfig& config);

  Expected<Sequence*> find(std::uint64_t sequence);
  Expected<const Sequence*> find(std::uint64_t sequence) const;
  Expected<void> check_layer(std::uint64_t layer) const;
  Expected<void> check_rows(std::uint64_t layers, std::uint64_t count, std::span<const float> K,
                            std::span<const float> V) const;
  Expected<void> check_rollback(const Sequence& sequence, std::uint64_t length) const;
  std::uint64_t put(Sequence sequence);

  bool is_paged() const { return config_.layout == CacheLayout::paged; }
  std::uint64_t sinks_of(std::uint64_t length) const;
  /// The first visible token behind the sinks.
  std::uint64_t first_visible(const Sequence& sequence, std::uint64_t length) const;
  bool is_held(const Sequence& sequence, std::uint64_t token) const;
  std::uint64_t visible_tokens(const Sequence& sequence) const;

  Expected<void> grow_contiguous(Sequence& sequence, std::uint64_t length) const;
  Expected<void> grow_paged(Sequence& sequence, std::uint64_t length);
  void drop_pages(Sequence& sequence) const;
  Expected<Block> take_block(std::string_view field);
  Expected<Block> copy_block(const CacheBlock& block, std::string_view field);

  /// Calls use(block, slot, count) for each run of neighbouring rows of the visible tokens, in an order of the cache's
  /// own; see read().
  template <class Use>
  void each_run(const Sequence& sequence, const Use& use) const;
  /// The block of a held token and its slot there.
  struct Place {
    std::size_t block, slot;
  };
  Place place(std::uint64_t token) const;
  void write_rows(Sequence& sequence, std::size_t layer, std::uint64_t first, std::uint64_t count,
                  const float* K, const float* V) const;
  kernels::SegmentsProblem problem(const Sequence& sequence, std::size_t layer,
                                   const CacheView& view) const;
  /// The places of tokens `begin` to `end` - 1 but the hidden ones, which it steps along.
  void add_segments(const Sequence& sequence, std::size_t layer, std::uint64_t begin,
                    std::uint64_t end, std::span<const std::uint64_t>& hidden) const;
  /// At least so many bytes to work in.
  Expected<std::byte*> scratch(std::uint64_t bytes);

  CacheConfig config_;
  kernels::RowFormat format_ = kernels::RowFormat::f32;
  std::size_t key_width_ = 0, value_width_ = 0;
  BlockLayout layout_;
  /// By address, as blocks know it and the cache may move.
  std::unique_ptr<BlockStore> store_;
  std::map<std::uint64_t, Sequence> sequences_;
  std::uint64_t last_sequence_ = 0;
  /// Kept from call to call.
  mutable std::vector<kernels::KvSegment> segments_;
  std::unique_ptr<std::byte[]> scratch_;
  std::size_t scratch_size_ = 0;
};

}  // namespace attn
