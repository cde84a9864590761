#include "webgpu/webgpu_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/limits.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels_calls.hpp"
#include "shelf.hpp"
#include "tensor.hpp"
#include "webgpu/compute.hpp"

namespace attn::webgpu {
namespace {

using binding::failure;
using binding::Floats;
using binding::FloatsOut;
using binding::Reader;
using binding::Shelf;
using binding::Writer;

/// One opened GPU: the device may be another one after a loss.
struct Session {
  val gpu;
  std::shared_ptr<Device> device;
};

Shelf<std::shared_ptr<Session>>& sessions() {
  static Shelf<std::shared_ptr<Session>> shelf;
  return shelf;
}

/// How a computation ended: on a device, in words of what it did wrong, or with neither: then the processor has to.
struct Outcome {
  std::shared_ptr<Device> device = {};
  std::optional<Time> time = {};
  std::optional<Failure> refusal = {};
  /// A sentence for the page when something went another way than asked.
  std::string notice = {};
};

constexpr const char* processor_notice = " The processor computed this.";

val failed_answer(const Failure& told) {
  return object_of(
      "ok", false, "code",
      std::string(told.kind == Failure::Kind::unavailable ? "webgpu_unavailable" : "webgpu_failed"),
      "field", std::string("gpu"), "message", told.message);
}

Task<Result<std::shared_ptr<Device>>> open_device(val gpu) {
  auto device = co_await Device::open(std::move(gpu));
  if (!device) co_return std::unexpected(device.error());
  const auto chosen = co_await choose_fused_kernel(**device);
  if (!chosen) co_return std::unexpected(chosen.error());
  co_return std::move(*device);
}

/// Computes on the session's device, and once more on a fresh one when it is lost.
template <class Compute>
Task<Outcome> on_device(std::shared_ptr<Session> session, Compute compute) {
  Outcome outcome;
  std::string loss;
  for (int tries = 0; tries < 2; ++tries) {
    if (session->device->is_lost()) {
      auto fresh = co_await open_device(session->gpu);
      if (!fresh) {
        outcome.notice = fresh.error().message + processor_notice;
        co_return outcome;
      }
      session->device = std::move(*fresh);
    }
    outcome.device = session->device;
    const auto time = co_await compute(*outcome.device);
    if (time) {
      outcome.time = *time;
      if (!loss.empty()) outcome.notice = loss + " A fresh device computed this.";
      co_return outcome;
    }
    const Failure& told = time.error();
    if (told.kind == Failure::Kind::failed) {
      outcome.refusal = told;
      co_return outcome;
    }
    loss = told.message;
    if (told.kind == Failure::Kind::too_large) break;
  }
  outcome.notice = loss + processor_notice;
  co_return outcome;
}

std::shared_ptr<Session> find_session(Reader& in) {
  const auto* found = sessions().find(in, "session");
  return found == nullptr ? nullptr : *found;
}

/// The largest distance between two results; infinite where one is NaN and the other is not.
double largest_difference(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double distance = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    largest = std::isnan(distance) ? std::numeric_limits<double>::infinity()
                                   : std::max(largest, distance);
  }
  return largest;
}

/// What every result says: which back end ran, how long one computation took, what was out of the ordinary.
void write_outcome(Writer& writer, const Outcome& outcome, const char* processor, double ms) {
  const bool ran = outcome.time.has_value();
  writer.value("backend", val(std::string(ran ? "webgpu" : processor)))
      .number("compute_ms", ran ? outcome.time->ms : ms);
  if (ran) {
    writer.value("timed_by", val(std::string(outcome.time->by_timestamps ? "timestamps" : "clock")))
        .value("adapter", adapter_value(outcome.device->adapter()));
  }
  if (!outcome.notice.empty()) writer.value("notice", val(outcome.notice));
}

/// Numbers of a result that no tensor holds yet, when the machine has the memory for them.
std::optional<std::vector<float>> room(Reader& in, const char* field, std::uint64_t length) {
  if (in.failed() || !in.accept(check_bytes(field, length * sizeof(float)))) return {};
  return std::vector<float>(Reader::size(length));
}

/// Hands the numbers over, into the tensor or the array that the caller wants.
val finished(Reader& in, const char* field, std::span<const float> numbers, Writer& writer) {
  // Looked up only now: a tensor may have been closed while the device computed.
  FloatsOut output(in, field, numbers.size());
  if (in.failed()) return failure(in.error());
  std::ranges::copy(numbers, output.numbers().begin());
  output.write(writer);
  return writer.finish();
}

constexpr std::uint64_t most_repeats = 1'000;

}  // namespace

Task<val> open_call(val options) {
  Reader in(options);
  if (in.failed()) co_return failure(in.error());
  const val gpu = options["gpu"];
  if (!is_there(gpu)) {
    co_return failed_answer(
        {Failure::Kind::unavailable,
         "This browser has no WebGPU, or this page may not use it: it needs a current browser and "
         "an address that "
         "begins with https:// or is localhost. Everything computes on the processor without it."});
  }
  auto device = co_await open_device(gpu);
  if (!device) co_return failed_answer(device.error());
  const val adapter = adapter_value((*device)->adapter());
  const double number = sessions().put(std::make_shared<Session>(Session{gpu, std::move(*device)}));
  Writer writer(val::undefined());
  co_return writer.number("session", number).value("adapter", adapter).finish();
}

Task<val> attention_call(val options) {
  Reader in(std::move(options));
  const std::shared_ptr<Session> session = find_session(in);
  constexpr std::array<std::string_view, 2> names = {"fused", "three"};
  const Passes passes = in.choice("passes", names) == 0 ? Passes::fused : Passes::three;
  HeadsInput input = {.shape = binding::read_heads_shape(in)};
  const auto repeat = in.count_or("repeat", 1, most_repeats);
  const bool compares = in.flag_or("compare", false);
  if (in.has("scale")) input.scale = in.number("scale");
  if (in.failed()) co_return failure(in.error());
  const auto lengths = check_heads(input.shape);
  if (!lengths) co_return failure(lengths.error());
  input.mask = binding::read_mask(in, input.shape.n_q, input.shape.n_k);
  Floats Q(in, "Q", lengths->q), K(in, "K", lengths->k), V(in, "V", lengths->v);
  Q.keep(in, "Q");
  K.keep(in, "K");
  V.keep(in, "V");
  auto output = room(in, "output", lengths->output);
  if (in.failed()) co_return failure(in.error());
  const auto fit =
      check_mask(input.mask, Reader::size(input.shape.n_q), Reader::size(input.shape.n_k));
  if (!fit) co_return failure(fit.error());
  input.Q = Q.numbers();
  input.K = K.numbers();
  input.V = V.numbers();

  const Outcome outcome = co_await on_device(session, [&](Device& device) {
    return attention_webgpu(device, input, passes, repeat, *output);
  });
  if (outcome.refusal) co_return failed_answer(*outcome.refusal);
  const Backend processor = backends().back();
  const double begun = emscripten_get_now();
  if (!outcome.time) {
    const auto done = attention_heads(input, processor, *output, {});
    if (!done) co_return failure(done.error());
  }
  const double ms = emscripten_get_now() - begun;
  Writer writer(in.out());
  write_outcome(writer, outcome, name(processor).data(), ms);
  if (outcome.time) {
    writer.value("passes", val(std::string(names[static_cast<std::size_t>(passes)])));
  }
  if (compares) {
    auto reference = room(in, "output", lengths->output);
    if (in.failed()) co_return failure(in.error());
    const auto done = attention_heads(input, Backend::scalar, *reference, {});
    if (!done) co_return failure(done.error());
    writer.number("largest_difference", largest_difference(*output, *reference));
  }
  co_return finished(in, "output", *output, writer);
}

Task<val> matmul_call(val options) {
  Reader in(std::move(options));
  const std::shared_ptr<Session> session = find_session(in);
  const auto size = [&](const char* field, std::uint64_t most) {
    return static_cast<std::uint32_t>(in.count(field, most));
  };
  Product product = {};
  product.n_batches = static_cast<std::uint32_t>(in.count_or("n_batches", 1, max_heads));
  product.n_rows = size("n_rows", max_tiled_tokens);
  product.n_inner = size("n_inner", max_width);
  product.n_columns = size("n_columns", max_width);
  product.shares_a = in.flag_or("shares_A", false);
  product.shares_b = in.flag_or("shares_B", false);
  const auto repeat = in.count_or("repeat", 1, most_repeats);
  const bool compares = in.flag_or("compare", false);
  const auto length = [&](const char* field, std::uint64_t batches, std::uint64_t rows,
                          std::uint64_t columns) {
    const auto product_of = checked_product(field, {batches, rows, columns});
    if (!product_of) in.accept(std::unexpected(product_of.error()));
    return product_of.value_or(0);
  };
  const std::uint64_t n = product.n_batches;
  const std::uint64_t a_length =
      length("A", product.shares_a ? 1 : n, product.n_rows, product.n_inner);
  const std::uint64_t b_length =
      length("B", product.shares_b ? 1 : n, product.n_inner, product.n_columns);
  const std::uint64_t c_length = length("C", n, product.n_rows, product.n_columns);
  if (in.failed()) co_return failure(in.error());
  Floats A(in, "A", a_length), B(in, "B", b_length);
  A.keep(in, "A");
  B.keep(in, "B");
  auto C = room(in, "C", c_length);
  if (in.failed()) co_return failure(in.error());
  product.a = A.numbers();
  product.b = B.numbers();

  const Outcome outcome = co_await on_device(
      session, [&](Device& device) { return matmul_webgpu(device, product, repeat, *C); });
  if (outcome.refusal) co_return failed_answer(*outcome.refusal);
  const auto on_processor = [&](std::vector<float>& c) {
    const std::size_t a_each = product.shares_a ? 0 : product.a.size() / product.n_batches;
    const std::size_t b_each = product.shares_b ? 0 : product.b.size() / product.n_batches;
    for (std::size_t batch = 0; batch < product.n_batches; ++batch) {
      kernels::matmul_scalar(product.a.data() + batch * a_each, product.b.data() + batch * b_each,
                             c.data() + batch * (c.size() / product.n_batches), product.n_rows,
                             product.n_inner, product.n_columns);
    }
  };
  const double begun = emscripten_get_now();
  if (!outcome.time) on_processor(*C);
  const double ms = emscripten_get_now() - begun;
  Writer writer(in.out());
  write_outcome(writer, outcome, "scalar", ms);
  if (compares) {
    auto reference = room(in, "C", c_length);
    if (in.failed()) co_return failure(in.error());
    on_processor(*reference);
    writer.number("largest_difference", largest_difference(*C, *reference));
  }
  co_return finished(in, "C", *C, writer);
}

Task<val> close_call(val options) {
  Reader in(std::move(options));
  const auto number = in.count("session", 0xFFFFFFFF);
  if (in.failed()) co_return failure(in.error());
  sessions().close(static_cast<std::uint32_t>(number));
  co_return Writer(val::undefined())
      .number("open", static_cast<double>(sessions().size()))
      .finish();
}

}  // namespace attn::webgpu
