#include <emscripten.h>

#include <algorithm>

#include "kernels_calls.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/peak.hpp"
#endif

namespace attn::binding {
namespace {

#if defined(ATTN_HAS_SIMD_KERNELS)
/// Far more than the caches of a laptop hold.
constexpr std::uint64_t stream_floats = std::uint64_t{16} << 20;

/// The best rate of `work`, which does `amount` of something, in amounts a second, over at least `ms` milliseconds.
template <class Work>
double best_rate(double amount, double ms, const Work& work) {
  double best = 0;
  const double begin = emscripten_get_now();
  double now = begin;
  do {
    const double before = now;
    work();
    now = emscripten_get_now();
    // A clock that has not ticked says nothing.
    if (now > before) best = std::max(best, amount / (now - before) * 1000);
  } while (now - begin < ms);
  return best;
}
#endif

}  // namespace

val peak_of(Reader& in) {
#if defined(ATTN_HAS_SIMD_KERNELS)
  const double ms = in.has("ms") ? in.number("ms") : 100;
  if (in.failed()) return failure(in.error());
  // About 5 ms at 50 GFLOP/s: fifty ticks of a coarse clock.
  constexpr std::size_t iterations = 2'500'000;
  volatile float kept = 0;
  const double flops = kernels::peak_multiply_add_simd(1).flops * iterations;
  const double multiply_add =
      best_rate(flops, ms, [&] { kept = kernels::peak_multiply_add_simd(iterations).value; });
  auto stream = Tensor::make(stream_floats);
  if (!stream) return failure(stream.error());
  const double read = best_rate(static_cast<double>(stream_floats * sizeof(float)), ms, [&] {
    kept = kernels::stream_sum_simd(stream->numbers().data(), stream->numbers().size());
  });
  return Writer(val::undefined())
      .number("multiply_add_gflops", multiply_add / 1e9)
      .number("stream_gb_s", read / 1e9)
      .finish();
#else
  if (in.failed()) return failure(in.error());
  return failure({ErrorCode::bad_argument, "",
                  "The scalar build has no vectors whose speed could be measured."});
#endif
}

}  // namespace attn::binding
