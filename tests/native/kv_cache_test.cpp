// The cache against plain arrays of all that was ever appended, under any order of its operations.

#include <map>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kv_cache/cache.hpp"
#include "kv_cache/number_format.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> floats(Normals& normals, std::uint64_t count) {
  std::vector<float> made(static_cast<std::size_t>(count));
  for (float& each : made) each = static_cast<float>(normals.next());
  return made;
}

CacheConfig small(CacheLayout layout) {
  CacheConfig config;
  config.n_layers = 2;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.d_k = 8;
  config.d_v = 12;
  config.layout = layout;
  if (layout == CacheLayout::contiguous) config.capacity = 64;
  return config;
}

/// All that a sequence was ever told, and what was evicted.
struct Told {
  std::vector<std::vector<float>> K, V;  // [length] of [n_layers, heads, width]
  std::uint64_t evicted = 0;

  bool sees(const CacheConfig& config, std::uint64_t token) const {
    if (token < config.sinks) return true;
    if (token < evicted) return false;
    return config.window == 0 || token + config.window >= K.size();
  }
  std::uint64_t visible(const CacheConfig& config) const {
    std::uint64_t count = 0;
    for (std::uint64_t t = 0; t < K.size(); ++t) count += sees(config, t);
    return count;
  }
};

void append(KvCache& cache, std::uint64_t sequence, Told& told, Normals& normals,
            std::uint64_t count) {
  const CacheConfig& config = cache.config();
  const std::size_t k_row = cache.kept_heads() * cache.key_width();
  const std::size_t v_row = cache.kept_heads() * cache.value_width();
  const std::vector<float> K = floats(normals, config.n_layers * count * k_row);
  const std::vector<float> V = floats(normals, config.n_layers * count * v_row);
  REQUIRE(cache.append(sequence, count, K, V).has_value());
  for (std::size_t t = 0; t < count; ++t) {
    std::vector<float> k;
    std::vector<float> v;
    for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
      const std::size_t row = layer * static_cast<std::size_t>(count) + t;
      k.insert(k.end(), K.begin() + static_cast<std::ptrdiff_t>(row * k_row),
               K.begin() + static_cast<std::ptrdiff_t>((row + 1) * k_row));
      v.insert(v.end(), V.begin() + static_cast<std::ptrdiff_t>(row * v_row),
               V.begin() + static_cast<std::ptrdiff_t>((row + 1) * v_row));
    }
    told.K.push_back(k);
    told.V.push_back(v);
  }
}

/// The oracle: dense arrays of all tokens, with those masked that are not seen.
std::vector<float> expected(const CacheConfig& config, const Told& told, std::size_t layer,
                            const std::vector<float>& q) {
  const auto heads = static_cast<std::size_t>(config.n_kv_heads);
  const auto d_k = static_cast<std::size_t>(config.d_k);
  const auto d_v = static_cast<std::size_t>(config.d_v);
  const std::size_t n = told.K.size();
  std::vector<float> k(heads * n * d_k);
  std::vector<float> v(heads * n * d_v);
  std::vector<std::uint8_t> valid(n);
  for (std::size_t t = 0; t < n; ++t) {
    valid[t] = told.sees(config, t) ? 1 : 0;
    for (std::size_t h = 0; h < heads; ++h) {
      std::copy_n(told.K[t].data() + (layer * heads + h) * d_k, d_k, k.data() + (h * n + t) * d_k);
      std::copy_n(told.V[t].data() + (layer * heads + h) * d_v, d_v, v.data() + (h * n + t) * d_v);
    }
  }
  kernels::AttentionProblem problem;
  problem.n_heads = static_cast<std::size_t>(config.n_heads);
  problem.n_kv_heads = heads;
  problem.n_q = 1;
  problem.n_k = n;
  problem.d_k = d_k;
  problem.d_v = d_v;
  problem.scale = 1 / std::sqrt(static_cast<float>(d_k));
  problem.mask.key_valid = valid.data();
  problem.q = q.data();
  problem.k = k.data();
  problem.v = v.data();
  std::vector<float> output(problem.n_heads * d_v);
  if (n == 0) return output;
  std::vector<double> row(kernels::attention_heads_scalar_row(problem));
  kernels::attention_heads_scalar(problem, output.data(), row.data());
  return output;
}

std::vector<float> attended(KvCache& cache, std::uint64_t sequence, std::size_t layer,
                            const std::vector<float>& q, Backend backend = backends().back()) {
  std::vector<float> output(static_cast<std::size_t>(cache.config().n_heads) * cache.value_width(),
                            float_nan);
  REQUIRE(cache.attend(sequence, layer, backend, q, output, {}).has_value());
  return output;
}

double apart(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double each = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(each <= largest)) largest = each;
  }
  return largest;
}

std::uint64_t row_bytes_of(const CacheConfig& config) {
  const NumberFormat format = value_of(number_format("format", config.format));
  const auto bytes = [&](std::uint64_t width) {
    return width == 0 ? 0 : value_of(row_bytes("d_k", format, width));
  };
  if (config.latent_rank != 0) {
    return config.n_layers * (bytes(config.latent_rank) + bytes(config.rope_width));
  }
  return config.n_layers * config.n_kv_heads * (bytes(config.d_k) + bytes(config.d_v));
}

/// Pages of `page` tokens that hold a sink, or a place at or behind the first token that is seen: one
/// page after the other, as the words of the docstring say.
std::uint64_t pages_by_words(std::uint64_t n, const CacheConfig& config, std::uint64_t evicted) {
  const std::uint64_t page = config.page_tokens;
  std::uint64_t count = 0;
  for (std::uint64_t p = 0; p * page < n; ++p) {
    bool stays = false;
    for (std::uint64_t t = p * page; t < (p + 1) * page; ++t) {
      if (t < std::min(config.sinks, n)) stays = true;
      if (t >= evicted && (config.window == 0 || t + config.window >= n)) stays = true;
    }
    count += stays;
  }
  return count;
}

/// The same in one line.
std::uint64_t pages_by_formula(std::uint64_t n, std::uint64_t page, std::uint64_t window,
                               std::uint64_t sinks) {
  const auto up = [page](std::uint64_t tokens) { return (tokens + page - 1) / page; };
  if (window == 0) return up(n);
  const std::uint64_t gone = (n > window ? n - window : 0) / page;
  const std::uint64_t pinned = up(std::min(sinks, n));
  return up(n) - (gone > pinned ? gone - pinned : 0);
}

}  // namespace

TEST_CASE("a cache of any kind answers like plain arrays, whatever was done to it before") {
  Normals normals(1);
  for (int turn = 0; turn < 60; ++turn) {
    Dice dice(static_cast<std::uint64_t>(turn));
    CacheConfig config = small(turn % 2 == 0 ? CacheLayout::paged : CacheLayout::contiguous);
    if (config.layout == CacheLayout::paged) config.page_tokens = dice.between(1, 9);
    if (dice.coin()) config.window = dice.between(1, 30);
    if (dice.coin()) config.sinks = dice.between(1, 7);
    if (config.layout == CacheLayout::contiguous && config.window != 0) config.capacity = 0;
    KvCache cache = value_of(KvCache::make(config));
    config.page_tokens = cache.config().page_tokens;
    std::map<std::uint64_t, Told> all;
    const std::uint64_t room = config.layout == CacheLayout::paged ? 0
                               : config.window == 0                ? config.capacity
                                                                   : config.sinks + config.window;
    for (int step = 0; step < 120; ++step) {
      CAPTURE(turn, step, config.page_tokens, config.window, config.sinks);
      const std::size_t what = dice.between(0, 9);
      if (all.empty() || (what == 0 && all.size() < 4)) {
        all[value_of(cache.open())] = {};
        continue;
      }
      auto each = all.begin();
      std::advance(each, static_cast<std::ptrdiff_t>(dice.between(0, all.size() - 1)));
      auto& [sequence, told] = *each;
      const std::uint64_t n = told.K.size();
      if (what <= 5) {
        const std::uint64_t count = dice.between(1, what == 5 ? 25 : 3);
        Told after = told;
        after.K.resize(static_cast<std::size_t>(n + count));
        if (room != 0 && after.visible(config) > room) {
          const std::vector<float> K(static_cast<std::size_t>(2 * count * 2 * 8));
          const std::vector<float> V(static_cast<std::size_t>(2 * count * 2 * 12));
          CHECK(error_of(cache.append(sequence, count, K, V)).field == "capacity");
        } else {
          append(cache, sequence, told, normals, count);
        }
      } else if (what == 6) {
        const std::uint64_t length = dice.between(0, static_cast<std::size_t>(n));
        // What will be seen at that length must be seen now, or never have left: a page that is
        // there in part may hold more.
        const auto done = cache.roll_back(sequence, length);
        Told after = told;
        after.K.resize(static_cast<std::size_t>(length));
        after.V.resize(static_cast<std::size_t>(length));
        bool seen = true;
        for (std::uint64_t t = 0; t < length; ++t) {
          if (after.sees(config, t) && !told.sees(config, t)) seen = false;
        }
        if (length > config.sinks && length < told.evicted) seen = false;
        if (seen) CHECK(done.has_value());
        if (done) {
          after.evicted = std::min(after.evicted, length);
          told = after;
        } else {
          CHECK(error_of(done).field == "length");
        }
      } else if (what == 7 && all.size() < 5) {
        const auto made = cache.fork(sequence, n);
        all[value_of(made)] = told;
      } else if (what == 8) {
        const std::uint64_t kept = dice.between(0, 20);
        REQUIRE(cache.evict(sequence, kept).has_value());
        if (n > kept) told.evicted = std::max(told.evicted, n - kept);
      } else if (what == 9 && all.size() > 1) {
        REQUIRE(cache.close(sequence).has_value());
        all.erase(each);
      }
      std::uint64_t visible = 0;
      std::uint64_t most_pages = 0;
      for (const auto& [number, its] : all) {
        const std::vector<float> q = floats(normals, 4 * 8);
        const std::size_t layer = dice.between(0, 1);
        const std::vector<float> answer = attended(cache, number, layer, q);
        REQUIRE(apart(answer, expected(config, its, layer, q)) < 2e-6);
        const SequenceStats stats = value_of(cache.stats(number));
        CHECK(stats.length == its.K.size());
        CHECK(stats.visible_tokens == its.visible(config));
        CHECK(stats.needed_bytes == its.visible(config) * row_bytes_of(config));
        visible += its.visible(config);
        if (config.layout == CacheLayout::paged) {
          CHECK(stats.blocks == pages_by_words(its.K.size(), config, its.evicted));
        }
        most_pages += stats.blocks;
      }
      const CacheStats stats = cache.stats();
      CHECK(stats.sequences == all.size());
      CHECK(stats.needed_bytes == visible * row_bytes_of(config));
      CHECK(stats.allocated_bytes == stats.blocks * stats.block_bytes);
      CHECK(stats.blocks <= most_pages);
      if (room != 0) {
        CHECK(stats.allocated_bytes == all.size() * room * row_bytes_of(config));
      } else {
        CHECK(stats.block_bytes == config.page_tokens * row_bytes_of(config));
      }
    }
    for (const auto& [number, its] : all) {
      REQUIRE(cache.close(number).has_value());
    }
    CHECK(cache.stats().allocated_bytes == 0);
    CHECK(cache.stats().sequences == 0);
  }
}

TEST_CASE("paged gives bit by bit what contiguous gives") {
  Normals normals(2);
  for (const char* format : {"f32", "f16", "q8_0", "q4_0"}) {
    CacheConfig contiguous = small(CacheLayout::contiguous);
    contiguous.capacity = 300;
    contiguous.format = format;
    CacheConfig paged = small(CacheLayout::paged);
    paged.format = format;
    KvCache one = value_of(KvCache::make(contiguous));
    KvCache other = value_of(KvCache::make(paged));
    CHECK(other.config().page_tokens == 16);
    const std::uint64_t a = value_of(one.open());
    const std::uint64_t b = value_of(other.open());
    for (int t = 0; t < 299; ++t) {
      const std::vector<float> K = floats(normals, 2 * 2 * 8);
      const std::vector<float> V = floats(normals, 2 * 2 * 12);
      REQUIRE(one.append(a, 1, K, V).has_value());
      REQUIRE(other.append(b, 1, K, V).has_value());
      const std::vector<float> q = floats(normals, 4 * 8);
      REQUIRE(attended(one, a, 1, q) == attended(other, b, 1, q));
      REQUIRE(one.stats().needed_bytes == other.stats().needed_bytes);
    }
  }
}

TEST_CASE("both back ends agree, and give the logarithm of the sum of exponentials") {
  Normals normals(3);
  for (const char* format : {"f32", "f16", "q8_0", "q4_0"}) {
    CacheConfig config = small(CacheLayout::paged);
    config.format = format;
    config.window = 40;
    config.sinks = 3;
    KvCache cache = value_of(KvCache::make(config));
    const std::uint64_t sequence = value_of(cache.open());
    Told told;
    append(cache, sequence, told, normals, 100);
    const std::vector<float> q = floats(normals, 4 * 8);
    std::vector<std::vector<float>> outputs;
    std::vector<std::vector<float>> sums;
    for (const Backend backend : backends()) {
      outputs.emplace_back(4 * 12);
      sums.emplace_back(4);
      REQUIRE(cache.attend(sequence, 0, backend, q, outputs.back(), sums.back()).has_value());
    }
    CHECK(apart(outputs.front(), outputs.back()) < 2e-6);
    CHECK(apart(sums.front(), sums.back()) < 2e-6);
  }
}

TEST_CASE("a window of all tokens is no window, and W counts the token itself") {
  Normals normals(4);
  for (const CacheLayout layout : {CacheLayout::contiguous, CacheLayout::paged}) {
    CacheConfig config = small(layout);
    config.window = 64;
    KvCache windowed = value_of(KvCache::make(config));
    config.window = 4;
    KvCache narrow = value_of(KvCache::make(config));
    config.window = 0;
    KvCache full = value_of(KvCache::make(config));
    const std::uint64_t a = value_of(windowed.open());
    const std::uint64_t b = value_of(full.open());
    const std::uint64_t c = value_of(narrow.open());
    for (std::uint64_t n = 1; n <= 64; ++n) {
      const std::vector<float> K = floats(normals, 2 * 2 * 8);
      const std::vector<float> V = floats(normals, 2 * 2 * 12);
      REQUIRE(windowed.append(a, 1, K, V).has_value());
      REQUIRE(full.append(b, 1, K, V).has_value());
      REQUIRE(narrow.append(c, 1, K, V).has_value());
      const std::vector<float> q = floats(normals, 4 * 8);
      REQUIRE(attended(windowed, a, 0, q) == attended(full, b, 0, q));
    }
    // Query 10 of hard case N7 sees 7 to 10: here query 63 sees 60 to 63.
    const SequenceStats stats = value_of(narrow.stats(c));
    CHECK(stats.first_visible == 60);
    CHECK(stats.visible_tokens == 4);
  }
}

TEST_CASE("a window is the mask of a window") {
  Normals normals(5);
  CacheConfig config = small(CacheLayout::contiguous);
  config.window = 7;
  config.capacity = 0;
  KvCache cache = value_of(KvCache::make(config));
  const std::uint64_t sequence = value_of(cache.open());
  Told told;
  for (std::size_t n = 1; n <= 30; ++n) {
    append(cache, sequence, told, normals, 1);
    const std::vector<float> q = floats(normals, 4 * 8);
    std::vector<float> k(2 * n * 8);
    std::vector<float> v(2 * n * 12);
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t h = 0; h < 2; ++h) {
        std::copy_n(told.K[t].data() + h * 8, 8, k.data() + (h * n + t) * 8);
        std::copy_n(told.V[t].data() + h * 12, 12, v.data() + (h * n + t) * 12);
      }
    }
    HeadsInput input{.shape = {4, 2, 1, n, 8, 12, n}};
    input.mask.causal = true;
    input.mask.window = 7;
    input.Q = q;
    input.K = k;
    input.V = v;
    std::vector<float> output(4 * 12);
    REQUIRE(attention_heads(input, Backend::scalar, output, {}).has_value());
    CHECK(apart(attended(cache, sequence, 0, q), output) < 2e-6);
  }
}

TEST_CASE("as many KV heads as heads are multi-head attention, and one is shared by all") {
  Normals normals(6);
  // Keys of one KV head, given once and given to each head anew.
  CacheConfig shared = small(CacheLayout::paged);
  shared.n_kv_heads = 1;
  CacheConfig own = small(CacheLayout::paged);
  own.n_kv_heads = 4;
  KvCache one = value_of(KvCache::make(shared));
  KvCache all = value_of(KvCache::make(own));
  const std::uint64_t a = value_of(one.open());
  const std::uint64_t b = value_of(all.open());
  for (int t = 0; t < 50; ++t) {
    const std::vector<float> K = floats(normals, 2 * 8);
    const std::vector<float> V = floats(normals, 2 * 12);
    std::vector<float> K4;
    std::vector<float> V4;
    for (std::ptrdiff_t layer = 0; layer < 2; ++layer) {
      for (int h = 0; h < 4; ++h) {
        K4.insert(K4.end(), K.begin() + layer * 8, K.begin() + (layer + 1) * 8);
        V4.insert(V4.end(), V.begin() + layer * 12, V.begin() + (layer + 1) * 12);
      }
    }
    REQUIRE(one.append(a, 1, K, V).has_value());
    REQUIRE(all.append(b, 1, K4, V4).has_value());
    const std::vector<float> q = floats(normals, 4 * 8);
    CHECK(apart(attended(one, a, 1, q), attended(all, b, 1, q)) < 2e-6);
  }
  CHECK(all.stats().needed_bytes == 4 * one.stats().needed_bytes);
}

TEST_CASE("pages of a window: the closed form, at every length") {
  Dice dice(7);
  for (int turn = 0; turn < 40; ++turn) {
    CacheConfig config = small(CacheLayout::paged);
    config.n_layers = 1;
    config.page_tokens = dice.between(1, 12);
    config.window = dice.between(0, 40);
    config.sinks = dice.coin() ? dice.between(0, 30) : 0;
    KvCache cache = value_of(KvCache::make(config));
    const std::uint64_t one_by_one = value_of(cache.open());
    const std::vector<float> K(2 * 8);
    const std::vector<float> V(2 * 12);
    for (std::uint64_t n = 1; n <= 120; ++n) {
      REQUIRE(cache.append(one_by_one, 1, K, V).has_value());
      CAPTURE(n, config.page_tokens, config.window, config.sinks);
      const std::uint64_t pages =
          pages_by_formula(n, config.page_tokens, config.window, config.sinks);
      CHECK(pages == pages_by_words(n, config, 0));
      CHECK(value_of(cache.stats(one_by_one)).blocks == pages);
      CHECK(cache.stats().allocated_bytes == pages * config.page_tokens * 2 * (8 + 12) * 4);
      // All at once takes no page that would go back at once.
      KvCache other = value_of(KvCache::make(config));
      const std::uint64_t at_once = value_of(other.open());
      REQUIRE(other.grow(at_once, n).has_value());
      CHECK(other.stats().blocks == pages);
    }
  }
}

TEST_CASE("a prompt of more tokens than a window holds, at once or one by one") {
  Normals normals(8);
  for (const CacheLayout layout : {CacheLayout::contiguous, CacheLayout::paged}) {
    CacheConfig config = small(layout);
    config.window = 10;
    config.sinks = 2;
    config.capacity = 0;
    KvCache cache = value_of(KvCache::make(config));
    const std::uint64_t at_once = value_of(cache.open());
    Told told;
    append(cache, at_once, told, normals, 55);
    const std::uint64_t by_one = value_of(cache.open());
    for (std::size_t t = 0; t < 55; ++t) {
      REQUIRE(cache.append(by_one, 1, told.K[t], told.V[t]).has_value());
    }
    const std::vector<float> q = floats(normals, 4 * 8);
    CHECK(attended(cache, at_once, 1, q) == attended(cache, by_one, 1, q));
    CHECK(apart(attended(cache, at_once, 1, q), expected(config, told, 1, q)) < 2e-6);
    // What is read is in the order of the tokens.
    std::vector<float> K(12 * 2 * 8);
    std::vector<float> V(12 * 2 * 12);
    REQUIRE(cache.read(at_once, 0, K, V).has_value());
    const std::size_t seen[] = {0, 1, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54};
    for (std::size_t i = 0; i < 12; ++i) {
      CHECK(std::equal(K.begin() + static_cast<std::ptrdiff_t>(i * 16),
                       K.begin() + static_cast<std::ptrdiff_t>((i + 1) * 16),
                       told.K[seen[i]].begin()));
      CHECK(std::equal(V.begin() + static_cast<std::ptrdiff_t>(i * 24),
                       V.begin() + static_cast<std::ptrdiff_t>((i + 1) * 24),
                       told.V[seen[i]].begin()));
    }
  }
}

TEST_CASE("who writes after a fork changes nothing for the other") {
  Normals normals(9);
  for (const CacheLayout layout : {CacheLayout::contiguous, CacheLayout::paged}) {
    CacheConfig config = small(layout);
    KvCache cache = value_of(KvCache::make(config));
    const std::uint64_t first = value_of(cache.open());
    Told told;
    append(cache, first, told, normals, 40);
    const CacheStats alone = cache.stats();
    const std::uint64_t second = value_of(cache.fork(first, 37));
    Told other = told;
    other.K.resize(37);
    other.V.resize(37);
    // Shared: nothing was taken for the pages.
    CHECK(cache.stats().blocks == (layout == CacheLayout::paged ? alone.blocks : 2));
    CHECK(cache.stats().needed_bytes == alone.needed_bytes * 77 / 40);
    if (layout == CacheLayout::paged) {
      for (const TableEntry& entry : value_of(cache.table(second))) CHECK(entry.references == 2);
    }
    append(cache, second, other, normals, 3);
    append(cache, first, told, normals, 1);
    if (layout == CacheLayout::paged) {
      const auto a = value_of(cache.table(first));
      const auto b = value_of(cache.table(second));
      CHECK(a[0].id == b[0].id);
      CHECK(a[1].id == b[1].id);
      CHECK(a[2].id != b[2].id);
      CHECK(cache.stats().blocks == alone.blocks + 1);
    }
    const std::vector<float> q = floats(normals, 4 * 8);
    CHECK(apart(attended(cache, first, 1, q), expected(config, told, 1, q)) < 2e-6);
    CHECK(apart(attended(cache, second, 1, q), expected(config, other, 1, q)) < 2e-6);
    // Writing over a shared page, too.
    const std::uint64_t third = value_of(cache.fork(second, 40));
    const std::vector<float> K = floats(normals, 2 * 2 * 8);
    const std::vector<float> V = floats(normals, 2 * 2 * 12);
    REQUIRE(cache.write(third, 1, 15, 2, K, V).has_value());
    CHECK(apart(attended(cache, second, 1, q), expected(config, other, 1, q)) < 2e-6);
    CHECK(apart(attended(cache, third, 1, q), expected(config, other, 1, q)) > 1e-3);
    REQUIRE(cache.close(second).has_value());
    CHECK(apart(attended(cache, first, 1, q), expected(config, told, 1, q)) < 2e-6);
    REQUIRE(cache.close(first).has_value());
    REQUIRE(cache.close(third).has_value());
    CHECK(cache.stats().allocated_bytes == 0);
  }
}

TEST_CASE("layer by layer is the same as all layers at once") {
  Normals normals(10);
  CacheConfig config = small(CacheLayout::paged);
  KvCache cache = value_of(KvCache::make(config));
  const std::uint64_t a = value_of(cache.open());
  const std::uint64_t b = value_of(cache.open());
  const std::vector<float> K = floats(normals, 2 * 20 * 2 * 8);
  const std::vector<float> V = floats(normals, 2 * 20 * 2 * 12);
  REQUIRE(cache.append(a, 20, K, V).has_value());
  REQUIRE(cache.grow(b, 20).has_value());
  for (std::size_t layer = 0; layer < 2; ++layer) {
    REQUIRE(cache
                .write(b, layer, 0, 20, std::span(K).subspan(layer * 20 * 16, 20 * 16),
                       std::span(V).subspan(layer * 20 * 24, 20 * 24))
                .has_value());
    const std::vector<float> q = floats(normals, 4 * 8);
    CHECK(attended(cache, a, layer, q) == attended(cache, b, layer, q));
  }
}

TEST_CASE("quantized rows are within their bound, and so is what attends to them") {
  Normals normals(11);
  const std::pair<const char*, double> bounds[] = {
      {"f16", 0x1p-11}, {"q8_0", 1.0 / 254 + 0x1p-11}, {"q4_0", 1.0 / 8 + 0x1p-10}};
  CacheConfig config = small(CacheLayout::paged);
  config.n_layers = 1;
  for (const auto& [format, share] : bounds) {
    config.format = "f32";
    KvCache exact = value_of(KvCache::make(config));
    config.format = format;
    KvCache cache = value_of(KvCache::make(config));
    CHECK(cache.stats().token_bytes == row_bytes_of(config));
    const std::uint64_t a = value_of(exact.open());
    const std::uint64_t b = value_of(cache.open());
    const std::vector<float> K = floats(normals, 60 * 2 * 8);
    const std::vector<float> V = floats(normals, 60 * 2 * 12);
    REQUIRE(exact.append(a, 60, K, V).has_value());
    REQUIRE(cache.append(b, 60, K, V).has_value());
    std::vector<float> K_back(K.size());
    std::vector<float> V_back(V.size());
    REQUIRE(cache.read(b, 0, K_back, V_back).has_value());
    double largest_k = 0;
    double largest_v = 0;
    for (const float each : K)
      largest_k = std::max(largest_k, std::fabs(static_cast<double>(each)));
    for (const float each : V)
      largest_v = std::max(largest_v, std::fabs(static_cast<double>(each)));
    CAPTURE(format);
    CHECK(apart(K, K_back) <= share * largest_k + 0x1p-21);
    CHECK(apart(V, V_back) <= share * largest_v + 0x1p-21);
    CHECK(apart(K, K_back) > 0);
    const std::vector<float> q = floats(normals, 4 * 8);
    // Each score is off by at most e, so each weight by a factor within exp(-2 e) and exp(2 e), of
    // which a mean of values of size v moves by (exp(2 e) - 1) v; and each value by its own bound.
    double length = 0;
    for (std::size_t h = 0; h < 4; ++h) {
      double sum = 0;
      for (std::size_t c = 0; c < 8; ++c) sum += std::fabs(static_cast<double>(q[h * 8 + c]));
      length = std::max(length, sum);
    }
    const double e = length * share * largest_k / std::sqrt(8.0);
    const double bound = share * largest_v + std::expm1(2 * e) * largest_v * (1 + share) + 1e-5;
    CHECK(apart(attended(exact, a, 0, q), attended(cache, b, 0, q)) <= bound);
  }
}

TEST_CASE("NaN that is kept reaches those who see it, and no other") {
  Normals normals(12);
  CacheConfig config = small(CacheLayout::paged);
  config.window = 8;
  KvCache cache = value_of(KvCache::make(config));
  const std::uint64_t sequence = value_of(cache.open());
  Told told;
  append(cache, sequence, told, normals, 3);
  std::vector<float> K = floats(normals, 2 * 2 * 8);
  const std::vector<float> V = floats(normals, 2 * 2 * 12);
  // The first KV head of layer 1.
  K[2 * 8] = float_nan;
  REQUIRE(cache.append(sequence, 1, K, V).has_value());
  const std::vector<float> q = floats(normals, 4 * 8);
  const std::vector<float> other_layer = attended(cache, sequence, 0, q);
  CHECK(all_finite(other_layer));
  const std::vector<float> seen = attended(cache, sequence, 1, q);
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(std::isnan(seen[i]) == (i < 2 * 12));
  told.K.push_back(K);
  told.V.push_back(V);
  append(cache, sequence, told, normals, 8);
  CHECK(all_finite(attended(cache, sequence, 1, q)));
}

TEST_CASE("what a cache refuses names the field and changes nothing") {
  Normals normals(13);
  const auto refused = [](auto&& change) {
    CacheConfig config = small(CacheLayout::paged);
    change(config);
    return error_of(KvCache::make(config));
  };
  CHECK(refused([](CacheConfig& c) { c.n_kv_heads = 3; }).code == ErrorCode::shape_mismatch);
  CHECK(refused([](CacheConfig& c) { c.n_kv_heads = 0; }).field == "n_kv_heads");
  CHECK(refused([](CacheConfig& c) { c.d_k = 0; }).field == "d_k");
  CHECK(refused([](CacheConfig& c) { c.d_v = 100000; }).code == ErrorCode::too_large);
  CHECK(refused([](CacheConfig& c) { c.n_layers = 0; }).field == "n_layers");
  CHECK(refused([](CacheConfig& c) { c.format = "q5"; }).field == "format");
  CHECK(refused([](CacheConfig& c) { c.format = "bf16"; }).field == "format");
  CHECK(refused([](CacheConfig& c) { c.capacity = 10; }).field == "capacity");
  CHECK(refused([](CacheConfig& c) { c.rope_width = 4; }).field == "rope_width");
  CHECK(refused([](CacheConfig& c) { c.latent_rank = 4; }).field == "n_kv_heads");
  CHECK(refused([](CacheConfig& c) { c.page_tokens = std::uint64_t{1} << 40; }).field ==
        "page_tokens");
  const Error huge = refused([](CacheConfig& c) {
    c.page_tokens = 1 << 24;
    c.n_layers = 1024;
    c.d_k = c.d_v = 65536;
  });
  CHECK(huge.code == ErrorCode::too_large);
  CHECK(huge.field == "page_tokens");
  CHECK(refused([](CacheConfig& c) { c.layout = CacheLayout::contiguous; }).field == "capacity");
  const Error no_room = refused([](CacheConfig& c) {
    c.layout = CacheLayout::contiguous;
    c.capacity = c.sinks = 4;
  });
  CHECK(no_room.field == "capacity");
  CHECK(refused([](CacheConfig& c) {
          c.layout = CacheLayout::contiguous;
          c.window = std::uint64_t{1} << 52;
        }).field == "window");

  CacheConfig config = small(CacheLayout::paged);
  config.window = 10;
  config.page_tokens = 4;
  KvCache cache = value_of(KvCache::make(config));
  const std::uint64_t sequence = value_of(cache.open());
  Told told;
  append(cache, sequence, told, normals, 30);
  const std::vector<float> q = floats(normals, 4 * 8);
  const std::vector<float> before = attended(cache, sequence, 0, q);
  const std::uint64_t allocated = cache.stats().allocated_bytes;
  const std::vector<float> row(2 * 2 * 8);
  std::vector<float> output(4 * 12);
  // 20 is the first that is seen, and its page is whole: nothing before it is left.
  CHECK(error_of(cache.roll_back(sequence, 29)).field == "length");
  CHECK(error_of(cache.roll_back(sequence, 31)).field == "length");
  CHECK(error_of(cache.fork(sequence, 12)).code == ErrorCode::out_of_range);
  CHECK(error_of(cache.append(sequence, 0, {}, {})).field == "count");
  CHECK(error_of(cache.append(sequence, std::uint64_t{1} << 60, {}, {})).field == "count");
  CHECK(error_of(cache.append(sequence, 1, row, row)).field == "V");
  CHECK(error_of(cache.append(sequence, 1, {}, row)).field == "K");
  CHECK(error_of(cache.append(sequence + 1, 1, row, row)).field == "sequence");
  CHECK(error_of(cache.grow(sequence, 1 << 24)).code == ErrorCode::too_large);
  CHECK(error_of(cache.write(sequence, 2, 0, 1, row, row)).field == "layer");
  const std::vector<float> k_row(2 * 8);
  const std::vector<float> v_row(2 * 12);
  CHECK(error_of(cache.write(sequence, 0, 30, 1, k_row, v_row)).field == "first");
  CHECK(error_of(cache.write(sequence, 0, ~std::uint64_t{0}, 1, k_row, v_row)).field == "first");
  CHECK(error_of(cache.attend(sequence, 2, Backend::scalar, q, output, {})).field == "layer");
  CHECK(error_of(cache.attend(sequence, 0, Backend::scalar, k_row, output, {})).field == "q");
  CHECK(error_of(cache.attend(sequence, 0, Backend::scalar, q, {}, {})).field == "output");
  CHECK(attended(cache, sequence, 0, q) == before);
  CHECK(cache.stats().allocated_bytes == allocated);
  CHECK(value_of(cache.stats(sequence)).length == 30);
  REQUIRE(cache.close(sequence).has_value());
  CHECK(error_of(cache.close(sequence)).field == "sequence");
  CHECK(error_of(cache.stats(sequence)).field == "sequence");
  CHECK(error_of(cache.table(sequence)).field == "sequence");
  CHECK(error_of(cache.evict(sequence, 1)).field == "sequence");
  CHECK(value_of(cache.open()) != sequence);

  CacheConfig full = small(CacheLayout::contiguous);
  full.capacity = 5;
  KvCache five = value_of(KvCache::make(full));
  const std::uint64_t only = value_of(five.open());
  Told its;
  append(five, only, its, normals, 5);
  const std::vector<float> kept = attended(five, only, 0, q);
  const std::vector<float> K(2 * 2 * 8);
  const std::vector<float> V(2 * 2 * 12);
  const Error error = error_of(five.append(only, 1, K, V));
  CHECK(error.field == "capacity");
  CHECK(error.code == ErrorCode::too_large);
  CHECK(attended(five, only, 0, q) == kept);
  REQUIRE(five.evict(only, 3).has_value());
  CHECK(five.append(only, 2, floats(normals, 2 * 2 * 2 * 8), floats(normals, 2 * 2 * 2 * 12))
            .has_value());
  CHECK(error_of(five.append(only, 1, K, V)).field == "capacity");
}

TEST_CASE("a cache may be moved while sequences are open, and goes with them") {
  Normals normals(14);
  KvCache first = value_of(KvCache::make(small(CacheLayout::paged)));
  const std::uint64_t sequence = value_of(first.open());
  Told told;
  append(first, sequence, told, normals, 20);
  KvCache second = std::move(first);
  append(second, sequence, told, normals, 20);
  const std::vector<float> q = floats(normals, 4 * 8);
  CHECK(apart(attended(second, sequence, 0, q), expected(second.config(), told, 0, q)) < 2e-6);
  CHECK(second.stats().blocks == 3);
}

TEST_CASE("a query may see the sequence as it was, or without some of its tokens") {
  Normals normals(77);
  for (const CacheLayout layout : {CacheLayout::contiguous, CacheLayout::paged}) {
    for (const std::uint64_t window : {0U, 20U}) {
      CacheConfig config = small(layout);
      config.window = window;
      config.sinks = window == 0 ? 0 : 3;
      if (layout == CacheLayout::paged) config.page_tokens = 8;
      KvCache cache = value_of(KvCache::make(config));
      const std::uint64_t sequence = value_of(cache.open());
      Told told;
      append(cache, sequence, told, normals, 50);
      const std::vector<float> q = floats(normals, config.n_heads * config.d_k);
      std::vector<float> output(static_cast<std::size_t>(config.n_heads * config.d_v));
      const auto check = [&](const Told& seen, const CacheView& view) {
        const auto done = cache.attend(sequence, 1, Backend::scalar, q, output, {}, view);
        REQUIRE(done.has_value());
        const std::vector<float> wanted = expected(config, seen, 1, q);
        for (std::size_t c = 0; c < output.size(); ++c) {
          CHECK(std::fabs(output[c] - wanted[c]) <= 1e-6F);
        }
      };
      for (std::uint64_t length = 1; length <= 50; ++length) {
        CAPTURE(static_cast<int>(layout), window, length);
        // What has left the window is gone for earlier queries, too.
        const CacheView view = {.length = length};
        const bool is_kept = cache.fork(sequence, length).has_value();
        const auto done = cache.attend(sequence, 1, Backend::scalar, q, output, {}, view);
        CHECK(done.has_value() == is_kept);
        if (!is_kept) {
          CHECK(error_of(done).field == "length");
          continue;
        }
        Told seen = told;
        seen.K.resize(static_cast<std::size_t>(length));
        seen.V.resize(static_cast<std::size_t>(length));
        check(seen, view);
      }
      if (window != 0) continue;
      const std::uint64_t hidden[] = {0, 1, 7, 8, 30, 49};
      Told seen = told;
      for (std::size_t i = std::size(hidden); i-- > 0;) {
        const auto at = static_cast<std::ptrdiff_t>(hidden[i]);
        seen.K.erase(seen.K.begin() + at);
        seen.V.erase(seen.V.begin() + at);
      }
      check(seen, {.hidden = hidden});
      CHECK(error_of(cache.attend(sequence, 1, Backend::scalar, q, output, {}, {.length = 51}))
                .field == "length");
    }
  }
}
