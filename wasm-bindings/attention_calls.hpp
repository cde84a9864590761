#pragma once

// The topic `attention` as JavaScript calls it: options in, numbers out, nothing kept.

#include <utility>

#include "attention/by_hand.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/shapes.hpp"
#include "attention/softmax.hpp"
#include "convert.hpp"
#include "core/limits.hpp"
#include "mask_option.hpp"

namespace attn::binding {

template <class T>
struct AttentionInput {
  std::uint64_t n_q, n_k, d_k, d_v;
  AttentionOptions options;
  Matrix<T> Q, K, V;

  explicit AttentionInput(Reader& in)
      : n_q(in.count("n_q", max_tokens)),
        n_k(in.count("n_k", max_tokens)),
        d_k(in.count("d_k", max_width)),
        d_v(in.count("d_v", max_width)) {
    options.divide = in.flag_or("divide", true);
    if (in.has("divisor_d_k")) options.divisor_d_k = in.number("divisor_d_k");
    options.trace = in.flag_or("trace", true);
    options.require_finite = in.flag_or("require_finite", true);
    options.mask = read_mask(in, n_q, n_k);
    Q = in.matrix<T>("Q", n_q, d_k);
    K = in.matrix<T>("K", n_k, d_k);
    V = in.matrix<T>("V", n_k, d_v);
  }
};

template <class T>
val write_trace(const Expected<Trace<T>>& trace, val out) {
  if (!trace) return failure(trace.error());
  return Writer(std::move(out))
      .number("n_q", static_cast<double>(trace->n_q))
      .number("n_k", static_cast<double>(trace->n_k))
      .number("d_k", static_cast<double>(trace->d_k))
      .number("d_v", static_cast<double>(trace->d_v))
      .number("divisor", trace->divisor)
      .array("score_terms", trace->score_terms)
      .array("scores", trace->scores)
      .array("scaled", trace->scaled)
      .array("allowed", trace->allowed)
      .array("shift", trace->shift)
      .array("exponentials", trace->exponentials)
      .array("sums", trace->sums)
      .array("weights", trace->weights)
      .array("weight_sums", trace->weight_sums)
      .array("largest", trace->largest)
      .array("contributions", trace->contributions)
      .array("output", trace->output)
      .finish();
}

template <class T>
val attention_of(Reader& in) {
  const AttentionInput<T> input(in);
  if (in.failed()) return failure(in.error());
  return write_trace(scaled_dot_product(input.Q, input.K, input.V, input.options), in.out());
}

inline val attention_by_hand_of(Reader& in) {
  if (in.wants_float32()) {
    in.refuse(ErrorCode::bad_argument, "dtype", " must be “float64”: a pencil keeps every digit.");
  }
  const auto decimals = in.has("decimals") ? in.count("decimals", max_decimals, 0) : 3;
  const AttentionInput<double> input(in);
  if (in.failed()) return failure(in.error());
  return write_trace(scaled_dot_product_by_hand(input.Q, input.K, input.V, input.options,
                                                static_cast<int>(decimals)),
                     in.out());
}

template <class T>
val attention_backward_of(Reader& in) {
  const AttentionInput<T> input(in);
  const Matrix<T> dO = in.matrix<T>("dO", input.n_q, input.d_v);
  if (in.failed()) return failure(in.error());
  const auto back = scaled_dot_product_backward(input.Q, input.K, input.V, dO, input.options);
  if (!back) return failure(back.error());
  return Writer(in.out())
      .array("dA", back->dA)
      .array("dS", back->dS)
      .array("dQ", back->dQ)
      .array("dK", back->dK)
      .array("dV", back->dV)
      .finish();
}

template <class T>
val softmax_of(Reader& in) {
  const auto n = in.count("n", max_tokens);
  const auto m = in.count("m", max_tokens);
  const Mask mask = read_mask(in, n, m);
  const bool require_finite = in.flag_or("require_finite", true);
  const Matrix<T> x = in.matrix<T>("x", n, m);
  if (in.failed()) return failure(in.error());
  const auto trace = softmax(x, mask, require_finite);
  if (!trace) return failure(trace.error());
  return Writer(in.out())
      .array("allowed", trace->allowed)
      .array("shift", trace->shift)
      .array("exponentials", trace->exponentials)
      .array("sums", trace->sums)
      .array("weights", trace->weights)
      .array("weight_sums", trace->weight_sums)
      .array("largest", trace->largest)
      .finish();
}

template <class T>
val softmax_backward_of(Reader& in) {
  const auto n = in.count("n", max_tokens);
  const auto m = in.count("m", max_tokens);
  const Matrix<T> A = in.matrix<T>("A", n, m);
  const Matrix<T> dA = in.matrix<T>("dA", n, m);
  if (in.failed()) return failure(in.error());
  const auto dS = softmax_backward(A, dA);
  if (!dS) return failure(dS.error());
  return Writer(in.out()).array("dS", *dS).finish();
}

template <class T>
val multi_head_of(Reader& in) {
  const auto n = in.count("n", max_tokens);
  const auto d_model = in.count("d_model", max_width);
  MultiHeadOptions options;
  options.n_heads = static_cast<std::size_t>(in.count("n_heads", max_heads));
  options.n_kv_heads =
      static_cast<std::size_t>(in.count_or("n_kv_heads", options.n_heads, max_heads));
  options.mask = read_mask(in, n, n);
  options.require_finite = in.flag_or("require_finite", true);
  if (in.failed()) return failure(in.error());
  // Rounded down when n_heads does not divide d_model: the core refuses that by name.
  const std::uint64_t kv_width = d_model / options.n_heads * options.n_kv_heads;
  const Matrix<T> X = in.matrix<T>("X", n, d_model);
  const MultiHeadWeights<T> weights = {
      .W_Q = in.matrix<T>("W_Q", d_model, d_model),
      .W_K = in.matrix<T>("W_K", d_model, kv_width),
      .W_V = in.matrix<T>("W_V", d_model, kv_width),
      .W_O = in.matrix<T>("W_O", d_model, d_model),
      .b_Q = in.vector_or_empty<T>("b_Q", d_model),
      .b_K = in.vector_or_empty<T>("b_K", kv_width),
      .b_V = in.vector_or_empty<T>("b_V", kv_width),
      .b_O = in.vector_or_empty<T>("b_O", d_model),
  };
  if (in.failed()) return failure(in.error());
  const auto trace = multi_head(X, weights, options);
  if (!trace) return failure(trace.error());
  val steps = val::array();
  for (const Step<T>& step : trace->steps) {
    val line = val::object();
    line.set("name", val(std::string(step.name)));
    line.set("shape", shape(std::vector<std::uint64_t>(step.shape.begin(), step.shape.end())));
    line.set("data", copied(memory_of<T>(step.data)));
    steps.call<void>("push", line);
  }
  return Writer(in.out())
      .value("steps", steps)
      .array("weights", trace->weights)
      .array("output", trace->output)
      .number("parameters", static_cast<double>(trace->parameters))
      .finish();
}

inline val attention_shapes_of(Reader& in) {
  const auto n = in.count("n", max_exact_count);
  const auto d_model = in.count("d_model", max_exact_count);
  const auto d_k = in.count("d_k", max_exact_count);
  const auto d_v = in.count("d_v", max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto shapes = attention_shapes(n, d_model, d_k, d_v);
  if (!shapes) return failure(shapes.error());
  return Writer(val::undefined())
      .value("X", shape(shapes->X))
      .value("W_Q", shape(shapes->W_Q))
      .value("W_K", shape(shapes->W_K))
      .value("W_V", shape(shapes->W_V))
      .value("Q", shape(shapes->Q))
      .value("K", shape(shapes->K))
      .value("V", shape(shapes->V))
      .value("S", shape(shapes->S))
      .value("A", shape(shapes->A))
      .value("O", shape(shapes->O))
      .number("parameters", static_cast<double>(shapes->parameters))
      .finish();
}

}  // namespace attn::binding
