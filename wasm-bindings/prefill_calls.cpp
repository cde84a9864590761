#include "prefill_calls.hpp"

#include <emscripten.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/limits.hpp"
#include "open_model.hpp"
#include "prefill_on_device.hpp"
#include "take_request.hpp"

namespace attn::webgpu {
namespace {

using binding::failure;
using binding::OpenModel;
using binding::Reader;
using binding::TakeRequest;
using binding::Writer;

/// Fewer do not fill a tile of the products.
constexpr std::size_t least_tokens = 64;

constexpr const char* processor_notice = " The processor took the prompt.";

/// The device that prompts go to, and where it came from.
struct Session {
  val gpu = val::undefined();
  std::shared_ptr<Device> device = {};
};

Session& session() {
  static Session opened;
  return opened;
}

/// The device of `gpu`; a fresh one where there is none yet, or it was lost.
Task<Result<std::shared_ptr<Device>>> device_of(val gpu) {
  if (!is_there(gpu)) {
    co_return std::unexpected(
        Failure{Failure::Kind::unavailable,
                "This browser has no WebGPU, or this page may not use it: it needs a current "
                "browser and an address that begins with https:// or is localhost."});
  }
  if (session().device && !session().device->is_lost() && session().gpu.strictlyEquals(gpu)) {
    co_return session().device;
  }
  auto opened = co_await Device::open(gpu);
  if (!opened) co_return std::unexpected(opened.error());
  session() = {gpu, *opened};
  co_return std::move(*opened);
}

/// What became of a prompt on a device.
struct Outcome {
  /// Where it ran; nothing when the processor has to.
  std::shared_ptr<Device> device = {};
  double ms = 0;
  /// A sentence for the page when something went another way than asked.
  std::string notice = {};
};

/// One try on one device. The model may be closed while it waits, and is looked for again each time.
Task<Result<double>> prefill_on(std::shared_ptr<Device> device, Reader& in,
                                const TakeRequest& request) {
  OpenModel* model = binding::open_models().find(in, "model");
  if (in.failed()) co_return 0;
  const auto compiled =
      co_await device->compile(ModelOnDevice::kernels(model->transformer.weights()));
  if (!compiled) co_return std::unexpected(compiled.error());
  model = binding::open_models().find(in, "model");
  if (in.failed()) co_return 0;
  if (!model->on_device || model->on_device->device() != device) {
    model->on_device = std::make_shared<ModelOnDevice>(device);
  }
  const std::uint64_t numbers =
      std::uint64_t{request.ids().size()} * model->transformer.config().d_model;
  if (!in.accept(check_bytes("ids", numbers * sizeof(float)))) co_return 0;
  std::vector<float> x(as_size(numbers));
  if (!in.accept(model->transformer.embed(request.ids(), x))) co_return 0;
  const auto done = co_await ModelOnDevice::prefill(model->on_device, model->transformer, x);
  if (!done) co_return std::unexpected(done.error());
  model = binding::open_models().find(in, "model");
  if (in.failed()) co_return 0;
  std::vector<float> logits(as_size(model->transformer.config().vocab_size));
  const auto adopted = model->transformer.adopt(request.ids().size(), done->keys(), done->values(),
                                                done->last(), logits);
  if (!in.accept(adopted)) co_return 0;
  model->logits = std::move(logits);
  co_return done->ms;
}

/// On the device, and once more on a fresh one when it is lost.
Task<Outcome> on_device(val gpu, bool is_by_name, Reader& in, const TakeRequest& request) {
  Outcome outcome;
  std::string loss;
  for (int tries = 0; tries < 2; ++tries) {
    const auto device = co_await device_of(gpu);
    if (!device) {
      // That there is none is a fault of no call that did not ask for it.
      if (is_by_name || !loss.empty()) outcome.notice = device.error().message + processor_notice;
      co_return outcome;
    }
    if (!is_by_name && (*device)->adapter().is_software) co_return outcome;
    const auto ms = co_await prefill_on(*device, in, request);
    if (in.failed()) co_return outcome;
    if (ms) {
      outcome.device = *device;
      outcome.ms = *ms;
      if (!loss.empty()) outcome.notice = loss + " A fresh device took the prompt.";
      co_return outcome;
    }
    loss = ms.error().message;
    if (ms.error().kind != Failure::Kind::lost) break;
  }
  outcome.notice = loss + processor_notice;
  co_return outcome;
}

/// Why WebGPU is not for this call; empty when it is.
std::string_view reason_against(const Transformer& model, const TakeRequest& request) {
  if (!request.is_plain()) {
    return "WebGPU gives logits alone: losses, weights and what is cut out are the processor's.";
  }
  if (model.may_adopt()) return {};
  return "WebGPU takes prompts that begin a sequence, with a cache of f32.";
}

}  // namespace

Task<val> take_prompt_call(val options) {
  Reader in(options);
  OpenModel* model = binding::open_models().find(in, "model");
  TakeRequest request(in);
  constexpr std::array<std::string_view, 4> names = {"auto", "scalar", "simd", "webgpu"};
  const std::string_view wanted = names[in.choice("backend", names)];
  if (in.failed()) co_return failure(in.error());
  const std::string_view own = name(model->transformer.backend());
  const bool is_by_name = wanted == "webgpu";
  if (wanted != own && wanted != "auto" && !is_by_name) {
    in.refuse(ErrorCode::bad_argument, "backend",
              " must be auto, webgpu or the one that the model was opened with.");
    co_return failure(in.error());
  }

  Outcome outcome;
  if (is_by_name || (wanted == "auto" && request.ids().size() >= least_tokens)) {
    const std::string_view reason = reason_against(model->transformer, request);
    if (reason.empty() && !request.ids().empty()) {
      outcome = co_await on_device(options["gpu"], is_by_name, in, request);
      if (in.failed()) co_return failure(in.error());
      // It may have been closed meanwhile.
      model = binding::open_models().find(in, "model");
      if (in.failed()) co_return failure(in.error());
    } else if (is_by_name) {
      outcome.notice = std::string(reason) + processor_notice;
    }
  }
  if (!outcome.device) {
    const double begun = emscripten_get_now();
    const auto taken = request.take(*model);
    if (!taken) co_return failure(taken.error());
    outcome.ms = emscripten_get_now() - begun;
  }
  Writer writer(in.out());
  request.write(*model, writer);
  writer.value("backend", val(std::string(outcome.device ? "webgpu" : own)))
      .number("compute_ms", outcome.ms);
  if (outcome.device) writer.value("adapter", adapter_value(outcome.device->adapter()));
  if (!outcome.notice.empty()) writer.value("notice", val(outcome.notice));
  co_return writer.finish();
}

}  // namespace attn::webgpu
