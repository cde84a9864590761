#pragma once

// Numbers that stay in the module: what is large crosses the border once, and only when it is asked for.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "convert.hpp"
#include "shelf.hpp"

namespace attn::binding {

/// A kept array of float32.
class Tensor {
 public:
  /// Errors: too_large and out_of_memory, naming "length".
  static Expected<Tensor> make(std::uint64_t length);
  std::span<float> numbers() { return {numbers_.get(), length_}; }

 private:
  struct Free {
    void operator()(float* numbers) const;
  };
  std::unique_ptr<float, Free> numbers_;
  std::size_t length_ = 0;
};

Shelf<Tensor>& tensors();

/// Numbers that a call reads: those of a tensor, or a copy of an array's.
class Floats {
 public:
  /// The option `field`, an array, or `field`_tensor, the number of a tensor, of `length` numbers either way.
  Floats(Reader& in, const char* field, std::uint64_t length);
  std::span<const float> numbers() const { return numbers_; }
  /// Copies what a tensor lends, for a call that waits: the tensor may be closed meanwhile.
  void keep(Reader& in, const char* field);

 private:
  Vector<float> own_;
  std::span<const float> numbers_;
};

/// Numbers that a call writes: into the tensor `field`_tensor, or into memory of its own that is copied out.
class FloatsOut {
 public:
  FloatsOut(Reader& in, const char* field, std::uint64_t length);
  std::span<float> numbers() { return numbers_; }
  /// Adds the array to the answer, unless a tensor holds it.
  void write(Writer& writer) const;

 private:
  const char* field_;
  Vector<float> own_;
  std::span<float> numbers_;
  bool is_tensor_ = false;
};

val open_tensor_of(Reader& in);
val close_tensor_of(Reader& in);
val write_tensor_of(Reader& in);
val read_tensor_of(Reader& in);

}  // namespace attn::binding
