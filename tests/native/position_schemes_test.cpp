// Five schemes of position on one sentence: who notices that the words changed places, and whose scores depend on
// where the query stands.

#include <cmath>
#include <vector>

#include "embedding/position_schemes.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

enum Row : std::size_t { sinusoidal, learned, alibi, rope, none };

OrderSeen seen_of(const std::vector<std::int32_t>& ids, const OrderOptions& options = {}) {
  return value_of(order_seen(ids, options));
}

const std::vector<std::int32_t> six{0, 1, 2, 3, 4, 5};
const std::vector<std::int32_t> three{0, 1, 2};

OrderOptions arranged(std::uint64_t number, bool causal = false) {
  OrderOptions options;
  options.arrangement = number;
  options.causal = causal;
  return options;
}

}  // namespace

TEST_CASE("arrangements count as in a dictionary, and a swap of neighbours is one of them") {
  const auto seen = seen_of(six, arranged(379));
  CHECK(seen.order == std::vector<std::int32_t>{3, 0, 5, 1, 4, 2});
  CHECK(seen.last_arrangement == 719);
  for (std::size_t i = 0; i < 5; ++i) {
    auto swapped = seen.order;
    std::swap(swapped[i], swapped[i + 1]);
    const auto other = seen_of(six, arranged(static_cast<std::uint64_t>(seen.swaps[i])));
    CHECK(other.order == swapped);
  }
  CHECK(seen_of(six).order == six);
  CHECK(seen_of(three, arranged(5)).order == std::vector<std::int32_t>{2, 1, 0});
  // After the last the count begins again.
  CHECK(seen_of(three, arranged(6)).order == three);
  CHECK(seen_of(three, arranged(5000)).arrangement == 2);
}

TEST_CASE("without positions and mask, outputs are those before in the new order") {
  for (std::uint64_t number = 0; number < 720; number += 37) {
    const auto seen = seen_of(six, arranged(number));
    CHECK(seen.change[none] < 1e-12);
    if (number == 0) continue;
    for (const Row scheme : {sinusoidal, learned, rope}) CHECK(seen.change[scheme] > 1e-3);
  }
  for (const double change : seen_of(six).change) CHECK(change == 0);
}

TEST_CASE("ALiBi without a mask takes a sentence for its mirror image, and no other order") {
  CHECK(seen_of(three, arranged(5)).change[alibi] < 1e-12);
  CHECK(seen_of(three, arranged(2)).change[alibi] > 1e-3);
  CHECK(seen_of(three, arranged(5, true)).change[alibi] > 1e-3);
}

TEST_CASE("a causal mask tells the order by itself") {
  const auto seen = seen_of(three, arranged(5, true));
  CHECK(seen.change[none] > 1e-3);
}

TEST_CASE("the same word twice: exchanging the two changes nothing") {
  const std::vector<std::int32_t> twice{0, 1, 0};
  CHECK(seen_of(twice, arranged(5)).change[none] < 1e-12);
}

TEST_CASE("moving the query changes added positions' scores, and no relative one's") {
  OrderOptions options;
  options.query_at = 400;
  const auto seen = seen_of(six, options);
  CHECK(seen.moved[sinusoidal] > 0.1);
  CHECK(seen.moved[learned] > 0.1);
  CHECK(seen.moved[alibi] < 1e-12);
  CHECK(seen.moved[rope] < 1e-12);
  CHECK(seen.moved[none] < 1e-12);
  for (std::size_t back = 0; back <= 48; ++back) {
    // The same word everywhere: without positions one score, with ALiBi a straight line down from it.
    CHECK(std::fabs(seen.scores(none, back) - seen.scores(none, 0)) < 1e-12);
    const double lowered = seen.scores(none, back) - 0.5 * static_cast<double>(back);
    CHECK(std::fabs(seen.scores(alibi, back) - lowered) < 1e-12);
  }
}

TEST_CASE("sentences and places that the layer does not have are refused by name") {
  const auto field = [](const std::vector<std::int32_t>& ids, OrderOptions options = {}) {
    return error_of(order_seen(ids, options)).field;
  };
  CHECK(field({0}) == "ids");
  CHECK(field({0, 1, 2, 3, 4, 5, 6, 0}) == "ids");
  CHECK(field({0, 3, 1}) == "ids[1]");
  CHECK(field({0, -1, 1}) == "ids[1]");
  OrderOptions options;
  options.alibi_head = 9;
  CHECK(field(three, options) == "alibi_head");
  options = {};
  options.query_at = 512;
  CHECK(field(three, options) == "query_at");
  options.query_at = 20;
  CHECK(field(three, options) == "reach");
}
