#include "efficient/answer_curves.hpp"

#include <algorithm>
#include <string>

#include "core/exact.hpp"
#include "core/limits.hpp"
#include "core/text.hpp"

namespace attn {
namespace {

constexpr std::uint64_t most_layers = 1024;
constexpr std::size_t full_row = static_cast<std::size_t>(Answer::full);
constexpr std::size_t linear_row = static_cast<std::size_t>(Answer::linear);
constexpr std::size_t hybrid_row = answer_rows - 1;

Expected<void> check(const CurveOptions& options, std::span<const std::int32_t> lengths) {
  ATTN_CHECK(check_count("n_layers", options.n_layers, 1, most_layers));
  ATTN_CHECK(check_count("full_every", options.full_every, 1, most_layers));
  ATTN_CHECK(check_count("lengths", lengths.size(), 1, max_curve_lengths));
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const std::string field = text({"lengths[", k, "]"});
    const std::uint64_t length = lengths[k] < 0 ? 0 : static_cast<std::uint64_t>(lengths[k]);
    ATTN_CHECK(check_count(field, length, 1, max_exact_count));
  }
  return {};
}

/// The share of full layers of what a full layer has, and the rest of what a linear one has.
void mix(Matrix<double>& rows, std::size_t column, double share) {
  rows(hybrid_row, column) =
      share * rows(full_row, column) + (1 - share) * rows(linear_row, column);
}

}  // namespace

Expected<AnswerCurves> answer_curves(const CurveOptions& options,
                                     std::span<const std::int32_t> lengths) {
  ATTN_CHECK(check(options, lengths));
  const std::size_t columns = lengths.size();
  AnswerCurves made{make_matrix<double>(answer_rows, columns),
                    make_matrix<double>(answer_rows, columns),
                    make_matrix<double>(answer_rows, columns), make_vector<double>(answer_rows),
                    std::max<std::uint64_t>(1, options.n_layers / options.full_every)};
  const double share = as_double(made.full_layers) / as_double(options.n_layers);
  Exact exact("n_layers");
  for (std::size_t k = 0; k < columns; ++k) {
    AnswerSizes sizes = options.sizes;
    sizes.n = static_cast<std::uint64_t>(lengths[k]);
    std::uint64_t layers[answer_rows] = {};
    for (std::size_t row = 0; row < hybrid_row; ++row) {
      const auto costs = answer_costs(static_cast<Answer>(row), sizes);
      ATTN_CHECK(costs);
      made.layer_flops(row, k) = as_double(costs->flops);
      made.step_flops(row, k) = as_double(costs->step_flops);
      layers[row] = costs->state_bytes;
      made.state_bytes(row, k) = as_double(exact.product({costs->state_bytes, options.n_layers}));
    }
    made.state_bytes(hybrid_row, k) = as_double(
        exact.sum({exact.product({layers[full_row], made.full_layers}),
                   exact.product({layers[linear_row], options.n_layers - made.full_layers})}));
    mix(made.layer_flops, k, share);
    mix(made.step_flops, k, share);
  }
  if (exact.error()) return std::unexpected(*exact.error());
  const auto longest =
      static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
  const double of_a_token = made.state_bytes(full_row, longest) / lengths[longest];
  for (std::size_t row = 0; row < answer_rows; ++row) {
    made.state_tokens(row) = made.state_bytes(row, longest) / of_a_token;
  }
  return made;
}

}  // namespace attn
