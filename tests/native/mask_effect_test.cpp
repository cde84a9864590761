#include "attention/mask_effect.hpp"

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

using Flags = std::vector<std::uint8_t>;
using Counts = std::vector<std::int32_t>;

MaskEffect effect_of(const MaskScene& scene) { return value_of(mask_effect(scene)); }

}  // namespace

TEST_CASE(
    "changing a token moves every output without a mask, and only its own and later ones under the "
    "causal") {
  for (std::size_t changed = 1; changed <= 5; ++changed) {
    const MaskEffect effect = effect_of({.tokens = 5, .causal = true, .changed = changed});
    CHECK(effect.open.moved_rows == 5);
    CHECK(effect.masked.moved_rows == 6 - changed);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(effect.masked.moved[i] == (i + 1 >= changed ? 1 : 0));
      CHECK((effect.masked.moved_by[i] > 0) == (effect.masked.moved[i] == 1));
    }
    CHECK(effect.first_is_its_value);
  }
  CHECK_FALSE(effect_of({.tokens = 5}).first_is_its_value);
  CHECK(effect_of({.tokens = 5}).open.moved_rows == 0);
}

TEST_CASE("padding moves the real outputs until it is masked, and then not at all") {
  const MaskEffect open = effect_of({.pads = 6});
  CHECK(std::fabs(open.open.padded_most - 0.6689493007343122) < 1e-9);  // golden row mask.pad
  CHECK(open.masked.padded_most == open.open.padded_most);
  CHECK(effect_of({.pads = 6, .hides_padding = true}).masked.padded_most == 0);
  // On the right the causal mask hides padding from all that matter.
  CHECK(effect_of({.pads = 6, .causal = true}).masked.padded_most == 0);
  CHECK(effect_of({.pads = 6, .pads_left = true, .causal = true}).masked.padded_most > 0.1);
}

TEST_CASE("padding on the left needs positions that count the real tokens alone") {  // hard case N9
  const auto most = [](PositionSource positions) {
    return effect_of({.pads = 3,
                      .pads_left = true,
                      .positions = positions,
                      .causal = true,
                      .hides_padding = true})
        .masked.padded_most;
  };
  CHECK(most(PositionSource::none) == 0);
  CHECK(most(PositionSource::real) == 0);
  CHECK(most(PositionSource::row) > 0.1);
  const auto position = [](PositionSource source) {
    return effect_of({.tokens = 3, .pads = 2, .pads_left = true, .positions = source}).position;
  };
  CHECK(position(PositionSource::real) == Counts{0, 0, 0, 1, 2});
  CHECK(position(PositionSource::row) == Counts{0, 1, 2, 3, 4});
}

TEST_CASE("packed documents do not touch each other, exactly") {  // hard case N8
  const MaskScene packed{
      .tokens = 8, .first_document = 5, .causal = true, .parts_documents = true, .changed = 2};
  const MaskEffect effect = effect_of(packed);
  CHECK(effect.masked.moved == Flags{0, 1, 1, 1, 1, 0, 0, 0});
  MaskScene only_causal = packed;
  only_causal.parts_documents = false;
  CHECK(effect_of(only_causal).masked.moved == Flags{0, 1, 1, 1, 1, 1, 1, 1});
  // Positions that start anew do not help: the keys of the first document are still read.
  only_causal.positions = PositionSource::real;
  CHECK(effect_of(only_causal).masked.moved_rows == 7);
}

TEST_CASE("rows with nothing left to see are zeros, and the others finite") {  // hard case N1
  const MaskEffect effect =
      effect_of({.tokens = 3, .pads = 2, .pads_left = true, .causal = true, .hides_padding = true});
  CHECK(effect.seen == Counts{0, 0, 1, 2, 3});
  CHECK(all_zero(rows_of(effect.masked.weights, 0, 2)));
  CHECK(all_zero(rows_of(effect.masked.output, 0, 2)));
  CHECK(all_finite(effect.masked.output));
}

TEST_CASE("NaN in a hidden token moves no output but its own") {  // hard case N2
  const MaskEffect effect =
      effect_of({.tokens = 5, .pads = 2, .hides_padding = true, .changed = 6, .to_nan = true});
  CHECK(effect.open.moved_rows == 7);
  CHECK(effect.masked.moved == Flags{0, 0, 0, 0, 0, 1, 0});
  CHECK(std::isnan(effect.masked.moved_by[5]));
  CHECK(std::isnan(effect.open.moved_by[0]));
}

TEST_CASE(
    "the last queries alone are aligned bottom-right; a window counts the token itself") {  // N6, N7
  const MaskEffect last = effect_of({.tokens = 5, .asks = 2, .causal = true});
  CHECK(last.n_q == 2);
  CHECK(last.seen == Counts{4, 5});
  CHECK(same(last.masked.output,
             rows_of(effect_of({.tokens = 5, .causal = true}).masked.output, 3, 5)));
  const MaskEffect window = effect_of({.tokens = 11, .causal = true, .window = 4});
  CHECK(window.seen.back() == 4);
  for (std::size_t j = 0; j < 11; ++j) CHECK(window.allowed(10, j) == (j >= 7 ? 1 : 0));
}

TEST_CASE("mask scenes: what makes no sense is refused by name") {
  const auto refused = [](const MaskScene& scene) { return error_of(mask_effect(scene)); };
  CHECK(refused({.tokens = 0}).field == "tokens");
  CHECK(refused({.tokens = 65}).code == ErrorCode::too_large);
  CHECK(refused({.pads = 65}).field == "pads");
  CHECK(refused({.first_document = 65}).field == "first_document");
  CHECK(refused({.asks = 0}).field == "asks");
  CHECK(refused({.asks = 7}).field == "asks");
  CHECK(refused({.changed = 7}).field == "changed");
  CHECK(refused({.window = 0}).field == "mask.window");
}
