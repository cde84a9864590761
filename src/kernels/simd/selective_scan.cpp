#include "kernels/simd/selective_scan.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/simd/exp2.hpp"
#include "kernels/simd/tile.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr std::size_t block_tokens = 64;
/// A cache line of channels: their rows lie far apart, and each line is fetched once for all of it.
constexpr std::size_t group_channels = 4 * lanes;
/// Numbers of a state that are carried at once.
constexpr std::size_t carried = 4;

/// The parts of the scratch. Vectors of four channels lie together.
struct Workspace {
  float* rates;  // [vectors, state_size, lanes] A log2(e)
  float* state;  // [vectors, state_size, lanes]
  float* steps;  // [group, block_tokens, lanes] delta
  float* brought;  // [group, block_tokens, lanes] delta x
  float* sums;  // [group, block_tokens, lanes] C . h so far
  std::size_t size;
};

std::size_t vectors_of(const ScanProblem& problem) {
  return round_up(problem.channels, lanes) / lanes;
}

Workspace workspace(const ScanProblem& problem, float* scratch) {
  Workspace parts{};
  Scratch from(scratch);
  const std::size_t numbers = vectors_of(problem) * problem.state_size * lanes;
  parts.rates = from.take(numbers);
  parts.state = from.take(numbers);
  parts.steps = from.take(group_channels * block_tokens);
  parts.brought = from.take(group_channels * block_tokens);
  parts.sums = from.take(group_channels * block_tokens);
  parts.size = from.size();
  return parts;
}

/// 2^(delta rate), and exactly 0 where that is far below the smallest float.
template <bool bounded>
ATTN_INLINE Float4 left_after(Float4 delta, Float4 rate) {
  if constexpr (bounded) {
    return exp2_of_product_within(delta, rate);
  } else {
    return exp2_below(multiply(delta, rate));
  }
}

/// `count` numbers of the state of four channels through n tokens.
/// steps, brought, sums [n, lanes], B and C with rows `stride` apart, rates and state [count, lanes].
template <std::size_t count, bool bounded>
void walk(const float* steps, const float* brought, const float* B, const float* C,
          std::size_t stride, const float* rates, float* state, float* sums, std::size_t n) {
  Float4 rate[count], held[count];
  ATTN_UNROLLED for (std::size_t k = 0; k < count; ++k) {
    rate[k] = load(rates + k * lanes);
    held[k] = load(state + k * lanes);
  }
  ATTN_LOOP_AS_WRITTEN for (; n != 0; --n) {
    const Float4 delta = load(steps);
    const Float4 added = load(brought);
    Float4 sum = load(sums);
    ATTN_UNROLLED for (std::size_t k = 0; k < count; ++k) {
      const Float4 left = left_after<bounded>(delta, rate[k]);
      held[k] = multiply_add(left, held[k], multiply(added, load_splat(B + k)));
      sum = multiply_add(load_splat(C + k), held[k], sum);
    }
    store(sums, sum);
    steps += lanes;
    brought += lanes;
    sums += lanes;
    B += stride;
    C += stride;
  }
  ATTN_UNROLLED for (std::size_t k = 0; k < count; ++k) store(state + k * lanes, held[k]);
}

/// Called by address: see MicroKernels in attention.cpp.
struct MicroKernels {
  decltype(&walk<carried, true>) several;
  decltype(&walk<carried, true>) one;
};

constexpr MicroKernels whole_range{walk<carried, false>, walk<1, false>};
constexpr MicroKernels bounded_range{walk<carried, true>, walk<1, true>};

class SelectiveScan {
 public:
  SelectiveScan(const ScanProblem& problem, const Workspace& parts, float* output)
      : problem_(problem), parts_(parts), output_(output) {}

  void run(float* state) {
    open(state);
    for (std::size_t t = 0; t < problem_.n; t += block_tokens) {
      const std::size_t count = std::min(block_tokens, problem_.n - t);
      for (std::size_t channel = 0; channel < problem_.channels; channel += group_channels) {
        walk_group(t, count, channel, std::min(group_channels, problem_.channels - channel));
      }
    }
    if (state != nullptr) close(state);
  }

 private:
  float* rates(std::size_t vector) const {
    return parts_.rates + vector * problem_.state_size * lanes;
  }
  float* held(std::size_t vector) const {
    return parts_.state + vector * problem_.state_size * lanes;
  }

  /// Rates and state, four channels together; channels that are not there have zeros.
  void open(const float* state) {
    const std::size_t numbers = problem_.state_size;
    for (std::size_t channel = 0; channel < vectors_of(problem_) * lanes; ++channel) {
      float* const rate = rates(channel / lanes) + channel % lanes;
      float* const own = held(channel / lanes) + channel % lanes;
      const bool is_there = channel < problem_.channels;
      for (std::size_t k = 0; k < numbers; ++k) {
        const std::size_t at = channel * numbers + k;
        rate[k * lanes] = is_there ? problem_.A[at] * log2_e : 0.0F;
        own[k * lanes] = is_there && state != nullptr ? state[at] : 0.0F;
        largest_rate_ = std::max(largest_rate_, std::fabs(rate[k * lanes]));
      }
    }
  }

  void close(float* state) const {
    const std::size_t numbers = problem_.state_size;
    for (std::size_t channel = 0; channel < problem_.channels; ++channel) {
      const float* const own = held(channel / lanes) + channel % lanes;
      for (std::size_t k = 0; k < numbers; ++k) state[channel * numbers + k] = own[k * lanes];
    }
  }

  /// Tokens t to t + count - 1 of up to 16 channels.
  void walk_group(std::size_t t, std::size_t count, std::size_t channel, std::size_t channels) {
    const float largest_step = gather(t, count, channel, channels);
    // NaN among the rates leaves no bound: then the answer is NaN either way.
    const MicroKernels& micro = largest_step * largest_rate_ < 125 ? bounded_range : whole_range;
    const std::size_t numbers = problem_.state_size;
    const float* const B = problem_.B + t * numbers;
    const float* const C = problem_.C + t * numbers;
    for (std::size_t first = 0; first < channels; first += lanes) {
      const std::size_t at = first * block_tokens;
      const std::size_t vector = (channel + first) / lanes;
      const auto go = [&](decltype(micro.one) walks, std::size_t k) {
        walks(parts_.steps + at, parts_.brought + at, B + k, C + k, numbers,
              rates(vector) + k * lanes, held(vector) + k * lanes, parts_.sums + at, count);
      };
      std::size_t k = 0;
      for (; k + carried <= numbers; k += carried) go(micro.several, k);
      for (; k < numbers; ++k) go(micro.one, k);
    }
    scatter(t, count, channel, channels);
  }

  /// Lays steps, and what they bring, together; the sums begin with what skips the state. Returns the largest |delta|; one
  /// that is NaN may count or not.
  float gather(std::size_t t, std::size_t count, std::size_t channel, std::size_t channels) {
    Float4 largest = zero();
    for (std::size_t first = 0; first < channels; first += lanes) {
      const std::size_t there = std::min(lanes, channels - first);
      float skips[lanes] = {};
      if (problem_.skip != nullptr) {
        std::copy_n(problem_.skip + channel + first, there, skips);
      }
      const Float4 skip = load(skips);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = (t + i) * problem_.channels + channel + first;
        const std::size_t to = first * block_tokens + i * lanes;
        Float4 delta, x;
        if (there == lanes) {
          delta = load(problem_.delta + from);
          x = load(problem_.x + from);
        } else {
          float rest[2 * lanes] = {};
          std::copy_n(problem_.delta + from, there, rest);
          std::copy_n(problem_.x + from, there, rest + lanes);
          delta = load(rest);
          x = load(rest + lanes);
        }
        store(parts_.steps + to, delta);
        store(parts_.brought + to, multiply(delta, x));
        store(parts_.sums + to, problem_.skip == nullptr ? zero() : multiply(skip, x));
        largest = maximum(largest, maximum(delta, subtract(zero(), delta)));
      }
    }
    return largest_of(largest);
  }

  void scatter(std::size_t t, std::size_t count, std::size_t channel, std::size_t channels) {
    for (std::size_t first = 0; first < channels; first += lanes) {
      const std::size_t there = std::min(lanes, channels - first);
      for (std::size_t i = 0; i < count; ++i) {
        const float* const from = parts_.sums + first * block_tokens + i * lanes;
        float* const to = output_ + (t + i) * problem_.channels + channel + first;
        if (there == lanes) {
          store(to, load(from));
        } else {
          std::copy_n(from, there, to);
        }
      }
    }
  }

  const ScanProblem& problem_;
  const Workspace& parts_;
  float* const output_;
  float largest_rate_ = 0;
};

}  // namespace

std::size_t selective_scan_simd_scratch(const ScanProblem& problem) {
  return workspace(problem, nullptr).size;
}

void selective_scan_simd(const ScanProblem& problem, float* state, float* output, float* scratch) {
  const Workspace parts = workspace(problem, scratch);
  SelectiveScan(problem, parts, output).run(state);
}

}  // namespace attn::kernels
