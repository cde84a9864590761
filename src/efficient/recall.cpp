#include "efficient/recall.hpp"

#include <algorithm>
#include <string>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "efficient/recall_model.hpp"
#include "efficient/recall_weights.hpp"

namespace attn {
namespace {

std::vector<RecallKind> kinds_of(RecallAnswer answer) {
  switch (answer) {
    case RecallAnswer::linear:
      return {RecallKind::linear};
    case RecallAnswer::gated_linear:
      return {RecallKind::gated};
    case RecallAnswer::selective_state:
      return {RecallKind::selective};
    case RecallAnswer::hybrid:
      return {RecallKind::linear, RecallKind::softmax};
    case RecallAnswer::full:
    case RecallAnswer::window:
    case RecallAnswer::block_sparse:
      break;
  }
  return {RecallKind::softmax};
}

bool has_choice_of_state(RecallAnswer answer) {
  return answer == RecallAnswer::linear || answer == RecallAnswer::gated_linear ||
         answer == RecallAnswer::selective_state;
}

RecallSight sight_of(RecallAnswer answer, const RecallOptions& options) {
  if (answer == RecallAnswer::window) {
    return {.window = options.window, .sinks = options.sinks};
  }
  if (answer == RecallAnswer::block_sparse) {
    return {.block = options.block, .top_k = options.top_k};
  }
  return {};
}

const PackedRecall* trained(RecallAnswer answer, const RecallOptions& options) {
  const auto kinds = kinds_of(answer);
  for (const PackedRecall& packed : packed_recall_models()) {
    if (!std::equal(kinds.begin(), kinds.end(), packed.kinds.begin(), packed.kinds.end())) continue;
    if (packed.state == options.state || !has_choice_of_state(answer)) return &packed;
  }
  return nullptr;
}

Expected<void> check(const RecallOptions& options, std::span<const std::int32_t> pairs) {
  ATTN_CHECK(check_count("n", options.n, 1, max_recall_tokens));
  ATTN_CHECK(check_count("window", options.window, 1, max_tokens));
  ATTN_CHECK(check_count("sinks", options.sinks, 0, max_tokens));
  ATTN_CHECK(check_count("block", options.block, 1, max_tokens));
  ATTN_CHECK(check_count("top_k", options.top_k, 1, max_tokens));
  ATTN_CHECK(check_count("texts", options.texts, 1, max_recall_texts));
  ATTN_CHECK(check_count("bins", options.bins, 1, std::min(options.n, max_recall_bins)));
  ATTN_CHECK(check_count("pairs", pairs.size(), 1, max_recall_counts));
  const std::size_t most = std::min(options.n, recall_keys);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::string field = text({"pairs[", k, "]"});
    const std::uint64_t count = pairs[k] < 0 ? 0 : static_cast<std::uint64_t>(pairs[k]);
    ATTN_CHECK(check_count(field, count, 1, most));
  }
  return {};
}

/// Numbers that one layer keeps after n tokens.
std::uint64_t kept_numbers(const RecallLayer& layer, const RecallSight& sight, std::uint64_t n) {
  const std::uint64_t d = layer.K.shape(1);
  if (layer.kind == RecallKind::softmax) {
    const std::uint64_t tokens =
        sight.window == 0 ? n : std::min<std::uint64_t>(n, sight.window + sight.sinks);
    const std::uint64_t means = sight.block == 0 ? 0 : ceil_div(n, sight.block) * d;
    return tokens * (d + recall_width) + means;
  }
  return d * recall_width + (layer.kind == RecallKind::linear ? d : 0);
}

double share(std::int32_t right, std::int32_t asked) {
  return asked == 0 ? 0 : static_cast<double>(right) / static_cast<double>(asked);
}

/// The value that a row of logits answers with; of equal ones the first.
std::size_t answer_of(const Matrix<double>& logits, std::size_t row) {
  const double* const first = &logits(row, 0);
  return static_cast<std::size_t>(std::max_element(first, first + logits.shape(1)) - first);
}

}  // namespace

Expected<Recall> measure_recall(RecallAnswer answer, const RecallOptions& options,
                                std::span<const std::int32_t> pairs) {
  ATTN_CHECK(check(options, pairs));
  const PackedRecall* const packed = trained(answer, options);
  if (packed == nullptr) {
    return fail(
        ErrorCode::out_of_range, "state",
        {"state must be 8, 16 or 32, with which models were trained: it is ", options.state, "."});
  }
  const RecallModel model = unpack_recall(*packed);
  const RecallSight sight = sight_of(answer, options);
  std::vector<RecallReader> readers;
  Recall made{std::vector<std::int32_t>(pairs.size(), 0),
              std::vector<std::int32_t>(pairs.size(), 0),
              make_vector<double>(pairs.size()),
              make_matrix<std::int32_t>(pairs.size(), options.bins),
              make_matrix<std::int32_t>(pairs.size(), options.bins),
              make_matrix<double>(pairs.size(), options.bins),
              0};
  made.bin_asked.fill(0);
  made.bin_right.fill(0);
  for (const RecallLayer& layer : model.layers) {
    readers.emplace_back(layer, sight);
    made.kept_numbers += kept_numbers(layer, sight, options.n);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    // From the beginning for each count, so that one point does not depend on which others are asked for.
    SplitMix64 bits(options.seed);
    const auto count = static_cast<std::size_t>(pairs[k]);
    Matrix<double> answers = make_matrix<double>(count, recall_width);
    for (std::size_t t = 0; t < options.texts; ++t) {
      const RecallText text = draw_recall_text(bits, options.n, count);
      answers.fill(0);
      for (const RecallReader& reader : readers) reader.add_answers(text, answers);
      const Matrix<double> logits = recall_logits(model, answers);
      for (std::size_t p = 0; p < count; ++p) {
        const std::size_t place = text.places[p];
        const std::size_t bin = (options.n - 1 - place) * options.bins / options.n;
        const std::int32_t is_right = answer_of(logits, p) == text.values[place] ? 1 : 0;
        made.bin_asked(k, bin) += 1;
        made.bin_right(k, bin) += is_right;
        made.asked[k] += 1;
        made.right[k] += is_right;
      }
    }
    made.accuracy(k) = share(made.right[k], made.asked[k]);
    for (std::size_t bin = 0; bin < options.bins; ++bin) {
      made.bin_accuracy(k, bin) = share(made.bin_right(k, bin), made.bin_asked(k, bin));
    }
  }
  return made;
}

}  // namespace attn
