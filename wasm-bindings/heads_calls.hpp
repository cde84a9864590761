#pragma once

// What the module of experiments asks about the heads of a layer: shapes, and what moves the output.

#include <string>

#include "attention/influence.hpp"
#include "attention/multi_head_shapes.hpp"
#include "convert.hpp"
#include "core/limits.hpp"
#include "mask_option.hpp"

namespace attn::binding {

inline val multi_head_shapes_of(Reader& in) {
  const auto n = in.count("n", max_exact_count);
  const auto d_model = in.count("d_model", max_width);
  const auto n_heads = in.count("n_heads", max_heads);
  const auto n_kv_heads = in.count_or("n_kv_heads", n_heads, max_heads);
  const bool biases = in.flag_or("biases", true);
  if (in.failed()) return failure(in.error());
  const auto shapes = multi_head_shapes(n, d_model, n_heads, n_kv_heads, biases);
  if (!shapes) return failure(shapes.error());
  Writer out(val::undefined());
  for (const StepShape& step : shapes->steps) {
    out.value(std::string(step.name).c_str(), shape(step.shape));
  }
  return out.number("head_dim", static_cast<double>(shapes->head_dim))
      .number("parameters", static_cast<double>(shapes->parameters))
      .finish();
}

inline val influence_of(Reader& in) {
  const auto n = in.count("n", max_influence_tokens);
  const auto d_model = in.count("d_model", max_influence_width);
  MultiHeadOptions options;
  options.n_heads = as_size(in.count("n_heads", max_heads));
  options.n_kv_heads = as_size(in.count_or("n_kv_heads", options.n_heads, max_heads));
  options.mask = read_mask(in, n, n);
  if (in.failed()) return failure(in.error());
  // Rounded down when n_heads does not divide d_model: the core refuses that by name.
  const std::uint64_t kv_width = d_model / options.n_heads * options.n_kv_heads;
  const Matrix<double> X = in.matrix<double>("X", n, d_model);
  const MultiHeadWeights<double> weights = {
      .W_Q = in.matrix<double>("W_Q", d_model, d_model),
      .W_K = in.matrix<double>("W_K", d_model, kv_width),
      .W_V = in.matrix<double>("W_V", d_model, kv_width),
      .W_O = in.matrix<double>("W_O", d_model, d_model),
  };
  if (in.failed()) return failure(in.error());
  const auto found = influence(X, weights, options);
  if (!found) return failure(found.error());
  return Writer(in.out())
      .array("weights", found->weights)
      .array("output", found->output)
      .array("value_norms", found->value_norms)
      .array("weighted", found->weighted)
      .array("head_changes", found->head_changes)
      .array("hidden_in_head", found->hidden_in_head)
      .array("hidden", found->hidden)
      .finish();
}

}  // namespace attn::binding
