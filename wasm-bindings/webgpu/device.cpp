#include "webgpu/device.hpp"

#include <emscripten.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

using emscripten::EM_VAL;

EM_JS_DEPS(attn_webgpu_device, "$Emval");

// clang-format off

// What happens to the device later is noted where C++ can look.
EM_JS(EM_VAL, attn_webgpu_watch, (EM_VAL device), {
  const loss = {message: "", is_lost: false};
  const lose = (info) => {
    // A device that has no such promise resolves at once, with nothing.
    if (!info) return;
    loss.is_lost = true;
    loss.message = String(info.message || info.reason || "");
  };
  Promise.resolve(Emval.toValue(device).lost).then(lose, lose);
  return Emval.toHandle(loss);
});

// clang-format on

namespace attn::webgpu {
namespace {

// Names of GPUBufferUsage and GPUMapMode; a browser has the objects, Node may not.
constexpr double map_read = 1, copy_src = 4, copy_dst = 8, uniform_usage = 64, storage_usage = 128,
                 query_resolve = 512;
constexpr double map_mode_read = 1;

/// WebGPU wants sizes in multiples of 4; what vec4 fill is a multiple of 16.
constexpr double buffer_step = 16;

/// What unused buffers may keep of the device's memory.
constexpr double most_free_bytes = 256.0 * 1024 * 1024;

/// Two timestamps of 8 bytes.
constexpr std::size_t timestamps_bytes = 16;

/// Every adapter has these, whatever it says.
constexpr double least_binding_bytes = 134'217'728;

/// Quads of four invocations have to lie within a subgroup.
constexpr double least_subgroup = 4;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool names_software(const Adapter& adapter) {
  const std::string all = lower(adapter.vendor + ' ' + adapter.architecture + ' ' + adapter.device +
                                ' ' + adapter.description);
  // SwiftShader; Mesa's llvmpipe, lavapipe and softpipe; Microsoft's WARP, which says "Basic Render Driver".
  constexpr std::array names = {"swiftshader", "llvmpipe",     "lavapipe", "softpipe",
                                "warp",        "basic render", "software"};
  return std::ranges::any_of(names,
                             [&](const char* name) { return all.find(name) != std::string::npos; });
}

bool has_feature(const val& adapter, const char* feature) {
  Calls calls;
  return calls(property(adapter, "features"), "has", std::string(feature)).isTrue();
}

Adapter describe(const val& adapter) {
  const val info = property(adapter, "info");
  const val limits = property(adapter, "limits");
  Adapter made = {.vendor = text_property(info, "vendor"),
                  .architecture = text_property(info, "architecture"),
                  .device = text_property(info, "device"),
                  .description = text_property(info, "description")};
  made.is_software = property(info, "isFallbackAdapter").isTrue() ||
                     property(adapter, "isFallbackAdapter").isTrue() || names_software(made);
  made.has_subgroups = has_feature(adapter, "subgroups") &&
                       number_property(info, "subgroupMinSize", 0) >= least_subgroup;
  made.has_timestamps = has_feature(adapter, "timestamp-query");
  made.max_bytes =
      std::min(number_property(limits, "maxStorageBufferBindingSize", least_binding_bytes),
               number_property(limits, "maxBufferSize", least_binding_bytes));
  return made;
}

val descriptor_of(const Adapter& adapter) {
  val features = val::array();
  if (adapter.has_subgroups) features.call<void>("push", std::string("subgroups"));
  if (adapter.has_timestamps) features.call<void>("push", std::string("timestamp-query"));
  return object_of("requiredFeatures", features, "requiredLimits",
                   object_of("maxStorageBufferBindingSize", adapter.max_bytes, "maxBufferSize",
                             adapter.max_bytes));
}

template <class T>
val view(std::span<T> numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}

template <class T>
double bytes_of(std::span<T> numbers) {
  return static_cast<double>(numbers.size_bytes());
}

/// Copies from an ArrayBuffer of the browser's.
template <class T>
void copy_from(const val& range, double offset, const char* type, std::span<T> to) {
  view(to).template call<void>(
      "set", val::global(type).new_(range, offset, static_cast<double>(to.size())));
}

}  // namespace

val adapter_value(const Adapter& adapter) {
  return object_of("vendor", adapter.vendor, "architecture", adapter.architecture, "device",
                   adapter.device, "description", adapter.description, "is_software",
                   adapter.is_software, "kind", std::string(adapter.kind()), "has_subgroups",
                   adapter.has_subgroups, "has_timestamps", adapter.has_timestamps, "max_bytes",
                   adapter.max_bytes);
}

Buffer::~Buffer() {
  if (device_ != nullptr) device_->give_back(usage_, size_, std::move(buffer_), is_whole_);
}

Task<Result<std::shared_ptr<Device>>> Device::open(val gpu) {
  using Kind = Failure::Kind;
  const auto asked = co_await settled(
      gpu, "requestAdapter", object_of("powerPreference", std::string("high-performance")));
  if (!asked) {
    co_return std::unexpected(
        Failure{Kind::unavailable, "The browser refuses WebGPU (" + asked.error() +
                                       "). Compute on the processor, or try a current browser."});
  }
  if (!is_there(*asked)) {
    co_return std::unexpected(
        Failure{Kind::unavailable,
                "This browser has WebGPU but no adapter for it: its graphics driver may be "
                "missing, too old or "
                "blocked. Compute on the processor, or switch on hardware acceleration."});
  }
  Adapter adapter = describe(*asked);
  const auto device = co_await settled(*asked, "requestDevice", descriptor_of(adapter));
  if (!device || !is_there(*device)) {
    co_return std::unexpected(Failure{
        Kind::unavailable, std::string("The ") + adapter.kind() + " gives no device (" +
                               (device ? "nothing came" : device.error()) +
                               "). Close other pages that use it, or compute on the processor."});
  }
  co_return std::make_shared<Device>(std::move(adapter), *device);
}

Device::Device(Adapter adapter, val device)
    : adapter_(std::move(adapter)),
      device_(std::move(device)),
      queue_(property(device_, "queue")),
      loss_(val::take_ownership(attn_webgpu_watch(device_.as_handle()))) {
  if (adapter_.has_timestamps) {
    Calls calls;
    query_set_ =
        calls(device_, "createQuerySet", object_of("type", std::string("timestamp"), "count", 2));
  }
}

Device::~Device() {
  Calls calls;
  calls(device_, "destroy");
}

bool Device::is_lost() const { return loss_["is_lost"].isTrue(); }

Failure Device::failure(Failure::Kind kind, const std::string& words) const {
  if (is_lost()) {
    const std::string message = text_property(loss_, "message");
    return {Failure::Kind::lost, std::string("The ") + adapter_.kind() + " was lost" +
                                     (message.empty() ? "" : " (" + message + ")") + "."};
  }
  return {kind, std::string("The ") + adapter_.kind() + " failed (" + words + ")."};
}

Task<Result<bool>> Device::compile(std::vector<const Kernel*> kernels) {
  for (const Kernel* kernel : kernels) {
    if (pipelines_.contains(kernel->name)) continue;
    Calls calls;
    const val shader =
        calls(device_, "createShaderModule",
              object_of("label", std::string(kernel->name), "code", std::string(kernel->shader)));
    if (calls.failed()) {
      co_return std::unexpected(failure(Failure::Kind::failed, calls.error()));
    }
    const val descriptor =
        object_of("label", std::string(kernel->name), "layout", std::string("auto"), "compute",
                  object_of("module", shader, "entryPoint", std::string("main")));
    const auto pipeline = co_await settled(device_, "createComputePipelineAsync", descriptor);
    if (!pipeline) {
      co_return std::unexpected(failure(
          Failure::Kind::failed, std::string("kernel ") + kernel->name + ", " + pipeline.error()));
    }
    pipelines_.insert_or_assign(kernel->name, *pipeline);
  }
  co_return true;
}

void Device::begin(Calls& calls) {
  calls(device_, "pushErrorScope", std::string("out-of-memory"));
  calls(device_, "pushErrorScope", std::string("validation"));
}

Buffer Device::buffer(Calls& calls, double usage, double bytes) {
  const double wanted = std::max(1.0, std::ceil(bytes / buffer_step)) * buffer_step;
  // One that is much too large is left for a larger call.
  const auto fits = [&](const Kept& kept) {
    return kept.usage == usage && kept.size >= wanted && kept.size <= 2 * wanted;
  };
  const auto found = std::ranges::find_if(free_, fits);
  if (found != free_.end()) {
    Kept kept = std::move(*found);
    free_.erase(found);
    free_bytes_ -= kept.size;
    return Buffer(*this, usage, kept.size, std::move(kept.buffer));
  }
  return Buffer(*this, usage, wanted,
                calls(device_, "createBuffer", object_of("size", wanted, "usage", usage)));
}

void Device::give_back(double usage, double size, val buffer, bool is_whole) {
  if (!is_there(buffer)) return;
  const val state = property(buffer, "mapState");
  const bool is_mapped = state.isString() && !state.strictlyEquals(val("unmapped"));
  if (!is_whole || is_lost() || is_mapped || free_bytes_ + size > most_free_bytes) {
    Calls calls;
    calls(buffer, "destroy");
    return;
  }
  free_.push_back({usage, size, std::move(buffer)});
  free_bytes_ += size;
}

Buffer Device::storage(Calls& calls, std::uint64_t bytes) {
  return buffer(calls, storage_usage + copy_src + copy_dst, static_cast<double>(bytes));
}

Buffer Device::uniform(Calls& calls, std::span<const std::uint32_t> words) {
  Buffer made = buffer(calls, uniform_usage + copy_dst, bytes_of(words));
  calls(queue_, "writeBuffer", made.handle(), 0, view(words));
  return made;
}

void Device::write(Calls& calls, const Buffer& buffer, std::uint64_t offset,
                   std::span<const float> numbers) {
  calls(queue_, "writeBuffer", buffer.handle(), static_cast<double>(offset), view(numbers));
}

void Device::write(Calls& calls, const Buffer& buffer, std::span<const std::int32_t> numbers) {
  calls(queue_, "writeBuffer", buffer.handle(), 0, view(numbers));
}

void Device::write(Calls& calls, const Buffer& buffer, std::span<const std::byte> bytes) {
  const std::span all(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const std::size_t whole = all.size() / 4 * 4;
  calls(queue_, "writeBuffer", buffer.handle(), 0, view(all.first(whole)));
  if (whole == all.size()) return;
  std::array<std::uint8_t, 4> last = {};
  std::ranges::copy(all.subspan(whole), last.begin());
  calls(queue_, "writeBuffer", buffer.handle(), static_cast<double>(whole),
        view(std::span<const std::uint8_t>(last)));
}

void Device::submit(Calls& calls, std::span<const Dispatch> dispatches) {
  const val encoder = calls(device_, "createCommandEncoder");
  const val pass = calls(encoder, "beginComputePass");
  encode(calls, pass, dispatches, 1);
  calls(pass, "end");
  val commands = val::array();
  commands.call<void>("push", calls(encoder, "finish"));
  calls(queue_, "submit", commands);
}

void Device::encode(Calls& calls, const val& pass, std::span<const Dispatch> dispatches,
                    std::uint64_t repeat) const {
  std::vector<val> groups;
  for (const Dispatch& dispatch : dispatches) {
    val entries = val::array();
    int binding = 0;
    for (const Buffer* each : dispatch.buffers) {
      entries.call<void>(
          "push", object_of("binding", binding++, "resource", object_of("buffer", each->handle())));
    }
    const val layout = calls(pipelines_.at(dispatch.kernel->name), "getBindGroupLayout", 0);
    groups.push_back(
        calls(device_, "createBindGroup", object_of("layout", layout, "entries", entries)));
  }
  for (std::uint64_t each = 0; each < repeat && !calls.failed(); ++each) {
    for (std::size_t i = 0; i < dispatches.size(); ++i) {
      const Dispatch& dispatch = dispatches[i];
      calls(pass, "setPipeline", pipelines_.at(dispatch.kernel->name));
      calls(pass, "setBindGroup", 0, groups[i]);
      calls(pass, "dispatchWorkgroups", dispatch.x, dispatch.y, dispatch.z);
    }
  }
}

Task<Result<Time>> Device::run(Calls& calls, std::span<const Dispatch> dispatches,
                               std::uint64_t repeat, const Buffer& from, std::span<float> to) {
  const bool has_timestamps = is_there(query_set_);
  const double bytes = bytes_of(to);
  // A copy between buffers has to begin at a multiple of 8.
  const double times_at = bytes + std::fmod(bytes, 8);
  std::optional<Buffer> resolved;
  if (has_timestamps) resolved.emplace(buffer(calls, query_resolve + copy_src, timestamps_bytes));
  Buffer read = buffer(calls, map_read + copy_dst, times_at + timestamps_bytes);

  const val encoder = calls(device_, "createCommandEncoder");
  val pass_options = val::object();
  if (has_timestamps) {
    pass_options.set("timestampWrites",
                     object_of("querySet", query_set_, "beginningOfPassWriteIndex", 0,
                               "endOfPassWriteIndex", 1));
  }
  const val pass = calls(encoder, "beginComputePass", pass_options);
  encode(calls, pass, dispatches, repeat);
  calls(pass, "end");
  calls(encoder, "copyBufferToBuffer", from.handle(), 0, read.handle(), 0, bytes);
  if (has_timestamps) {
    calls(encoder, "resolveQuerySet", query_set_, 0, 2, resolved->handle(), 0);
    calls(encoder, "copyBufferToBuffer", resolved->handle(), 0, read.handle(), times_at,
          static_cast<double>(timestamps_bytes));
  }
  val commands = val::array();
  commands.call<void>("push", calls(encoder, "finish"));
  const double begun = emscripten_get_now();
  calls(queue_, "submit", commands);
  const val mapping = calls(read.handle(), "mapAsync", map_mode_read);

  // Both scopes are closed before anything is awaited: another call may open its own meanwhile.
  Calls closing;
  const val validation = closing(device_, "popErrorScope");
  const val memory = closing(device_, "popErrorScope");
  const auto answers = co_await all_settled({memory, validation, mapping});
  const double ended = emscripten_get_now();
  if (!answers.back()) read.spoil();
  for (const Calls* each : {&std::as_const(calls), &std::as_const(closing)}) {
    if (each->failed()) co_return std::unexpected(failure(Failure::Kind::failed, each->error()));
  }
  for (const Answer& answer : answers) {
    if (!answer) co_return std::unexpected(failure(Failure::Kind::failed, answer.error()));
  }
  constexpr std::array kinds = {Failure::Kind::too_large, Failure::Kind::failed};
  for (std::size_t scope = 0; scope < kinds.size(); ++scope) {
    const val& error = *answers[scope];
    if (is_there(error)) {
      co_return std::unexpected(failure(kinds[scope], text_property(error, "message")));
    }
  }
  if (is_lost()) co_return std::unexpected(failure(Failure::Kind::lost, ""));

  Calls reading;
  const val range = reading(read.handle(), "getMappedRange");
  if (reading.failed()) co_return std::unexpected(failure(Failure::Kind::failed, reading.error()));
  copy_from(range, 0, "Float32Array", to);
  Time time = {.ms = (ended - begun) / static_cast<double>(repeat)};
  if (has_timestamps) {
    std::array<std::uint64_t, 2> stamps = {};
    const std::span bytes_to(reinterpret_cast<std::uint8_t*>(stamps.data()), timestamps_bytes);
    copy_from(range, times_at, "Uint8Array", bytes_to);
    // Nanoseconds. Some drivers give nonsense once in a while; the clock on the wall does not.
    if (stamps[1] > stamps[0]) {
      time = {.ms = static_cast<double>(stamps[1] - stamps[0]) / 1e6 / static_cast<double>(repeat),
              .by_timestamps = true};
    }
  }
  reading(read.handle(), "unmap");
  co_return time;
}

}  // namespace attn::webgpu
