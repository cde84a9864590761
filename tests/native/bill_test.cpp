#include "kv_cache/bill.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "support.hpp"

namespace attn {
namespace {

using Catch::Matchers::WithinRel;
using test::error_of;
using test::value_of;

CacheModel llama_8b() {
  CacheModel model;
  model.n_layers = model.full_layers = 32;
  model.n_heads = 32;
  model.d_model = 4096;
  model.n_kv_heads = 8;
  model.d_k = model.d_v = 128;
  model.parameters = model.active_parameters = 8'000'000'000;
  return model;
}

CacheModel gemma_27b() {
  CacheModel model;
  model.n_layers = 62;
  model.n_heads = 32;
  model.full_layers = 10;
  model.n_kv_heads = model.local_n_kv_heads = 16;
  model.d_k = model.d_v = model.local_d_k = model.local_d_v = 128;
  model.local_layers = 52;
  model.window = 1024;
  model.parameters = model.active_parameters = 27'000'000'000;
  return model;
}

NumberFormat format(std::string_view name) { return value_of(number_format("format", name)); }

CachePlan plan(std::uint64_t tokens, std::uint64_t sequences = 1) {
  CachePlan made;
  made.cache_format = made.weight_format = format("f16");
  made.state_format = format("f32");
  made.tokens = tokens;
  made.sequences = sequences;
  return made;
}

/// The lecture's 80 GB; bandwidth and arithmetic of round numbers, so that times are seen at once.
Accelerator lecture_card() {
  Accelerator card;
  card.memory_bytes = 80'000'000'000;
  card.bandwidth_bytes_s = 2'000'000'000'000;
  card.flops_s = 300'000'000'000'000;
  return card;
}

/// A model of any shape that check_cache_model accepts.
class AnyModel {
 public:
  explicit AnyModel(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t below(std::uint64_t n) { return bits_.next() % n; }

  CacheModel next() {
    CacheModel model;
    model.n_kv_heads = 1 + below(6);
    model.n_heads = model.n_kv_heads * (1 + below(4));
    // One in eight has no attention at all, another none that is full.
    const std::uint64_t kind = below(8);
    if (kind > 1) {
      model.full_layers = 1 + below(5);
      model.d_k = 1 + below(70);
      model.d_v = 1 + below(70);
      if (below(3) == 0) {
        model.latent_rank = 1 + below(90);
        model.rope_width = below(model.d_k);
      }
      if (below(4) == 0) {
        model.index_width = 1 + below(40);
        model.index_top_k = below(60);
      }
      model.full_sharing = below(model.full_layers);
    }
    if (kind == 1 || (kind > 1 && below(2) == 0)) {
      model.local_layers = 1 + below(6);
      model.window = 1 + below(40);
      model.sinks = below(6);
      model.local_n_kv_heads = model.n_kv_heads;
      model.local_d_k = 1 + below(70);
      model.local_d_v = 1 + below(70);
      model.local_sharing = below(model.local_layers);
    }
    if (kind == 0 || below(3) == 0) {
      model.state_layers = 1;
      model.state_numbers = 1 + below(1000);
    }
    model.n_layers = std::max<std::uint64_t>(1, model.full_layers + model.local_layers + below(3));
    model.parameters = 1'000'000 + below(1'000'000);
    model.active_parameters = model.parameters - below(100'000);
    return model;
  }

 private:
  SplitMix64 bits_;
};

/// A row as a text of bits, counted number by number: another way than row_bytes.
std::uint64_t counted_row(const NumberFormat& kept, std::uint64_t width) {
  std::uint64_t bits = 0;
  std::uint64_t scales = 0;
  for (std::uint64_t c = 0; c < width; ++c) {
    bits += kept.bits;
    if (kept.block != 0 && c % kept.block == 0) scales += kept.block_bytes;
  }
  while (bits % 8 != 0) ++bits;
  return bits / 8 + scales;
}

TEST_CASE("a row's bytes are its numbers' bits and each begun block's own") {
  for (const NumberFormat& kept : number_formats()) {
    for (std::uint64_t width = 0; width <= 130; ++width) {
      CHECK(value_of(row_bytes("d_k", kept, width)) == counted_row(kept, width));
    }
  }
  // ggml's: 34 bytes for 32 numbers of 8 bits, 18 for 4 bits, 20 with an offset.
  CHECK(value_of(row_bytes("d_k", format("q8_0"), 128)) == 4 * 34);
  CHECK(value_of(row_bytes("d_k", format("q4_0"), 128)) == 4 * 18);
  CHECK(value_of(row_bytes("d_k", format("q4_1"), 128)) == 4 * 20);
  CHECK(error_of(row_bytes("d_k", format("f32"), std::uint64_t{1} << 60)).field == "d_k");
  const Error unknown = error_of(number_format("cache_format", "f7"));
  CHECK(unknown.field == "cache_format");
  CHECK(unknown.message.find("q8_0") != std::string::npos);
}

TEST_CASE("the lecture's cache on 80 GB") {
  const CacheBill bill = value_of(cache_bill(llama_8b(), plan(32'768, 8)));
  CHECK(bill.full.numbers == 2 * 8 * 128);
  CHECK(bill.full.layer_token_bytes == 4096);
  CHECK(bill.token_bytes == 131'072);
  CHECK(bill.needed_bytes == 34'359'738'368);
  CHECK(bill.allocated_bytes == 34'359'738'368);
  const MemoryBill memory = value_of(memory_bill(llama_8b(), plan(32'768, 8), lecture_card()));
  CHECK(memory.weight_bytes == 16'000'000'000);
  CHECK(memory.total_bytes == 50'359'738'368);
  CHECK(memory.fits);
  CHECK(memory.free_bytes == 29'640'261'632);
  const CacheModel mha = with_scheme(llama_8b(), Scheme::mha);
  CHECK(value_of(cache_bill(mha, plan(32'768, 8))).needed_bytes == 137'438'953'472);
  CHECK_FALSE(value_of(memory_bill(mha, plan(32'768, 8), lecture_card())).fits);
  CHECK(value_of(cache_bill(llama_8b(), plan(131'072, 8))).needed_bytes == 137'438'953'472);
}

TEST_CASE("bytes of a token in each scheme, at the lecture's three sizes") {
  struct Size {
    std::uint64_t layers, heads, mha, gqa, mqa, mla;
  };
  const auto [layers, heads, mha, gqa, mqa, mla] =
      GENERATE(Size{32, 32, 524'288, 131'072, 16'384, 36'864},
               Size{80, 64, 2'621'440, 327'680, 40'960, 92'160},
               Size{126, 128, 8'257'536, 516'096, 64'512, 145'152});
  CacheModel model = llama_8b();
  model.n_layers = model.full_layers = layers;
  model.n_heads = heads;
  const auto bytes = [&](Scheme scheme) {
    return value_of(cache_bill(with_scheme(model, scheme), plan(1))).token_bytes;
  };
  CHECK(bytes(Scheme::mha) == mha);
  CHECK(bytes(Scheme::gqa) == gqa);
  CHECK(bytes(Scheme::own) == gqa);
  CHECK(bytes(Scheme::mqa) == mqa);
  CHECK(bytes(Scheme::mla) == mla);
}

TEST_CASE("published faults of other calculators, K1 to K11") {
  const auto bytes = [](std::uint64_t layers, std::uint64_t heads, std::uint64_t kv,
                        std::uint64_t width) {
    CacheModel model = llama_8b();
    model.n_layers = model.full_layers = layers;
    model.n_heads = heads;
    model.n_kv_heads = kv;
    model.d_k = model.d_v = width;
    return value_of(cache_bill(model, plan(1))).token_bytes;
  };
  // K1: not 25.6 GB.
  CHECK(value_of(cache_bill(llama_8b(), plan(8192))).needed_bytes == 1'073'741'824);
  // K2: a head's width is a field of its own: 36 layers of 8 x 128, though 2560 / 32 = 80.
  CHECK(bytes(36, 32, 8, 128) == 147'456);
  CHECK(bytes(80, 64, 8, 128) * 32'768 == 10'737'418'240);  // K9: 10.000 GiB
  CHECK(bytes(12, 12, 12, 64) == 36'864);  // K11: GPT-2
  CHECK(bytes(30, 9, 3, 64) == 23'040);  // K11: SmolLM2-135M
  // K7, K8: what attention needs, and what an engine keeps that knows no windows.
  CachePlan whole = plan(131'072);
  const CacheBill gemma = value_of(cache_bill(gemma_27b(), whole));
  CHECK(gemma.needed_bytes == 11'173'625'856);
  CHECK(gemma.local.needed_tokens == 1024);
  CHECK(gemma.token_bytes == 62 * 8192);
  CHECK(gemma.late_token_bytes == 10 * 8192);
  whole.keeps_whole_windows = true;
  const CacheBill kept = value_of(cache_bill(gemma_27b(), whole));
  CHECK(kept.needed_bytes == 11'173'625'856);
  CHECK(kept.allocated_bytes == 66'571'993'088);  // 62 GiB
}

TEST_CASE("latents: 1/57 of 128 heads of 128, and what it is of other shapes") {
  CacheModel model = llama_8b();
  model.n_layers = model.full_layers = 61;
  model.n_heads = model.n_kv_heads = 128;
  const CacheBill bill = value_of(cache_bill(with_scheme(model, Scheme::mla), plan(1)));
  CHECK(bill.token_bytes == 61 * 576 * 2);
  // Compared with heads of the model that was asked about, without a latent.
  CHECK(bill.mha_token_bytes == 61 * 2 * 128 * 128 * 2);
  CHECK_THAT(static_cast<double>(bill.mha_token_bytes) / static_cast<double>(bill.token_bytes),
             WithinRel(512.0 / 9, 1e-12));
  // Keys that carry the rotary part beside, as DeepSeek-V3's own: 1/71.
  model.d_k = 192;
  model.latent_rank = 512;
  model.rope_width = 64;
  const CacheBill own = value_of(cache_bill(model, plan(1)));
  CHECK(own.token_bytes == 61 * 576 * 2);
  CHECK(own.mha_token_bytes == 61 * 128 * 320 * 2);
}

TEST_CASE("pages are those of the tokens that are seen, for any window") {
  AnyModel any(7);
  for (int round = 0; round < 3000; ++round) {
    CacheModel model = any.next();
    CachePlan asked = plan(1 + any.below(120), 1 + any.below(3));
    asked.page_tokens = 1 + any.below(9);
    asked.cache_format =
        number_formats()[static_cast<std::size_t>(any.below(number_formats().size()))];
    const CacheBill bill = value_of(cache_bill(model, asked));

    // Token by token and page by page.
    std::set<std::uint64_t> full_pages;
    std::set<std::uint64_t> local_pages;
    std::uint64_t seen = 0;
    for (std::uint64_t t = 0; t < asked.tokens; ++t) {
      full_pages.insert(t / asked.page_tokens);
      if (t < model.sinks || t + model.window >= asked.tokens) {
        ++seen;
        local_pages.insert(t / asked.page_tokens);
      }
    }
    const auto row = [&](std::uint64_t heads, std::uint64_t width) {
      return heads * counted_row(asked.cache_format, width);
    };
    const std::uint64_t full =
        (model.full_layers - model.full_sharing) *
        ((model.latent_rank != 0
              ? row(1, model.latent_rank) + row(1, model.rope_width)
              : row(model.n_kv_heads, model.d_k) + row(model.n_kv_heads, model.d_v)) +
         row(1, model.index_width));
    const std::uint64_t local =
        (model.local_layers - model.local_sharing) * (row(model.local_n_kv_heads, model.local_d_k) +
                                                      row(model.local_n_kv_heads, model.local_d_v));
    const std::uint64_t state = model.state_layers * 4 * model.state_numbers;
    CHECK(bill.sequence_needed_bytes ==
          full * asked.tokens + (local == 0 ? 0 : local * seen) + state);
    CHECK(bill.sequence_allocated_bytes ==
          asked.page_tokens *
                  (full * full_pages.size() + (local == 0 ? 0 : local * local_pages.size())) +
              state);
    CHECK(bill.needed_bytes == asked.sequences * bill.sequence_needed_bytes);
    CHECK(bill.unused_bytes == bill.allocated_bytes - bill.needed_bytes);

    // Room from the start: never less than what is needed.
    asked.allocation = Allocation::reserved;
    asked.reserved_tokens = any.below(200);
    const CacheBill reserved = value_of(cache_bill(model, asked));
    CHECK(reserved.needed_bytes == bill.needed_bytes);
    CHECK(reserved.allocated_bytes >= reserved.needed_bytes);
    if (model.full_layers > 0) {
      CHECK(reserved.full.allocated_tokens == std::max(asked.tokens, asked.reserved_tokens));
    }
  }
}

TEST_CASE("as many KV heads as heads is MHA, and a window of n is none") {
  AnyModel any(11);
  for (int round = 0; round < 300; ++round) {
    CacheModel model = any.next();
    if (model.full_layers + model.local_layers == 0) continue;
    const CachePlan asked = plan(1 + any.below(100), 1 + any.below(4));
    CacheModel grouped = with_scheme(model, Scheme::gqa);
    grouped.n_kv_heads = grouped.n_heads;
    const CacheBill mha = value_of(cache_bill(with_scheme(model, Scheme::mha), asked));
    CHECK(value_of(cache_bill(grouped, asked)).allocated_bytes == mha.allocated_bytes);
    CHECK(mha.token_bytes == mha.mha_token_bytes);

    CacheModel local = with_scheme(model, Scheme::mha);
    local.local_layers = local.full_layers;
    local.full_layers = 0;
    local.window = asked.tokens;
    local.local_n_kv_heads = local.n_heads;
    local.local_d_k = local.d_k;
    local.local_d_v = local.d_v;
    CHECK(value_of(cache_bill(local, asked)).allocated_bytes == mha.allocated_bytes);
  }
}

TEST_CASE("what fits, fits, and one more does not") {
  AnyModel any(13);
  for (int round = 0; round < 300; ++round) {
    const CacheModel model = any.next();
    CachePlan asked = plan(1 + any.below(300), 1 + any.below(5));
    asked.page_tokens = 1 + any.below(20);
    Accelerator card = lecture_card();
    card.memory_bytes = 1 + any.below(20'000'000);
    card.count = 1 + any.below(3);
    card.other_bytes = any.below(1000);
    const MemoryBill memory = value_of(memory_bill(model, asked, card));
    const MemoryRoom room = value_of(memory_room(model, asked, card));
    CHECK(memory.memory_bytes == card.count * card.memory_bytes);
    CHECK(memory.fits == (room.most_sequences >= asked.sequences));
    CHECK(memory.free_bytes + memory.total_bytes == memory.memory_bytes + memory.missing_bytes);
    const auto fits = [&](std::uint64_t tokens, std::uint64_t sequences) {
      CachePlan moved = asked;
      moved.tokens = tokens;
      moved.sequences = sequences;
      return value_of(memory_bill(model, moved, card)).fits;
    };
    if (room.most_sequences > 0) CHECK(fits(asked.tokens, room.most_sequences));
    CHECK_FALSE(fits(asked.tokens, room.most_sequences + 1));
    // Every length up to the longest, the ends of windows and pages among them.
    std::uint64_t shorter = 0;
    while (shorter < std::min<std::uint64_t>(room.most_tokens, 400) &&
           fits(shorter + 1, asked.sequences)) {
      ++shorter;
    }
    CHECK(shorter == std::min<std::uint64_t>(room.most_tokens, 400));
    if (room.most_tokens > 0) CHECK(fits(room.most_tokens, asked.sequences));
    if (!room.tokens_unbounded) CHECK_FALSE(fits(room.most_tokens + 1, asked.sequences));
  }
  CacheModel windows = llama_8b();
  windows = with_scheme(windows, Scheme::sliding);
  CHECK(value_of(memory_room(windows, plan(100), lecture_card())).tokens_unbounded);
  // 4,096 tokens lie in 256 pages of 16 or, when the window begins inside one, in 257.
  Accelerator card = lecture_card();
  card.memory_bytes = 16'000'000'000 + 131'072ULL * 16 * 256;
  const MemoryRoom room = value_of(memory_room(windows, plan(100), card));
  CHECK_FALSE(room.tokens_unbounded);
  CHECK(room.most_tokens == 4096);
  card.memory_bytes += 131'072ULL * 16;
  CHECK(value_of(memory_room(windows, plan(100), card)).tokens_unbounded);
}

TEST_CASE("a step is bound by what takes longer") {
  const DecodeBill decode = value_of(decode_bill(llama_8b(), plan(32'768, 8), lecture_card()));
  CHECK(decode.weight_bytes == 16e9);
  CHECK(decode.cache_bytes == 34'359'738'368.0);
  CHECK(decode.weight_flops == 2 * 8e9 * 8);
  // 2 (128 + 128) operations for each of 32 heads, 32 layers, 32,768 tokens and 8 sequences.
  CHECK(decode.attention_flops == 137'438'953'472.0);
  CHECK(decode.roof.bound_by == BoundBy::bandwidth);
  CHECK_THAT(decode.roof.seconds, WithinRel(50'359'738'368.0 / 2e12, 1e-12));
  CHECK_THAT(decode.tokens_per_s, WithinRel(8 * 2e12 / 50'359'738'368.0, 1e-12));
  CHECK(decode.roof.ridge == 150);
  CHECK(decode.roof.peak_flops_s == 3e14);
  Accelerator slow = lecture_card();
  slow.flops_s = 1'000'000'000;
  CHECK(value_of(decode_bill(llama_8b(), plan(32'768, 8), slow)).roof.bound_by ==
        BoundBy::arithmetic);
  Accelerator two = lecture_card();
  two.count = 2;
  CHECK_THAT(value_of(decode_bill(llama_8b(), plan(32'768, 8), two)).roof.seconds,
             WithinRel(decode.roof.seconds / 2, 1e-12));
  // A layer that shares reads as much as one that keeps.
  CacheModel sharing = llama_8b();
  sharing.full_sharing = 16;
  CHECK(value_of(decode_bill(sharing, plan(32'768, 8), lecture_card())).cache_bytes ==
        decode.cache_bytes);
  CHECK(value_of(cache_bill(sharing, plan(32'768, 8))).needed_bytes == 34'359'738'368 / 2);
}

TEST_CASE("an indexer's keys are read for every token, latents for the chosen") {
  CacheModel model = llama_8b();
  model.latent_rank = 512;
  model.rope_width = 64;
  model.index_width = 128;
  const auto step = [&](std::uint64_t top_k) {
    model.index_top_k = top_k;
    return value_of(decode_bill(model, plan(32'768), lecture_card()));
  };
  CHECK(step(0).cache_bytes == 32.0 * 32'768 * 2 * (576 + 128));
  CHECK(step(2048).cache_bytes == 32.0 * 2 * (32'768.0 * 128 + 2048.0 * 576));
  CHECK(step(0).attention_flops == 16 * step(2048).attention_flops);
  CHECK(step(40'000).cache_bytes == step(0).cache_bytes);
  // What is kept does not depend on what is chosen.
  CHECK(value_of(cache_bill(model, plan(32'768))).needed_bytes == 32ULL * 32'768 * 2 * 704);
  // A query of a prompt sees itself and what came before, up to as many.
  model.index_top_k = 3;
  CHECK(value_of(prefill_work(model, 5)).attention_flops ==
        2.0 * 32 * 32 * 256 * (1 + 2 + 3 + 3 + 3));
}

TEST_CASE("a prompt's work, pair by pair") {
  AnyModel any(17);
  for (int round = 0; round < 200; ++round) {
    const CacheModel model = any.next();
    const std::uint64_t n = 1 + any.below(90);
    double full = 0;
    double local = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      for (std::uint64_t j = 0; j <= i; ++j) {
        if (model.index_top_k == 0 || i - j < model.index_top_k) ++full;
        if (j < model.sinks || j + model.window > i) ++local;
      }
    }
    const double heads = 2 * static_cast<double>(model.n_heads);
    const double expected =
        heads * (full * static_cast<double>(model.full_layers * (model.d_k + model.d_v)) +
                 (model.local_layers == 0
                      ? 0
                      : local * static_cast<double>(model.local_layers *
                                                    (model.local_d_k + model.local_d_v))));
    const PrefillBill prefill = value_of(prefill_bill(model, plan(n, 3), lecture_card()));
    CHECK(prefill.attention_flops == expected);
    CHECK(prefill.linear_flops ==
          static_cast<double>(n) *
              static_cast<double>(2 * model.active_parameters +
                                  5 * model.state_layers * model.state_numbers));
    CHECK_THAT(prefill.linear_percent + prefill.attention_percent, WithinRel(100.0, 1e-12));
  }
}

TEST_CASE("twice the prompt: linear twice, attention four times, and where they cross") {
  const auto at = [](std::uint64_t n) {
    return value_of(prefill_bill(llama_8b(), plan(n), lecture_card()));
  };
  CHECK(at(8192).linear_flops == 2 * at(4096).linear_flops);
  // n (n + 1) / 2 pairs: four times up to 1/n.
  CHECK_THAT(at(8192).attention_flops / at(4096).attention_flops, WithinRel(4.0, 2e-4));
  // 2 P n = 2 h (d_k + d_v) L n (n + 1) / 2 at n + 1 = 16e9 / 262,144.
  const std::uint64_t crossing = value_of(prefill_crossing(llama_8b()));
  CHECK(crossing == 61'035);
  CHECK(at(crossing).attention_flops >= at(crossing).linear_flops);
  CHECK(at(crossing - 1).attention_flops < at(crossing - 1).linear_flops);
  CHECK(at(100).roof.bound_by == BoundBy::bandwidth);
  CHECK(at(1000).roof.bound_by == BoundBy::arithmetic);
  CHECK(value_of(prefill_crossing(with_scheme(llama_8b(), Scheme::sliding))) == 0);
}

TEST_CASE("projections to keys and values at 70B's shape") {
  CacheModel model = llama_8b();
  model.n_layers = model.full_layers = 80;
  model.n_heads = 64;
  model.d_model = 8192;
  CHECK(value_of(key_value_parameters(with_scheme(model, Scheme::mha))) == 10'737'418'240);
  CHECK(value_of(key_value_parameters(model)) == 1'342'177'280);
  CHECK(value_of(key_value_parameters(with_scheme(model, Scheme::mqa))) == 1'342'177'280 / 8);
  // DeepSeek-V3: 61 layers; down to 512 + 64, up to 128 heads of 128 + 128.
  CacheModel latent = model;
  latent.n_layers = latent.full_layers = 61;
  latent.n_heads = latent.n_kv_heads = 128;
  latent.d_model = 7168;
  latent.d_k = 192;
  latent.latent_rank = 512;
  latent.rope_width = 64;
  CHECK(value_of(key_value_parameters(latent)) == 61ULL * (7168 * 576 + 512 * 128 * 256));
  // Who reads another layer's cache has no projections to it.
  model.full_sharing = 20;
  CHECK(value_of(key_value_parameters(model)) == 1'342'177'280ULL * 3 / 4);
  model.d_model = 0;
  CHECK(error_of(key_value_parameters(model)).field == "d_model");
}

TEST_CASE("schemes keep the model's own numbers where it has some") {
  CHECK(with_scheme(gemma_27b(), Scheme::hybrid).local_layers == 52);
  CHECK(with_scheme(gemma_27b(), Scheme::sliding).window == 1024);
  CHECK(with_scheme(gemma_27b(), Scheme::mha).full_layers == 62);
  CHECK(with_scheme(llama_8b(), Scheme::hybrid).full_layers == 5);
  CHECK(with_scheme(llama_8b(), Scheme::sliding).window == 4096);
  CacheModel odd = llama_8b();
  odd.n_heads = odd.n_kv_heads = 25;
  CHECK(with_scheme(odd, Scheme::gqa).n_kv_heads == 5);
  CacheModel few = llama_8b();
  few.n_layers = few.full_layers = 3;
  CHECK(with_scheme(few, Scheme::hybrid).full_layers == 1);
  // 64 rotary numbers of 128; of GPT-2's 64 half.
  CHECK(with_scheme(llama_8b(), Scheme::mla).rope_width == 64);
  CacheModel gpt2 = llama_8b();
  gpt2.d_k = gpt2.d_v = 64;
  CHECK(with_scheme(gpt2, Scheme::mla).rope_width == 32);
  for (const Scheme scheme : {Scheme::own, Scheme::mha, Scheme::gqa, Scheme::mqa, Scheme::mla,
                              Scheme::sliding, Scheme::hybrid}) {
    AnyModel any(19);
    for (int round = 0; round < 300; ++round) {
      CHECK(check_cache_model(with_scheme(any.next(), scheme)).has_value());
    }
    CHECK_FALSE(name(scheme).empty());
  }
}

TEST_CASE("counts are exact to 2^53 and refused beyond") {
  CacheModel model = llama_8b();
  // 131,072 bytes a token: 2^36 tokens are 2^53 bytes.
  CHECK(value_of(cache_bill(model, plan(std::uint64_t{1} << 36))).needed_bytes == max_exact_count);
  const Error error = error_of(cache_bill(model, plan((std::uint64_t{1} << 36) + 1)));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.field == "tokens");
  CacheModel wide = model;
  wide.n_layers = wide.full_layers = 10'000;
  wide.n_heads = wide.n_kv_heads = 65'536;
  wide.d_k = 1 << 24;
  CHECK(error_of(cache_bill(wide, plan(1))).field == "n_layers");
  Accelerator full = lecture_card();
  full.other_bytes = max_exact_count;
  CHECK(error_of(memory_bill(model, plan(1), full)).field == "other_bytes");
  CHECK(error_of(memory_bill(model, plan(std::uint64_t{1} << 36), lecture_card())).field ==
        "sequences");
  CHECK(error_of(cache_bill(model, plan(0))).field == "tokens");
  CHECK(error_of(cache_bill(model, plan(1, 0))).field == "sequences");
  CachePlan pages = plan(1);
  pages.page_tokens = 0;
  CHECK(error_of(cache_bill(model, pages)).field == "page_tokens");
  Accelerator card = lecture_card();
  card.memory_bytes = 0;
  CHECK(error_of(memory_bill(model, plan(1), card)).field == "memory_bytes");
  card = lecture_card();
  card.bandwidth_bytes_s = 0;
  CHECK(error_of(decode_bill(model, plan(1), card)).field == "bandwidth_bytes_s");
  card = lecture_card();
  card.flops_s = 0;
  CHECK(error_of(prefill_bill(model, plan(1), card)).field == "flops_s");
}

TEST_CASE("weights that are not known are left out of every bill") {
  CacheModel model = llama_8b();
  model.parameters = model.active_parameters = 0;
  const MemoryBill memory = value_of(memory_bill(model, plan(32'768, 8), lecture_card()));
  CHECK(memory.weight_bytes == 0);
  CHECK(memory.total_bytes == 34'359'738'368);
  CHECK(value_of(decode_bill(model, plan(32'768, 8), lecture_card())).roof.bytes ==
        34'359'738'368.0);
  const PrefillBill prefill = value_of(prefill_bill(model, plan(100), lecture_card()));
  CHECK(prefill.linear_flops == 0);
  CHECK(prefill.attention_percent == 100);
  CHECK(value_of(prefill_crossing(model)) == 0);
}

TEST_CASE("a model that contradicts itself is refused by the field") {
  struct Wrong {
    std::uint64_t CacheModel::* place;
    std::uint64_t value;
    const char* field;
  };
  const auto [place, value, field] = GENERATE(
      Wrong{&CacheModel::n_kv_heads, 7, "n_kv_heads"},
      Wrong{&CacheModel::n_kv_heads, 0, "n_kv_heads"},
      Wrong{&CacheModel::n_kv_heads, 64, "n_kv_heads"}, Wrong{&CacheModel::n_layers, 0, "n_layers"},
      Wrong{&CacheModel::n_layers, 31, "full_layers"},
      Wrong{&CacheModel::n_layers, std::uint64_t{1} << 50, "n_layers"},
      Wrong{&CacheModel::d_k, 0, "d_k"}, Wrong{&CacheModel::d_v, std::uint64_t{1} << 40, "d_v"},
      Wrong{&CacheModel::rope_width, 64, "rope_width"},
      Wrong{&CacheModel::window, 128, "local_layers"}, Wrong{&CacheModel::sinks, 4, "sinks"},
      Wrong{&CacheModel::local_layers, 4, "local_layers"},
      Wrong{&CacheModel::full_sharing, 32, "full_sharing"},
      Wrong{&CacheModel::full_sharing, 33, "full_sharing"},
      Wrong{&CacheModel::state_numbers, 5, "state_layers"},
      Wrong{&CacheModel::state_layers, 3, "state_numbers"},
      Wrong{&CacheModel::active_parameters, 9'000'000'000, "active_parameters"});
  CacheModel model = llama_8b();
  model.*place = value;
  const Error error = error_of(check_cache_model(model));
  CHECK(error.field == field);
  CHECK(error_of(cache_bill(model, plan(1))).field == field);
}

}  // namespace
}  // namespace attn
