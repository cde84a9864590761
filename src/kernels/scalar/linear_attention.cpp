#include "kernels/scalar/linear_attention.hpp"

#include <cmath>

namespace attn::kernels {
namespace {

double feature(Features features, double x) {
  switch (features) {
    case Features::elu_plus_one:
      return x < 0 ? std::exp(x) : x + 1;
    case Features::relu:
      return x < 0 ? 0 : x;
    case Features::identity:
      break;
  }
  return x;
}

/// One token of a head: the state takes it in, then answers it.
void step(const LinearProblem& problem, std::size_t place, double* state, double* sums,
          float* output) {
  const std::size_t d_k = problem.d_k, d_v = problem.d_v;
  const double gate = problem.gates == nullptr ? 1.0 : static_cast<double>(problem.gates[place]);
  const float* const v = problem.v + place * d_v;
  for (std::size_t a = 0; a < d_k; ++a) {
    const double key = feature(problem.features, static_cast<double>(problem.k[place * d_k + a]));
    sums[a] = gate * sums[a] + key;
    for (std::size_t c = 0; c < d_v; ++c) {
      state[a * d_v + c] = gate * state[a * d_v + c] + key * static_cast<double>(v[c]);
    }
  }
  double total = 0;
  for (std::size_t a = 0; a < d_k; ++a) {
    total += feature(problem.features, static_cast<double>(problem.q[place * d_k + a])) * sums[a];
  }
  for (std::size_t c = 0; c < d_v; ++c) {
    double sum = 0;
    for (std::size_t a = 0; a < d_k; ++a) {
      sum += feature(problem.features, static_cast<double>(problem.q[place * d_k + a])) *
             state[a * d_v + c];
    }
    if (problem.normalize) sum = total == 0 ? 0 : sum / total;
    output[place * d_v + c] = static_cast<float>(sum);
  }
}

}  // namespace

std::size_t linear_attention_scalar_scratch(const LinearProblem& problem) {
  return problem.d_k * (problem.d_v + 1);
}

void linear_attention_scalar(const LinearProblem& problem, const LinearState& kept, float* output,
                             double* scratch) {
  const std::size_t numbers = problem.d_k * problem.d_v;
  double* const state = scratch;
  double* const sums = scratch + numbers;
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    float* const held = kept.state == nullptr ? nullptr : kept.state + head * numbers;
    float* const held_sums = kept.sums == nullptr ? nullptr : kept.sums + head * problem.d_k;
    for (std::size_t at = 0; at < numbers; ++at) {
      state[at] = held == nullptr ? 0.0 : static_cast<double>(held[at]);
    }
    for (std::size_t a = 0; a < problem.d_k; ++a) {
      sums[a] = held_sums == nullptr ? 0.0 : static_cast<double>(held_sums[a]);
    }
    for (std::size_t t = 0; t < problem.n; ++t) {
      step(problem, head * problem.n + t, state, sums, output);
    }
    for (std::size_t at = 0; held != nullptr && at < numbers; ++at) {
      held[at] = static_cast<float>(state[at]);
    }
    for (std::size_t a = 0; held_sums != nullptr && a < problem.d_k; ++a) {
      held_sums[a] = static_cast<float>(sums[a]);
    }
  }
}

}  // namespace attn::kernels
