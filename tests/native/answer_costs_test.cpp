#include "efficient/answer_costs.hpp"
#include "efficient/block_sparse.hpp"
#include "efficient/layer_reach.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

AnswerCosts costs_of(Answer answer, const AnswerSizes& sizes) {
  return value_of(answer_costs(answer, sizes));
}

std::uint64_t count(const Matrix<std::uint8_t>& allowed) {
  std::uint64_t pairs = 0;
  for (const std::uint8_t pair : allowed) pairs += pair;
  return pairs;
}

}  // namespace

TEST_CASE("the pairs that are counted are those that are seen, at every size") {
  for (std::uint64_t n = 1; n <= 40; ++n) {
    for (std::uint64_t window = 1; window <= 9; window += 4) {
      for (std::uint64_t sinks = 0; sinks <= 5; sinks += 5) {
        INFO("n = " << n << ", window " << window << ", sinks " << sinks);
        const AnswerCosts made =
            costs_of(Answer::window, {.n = n, .window = window, .sinks = sinks});
        CHECK(made.pairs == count(value_of(layer_pairs({.window = window, .sinks = sinks}, n))));
      }
    }
    CHECK(costs_of(Answer::full, {.n = n}).pairs == count(value_of(layer_pairs({}, n))));
  }
}

TEST_CASE("the pairs of blocks are those of the real thing") {
  Normals normals(51);
  for (std::size_t n = 1; n <= 40; ++n) {
    const Matrix<double> X = random_matrix(normals, n, 2);
    for (const std::size_t block : {1U, 3U, 8U, 50U}) {
      for (const std::size_t top_k : {1U, 2U, 5U, 60U}) {
        INFO("n = " << n << ", block " << block << ", top_k " << top_k);
        const BlockSparse made =
            value_of(block_sparse_attention(X, X, X, {.block = block, .top_k = top_k}));
        CHECK(costs_of(Answer::block_sparse, {.n = n, .block = block, .top_k = top_k}).pairs ==
              made.pairs);
      }
    }
  }
}

TEST_CASE("operations by hand, for three tokens") {
  const AnswerSizes sizes{.n = 3,
                          .n_heads = 2,
                          .d_k = 4,
                          .d_v = 5,
                          .bytes_per_number = 2,
                          .window = 2,
                          .block = 2,
                          .top_k = 1,
                          .state = 7};
  // Six pairs a head of 8 + 10 + 6 operations each.
  const AnswerCosts full = costs_of(Answer::full, sizes);
  CHECK(full.flops == 2 * 6 * 24);
  CHECK(full.step_flops == 2 * 3 * 24);
  CHECK(full.state_bytes == 2 * 3 * 9 * 2);
  CHECK(costs_of(Answer::window, sizes).flops == 2 * 5 * 24);
  CHECK(costs_of(Answer::window, sizes).state_bytes == 2 * 2 * 9 * 2);
  // Pairs: 1 + 2 + 1; the third token scores one block of 9 operations; means of 3 x 4 additions.
  const AnswerCosts blocks = costs_of(Answer::block_sparse, sizes);
  CHECK(blocks.flops == 2 * (4 * 24 + 9 + 12));
  CHECK(blocks.step_flops == 2 * (24 + 9 + 4));
  CHECK(blocks.state_bytes == 2 * (3 * 9 + 2 * 4) * 2);
  CHECK(costs_of(Answer::linear, sizes).flops == 3 * 2 * (80 + 12 + 5));
  CHECK(costs_of(Answer::linear, sizes).state_bytes == 2 * (20 + 4) * 2);
  CHECK(costs_of(Answer::gated_linear, sizes).flops == 3 * 2 * 100);
  CHECK(costs_of(Answer::gated_linear, sizes).state_bytes == 2 * 20 * 2);
  CHECK(costs_of(Answer::selective_state, sizes).flops == 3 * (7 * 70 + 3 * 10));
  CHECK(costs_of(Answer::selective_state, sizes).state_bytes == 70 * 2);
}

TEST_CASE(
    "a window or blocks of n cost what everything costs, and a state costs the same at any "
    "length") {
  for (const std::uint64_t n : {1ULL, 1000ULL, 4097ULL, 1048576ULL}) {
    const AnswerSizes sizes{.n = n, .window = n, .block = 64, .top_k = n};
    const AnswerCosts full = costs_of(Answer::full, sizes);
    CHECK(costs_of(Answer::window, sizes).flops == full.flops);
    CHECK(costs_of(Answer::window, sizes).state_bytes == full.state_bytes);
    CHECK(costs_of(Answer::block_sparse, sizes).pairs == full.pairs);
    for (const Answer answer : {Answer::linear, Answer::gated_linear, Answer::selective_state}) {
      const AnswerCosts one = costs_of(answer, {.n = 1}), many = costs_of(answer, {.n = n});
      CHECK(many.flops == n * one.flops);
      CHECK(many.state_bytes == one.state_bytes);
      CHECK(many.step_flops == one.step_flops);
    }
  }
}

TEST_CASE("a stack costs what its layers cost") {
  const Answer layers[] = {Answer::linear, Answer::linear, Answer::full};
  const AnswerSizes sizes{.n = 100};
  const AnswerCosts all = value_of(stack_costs(layers, sizes));
  const AnswerCosts full = costs_of(Answer::full, sizes), linear = costs_of(Answer::linear, sizes);
  CHECK(all.flops == full.flops + 2 * linear.flops);
  CHECK(all.state_bytes == full.state_bytes + 2 * linear.state_bytes);
  CHECK(all.step_flops == full.step_flops + 2 * linear.step_flops);
  CHECK(all.pairs == full.pairs / 3);
  CHECK(error_of(stack_costs({}, sizes)).field == "layers");
}

TEST_CASE("heads that share keys and values share what is kept of them") {
  const AnswerSizes own{.n = 300, .n_heads = 8, .d_k = 4, .d_v = 5, .window = 64, .block = 16};
  AnswerSizes shared = own;
  shared.n_kv_heads = 2;
  for (const Answer answer :
       {Answer::full, Answer::window, Answer::block_sparse, Answer::linear, Answer::gated_linear}) {
    CHECK(costs_of(answer, shared).state_bytes * 4 == costs_of(answer, own).state_bytes);
  }
  // A score and its share of the sum are each query head's own.
  CHECK(costs_of(Answer::full, shared).flops == costs_of(Answer::full, own).flops);
  CHECK(costs_of(Answer::block_sparse, own).flops - costs_of(Answer::block_sparse, shared).flops ==
        6 * 300 * 4);
  // To write 2 x 20, and to add 4 to the sums, or to fade 20.
  CHECK(costs_of(Answer::linear, own).step_flops - costs_of(Answer::linear, shared).step_flops ==
        6 * 44);
  CHECK(costs_of(Answer::gated_linear, own).step_flops -
            costs_of(Answer::gated_linear, shared).step_flops ==
        6 * 60);
  const AnswerCosts channels = costs_of(Answer::selective_state, own);
  CHECK(costs_of(Answer::selective_state, shared).state_bytes == channels.state_bytes);
  AnswerSizes uneven = own;
  uneven.n_kv_heads = 3;
  CHECK(error_of(answer_costs(Answer::full, uneven)).field == "n_kv_heads");
}

TEST_CASE("sizes that cannot be counted are refused") {
  CHECK(error_of(answer_costs(Answer::full, {.n = 0})).field == "n");
  CHECK(error_of(answer_costs(Answer::full, {.n = 1ULL << 40})).code == ErrorCode::too_large);
  CHECK(costs_of(Answer::linear, {.n = 1ULL << 32}).flops > 0);
  CHECK(error_of(answer_costs(Answer::linear, {.n = 5, .d_k = 0})).field == "d_k");
  // A block far larger than the text is the text.
  CHECK(costs_of(Answer::block_sparse, {.n = 5, .block = 1ULL << 50}).pairs == 15);
}
