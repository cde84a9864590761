#pragma once

// A device of the browser's WebGPU: what it is, what it can, and what is kept on it between two calls.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webgpu/promise.hpp"

namespace attn::webgpu {

/// Why a call did not end as asked.
struct Failure {
  enum class Kind : std::uint8_t {
    unavailable,  ///< No adapter, or none that gives a device.
    failed,  ///< The device refused something: a shader, a mapping.
    lost,  ///< The device went away; a fresh one may do.
    too_large,  ///< More than its limits or its memory hold.
  };
  Kind kind;
  /// A sentence for the page.
  std::string message;
};

template <class T>
using Result = std::expected<T, Failure>;

/// A shader by the name of its file.
struct Kernel {
  const char* name;
  const char* shader;
};

/// What the adapter says of itself.
struct Adapter {
  std::string vendor, architecture, device, description;
  /// Computes on the processor, whatever it calls itself: never to be shown as a GPU.
  bool is_software = false;
  bool has_subgroups = false;
  bool has_timestamps = false;
  /// The largest buffer that a kernel may be given, in bytes: the least of the adapter's limits on it.
  double max_bytes = 0;

  /// "software adapter" or "GPU".
  const char* kind() const { return is_software ? "software adapter" : "GPU"; }
};

/// The same as JavaScript reads it.
val adapter_value(const Adapter& adapter);

class Device;

/// A buffer in use; given back for the next call when this ends.
class Buffer {
 public:
  Buffer(Device& device, double usage, double size, val buffer)
      : device_(&device), usage_(usage), size_(size), buffer_(std::move(buffer)) {}
  Buffer(Buffer&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)),
        usage_(other.usage_),
        size_(other.size_),
        buffer_(std::move(other.buffer_)),
        is_whole_(other.is_whole_) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer();
  const val& handle() const { return buffer_; }
  /// Keeps it from being used again.
  void spoil() { is_whole_ = false; }

 private:
  Device* device_;
  double usage_, size_;
  val buffer_;
  bool is_whole_ = true;
};

/// One dispatch: a kernel, its buffers in the order of their bindings, and how many workgroups.
struct Dispatch {
  const Kernel* kernel;
  std::vector<const Buffer*> buffers;
  std::uint32_t x, y, z;
};

/// The milliseconds of one computation on the device, and how they were measured.
struct Time {
  double ms = 0;
  bool by_timestamps = false;
};

class Device {
 public:
  /// Asks `gpu`, which is navigator.gpu or something like it, for an adapter and a device with all that we use.
  static Task<Result<std::shared_ptr<Device>>> open(val gpu);

  Device(Adapter adapter, val device);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  /// Destroys the device: that it is lost then is no failure.
  ~Device();

  const Adapter& adapter() const { return adapter_; }
  void leave_subgroups_out() { adapter_.has_subgroups = false; }
  bool is_lost() const;

  /// Compiles the kernels that are not compiled yet.
  Task<Result<bool>> compile(std::vector<const Kernel*> kernels);

  /// What `run` needs between two looks at errors: opens the scopes in which the device notes them.
  void begin(Calls& calls);
  /// A buffer that kernels read and write, of at least `bytes`.
  Buffer storage(Calls& calls, std::uint64_t bytes);
  /// A small buffer of the kernel's sizes.
  Buffer uniform(Calls& calls, std::span<const std::uint32_t> words);
  /// Copies into a buffer. `offset` is in bytes.
  void write(Calls& calls, const Buffer& buffer, std::uint64_t offset,
             std::span<const float> numbers);
  void write(Calls& calls, const Buffer& buffer, std::span<const std::int32_t> numbers);
  /// Bytes as they are; what is missing of the last four is 0.
  void write(Calls& calls, const Buffer& buffer, std::span<const std::byte> bytes);

  /// Hands the dispatches in order to the device, before those of the `run` that is to follow, and does not wait. Much
  /// work comes in several such parts: a browser takes a device away that is busy with one for seconds.
  void submit(Calls& calls, std::span<const Dispatch> dispatches);

  /// Runs the dispatches in order, `repeat` times over, and copies the first numbers of `from` to `to`.
  /// `calls` holds what went wrong since `begin`.
  Task<Result<Time>> run(Calls& calls, std::span<const Dispatch> dispatches, std::uint64_t repeat,
                         const Buffer& from, std::span<float> to);

 private:
  friend class Buffer;

  Buffer buffer(Calls& calls, double usage, double bytes);
  void encode(Calls& calls, const val& pass, std::span<const Dispatch> dispatches,
              std::uint64_t repeat) const;
  void give_back(double usage, double size, val buffer, bool is_whole);
  Failure failure(Failure::Kind kind, const std::string& words) const;

  struct Kept {
    double usage, size;
    val buffer;
  };

  Adapter adapter_;
  val device_, queue_, loss_;
  val query_set_ = val::undefined();
  std::map<std::string_view, val> pipelines_;
  std::vector<Kept> free_;
  double free_bytes_ = 0;
};

}  // namespace attn::webgpu
