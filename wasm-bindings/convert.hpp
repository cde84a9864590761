#pragma once

// The one place where arrays, options and errors change sides.
//
// In: the fields of one options object are read by name, checked (type, length, limit) before
// anything of their size is allocated, and copied. Out: copies, never views of the heap, because a
// view dies silently when memory grows. No C++ exception and no abort is part of the contract:
// every failure is `{ok: false, code, field, message}`.

#include <emscripten/val.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/limits.hpp"
#include "core/matrix.hpp"

namespace attn::binding {

using emscripten::val;

template <class T>
struct TypedArray;
template <>
struct TypedArray<double> {
  static constexpr const char* name = "Float64Array";
};
template <>
struct TypedArray<float> {
  static constexpr const char* name = "Float32Array";
};
template <>
struct TypedArray<std::int32_t> {
  static constexpr const char* name = "Int32Array";
};
template <>
struct TypedArray<std::uint8_t> {
  static constexpr const char* name = "Uint8Array";
};

/// JavaScript's constructor of arrays of T, looked up once.
template <class T>
const val& constructor_of() {
  static const val constructor = val::global(TypedArray<T>::name);
  return constructor;
}

inline val failure(const Error& error) {
  val answer = val::object();
  answer.set("ok", false);
  answer.set("code", val(std::string(name(error.code))));
  answer.set("field", val(error.field));
  answer.set("message", val(error.message));
  return answer;
}

inline val success(const val& value) {
  val answer = val::object();
  answer.set("ok", true);
  answer.set("value", value);
  return answer;
}

/// Reads the named fields of one options object. The first thing that is wrong is kept, and every
/// later read answers with an empty value at once, so that a function may read all that it needs
/// and look at `failed()` a single time, before it computes.
class Reader {
 public:
  explicit Reader(val options) : Reader(std::move(options), "") {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

  /// Refuses an option: its name and `what` make the sentence.
  void refuse(ErrorCode code, const char* field, const char* what) {
    if (!error_) error_ = Error{code, path_ + field, path_ + field + what};
  }

  /// Whether the option is there: null and undefined mean that it is not.
  bool has(const char* field) const {
    if (failed()) return false;
    const val value = options_[field];
    return !value.isUndefined() && !value.isNull();
  }

  /// A finite number.
  double number(const char* field) {
    if (failed()) return 0;
    const val value = options_[field];
    if (value.isUndefined() || value.isNull()) return missing(field), 0;
    if (!value.isNumber()) {
      return refuse(ErrorCode::bad_argument, field, " must be a number."), 0;
    }
    const double read = value.as<double>();
    if (!std::isfinite(read)) {
      return refuse(ErrorCode::not_finite, field, " must be a finite number."), 0;
    }
    return read;
  }

  /// A whole number in [least, most].
  std::uint64_t count(const char* field, std::uint64_t most, std::uint64_t least = 1) {
    const double value = number(field);
    if (failed()) return 0;
    if (value != std::floor(value)) {
      return refuse(ErrorCode::out_of_range, field, " must be a whole number."), 0;
    }
    if (value < 0) return refuse(ErrorCode::out_of_range, field, " must not be negative."), 0;
    // Above 2^53 a double has gaps, and above 2^64 the conversion is undefined.
    const bool exact = value <= static_cast<double>(max_exact_count);
    const auto whole = exact ? static_cast<std::uint64_t>(value) : max_exact_count + 1;
    return accept(check_count(path_ + field, whole, least, most)) ? whole : 0;
  }

  std::uint64_t count_or(const char* field, std::uint64_t otherwise, std::uint64_t most) {
    return has(field) ? count(field, most) : otherwise;
  }

  bool flag_or(const char* field, bool otherwise) {
    if (!has(field)) return otherwise;
    const val value = options_[field];
    if (value.isTrue()) return true;
    if (!value.isFalse()) refuse(ErrorCode::bad_argument, field, " must be true or false.");
    return false;
  }

  /// Whether the option `dtype` asks for float32; float64 unless told.
  bool wants_float32() {
    if (!has("dtype")) return false;
    const val value = options_["dtype"];
    if (value.strictlyEquals(val("float32"))) return true;
    if (!value.strictlyEquals(val("float64"))) {
      refuse(ErrorCode::bad_argument, "dtype", " must be “float64” or “float32”.");
    }
    return false;
  }

  template <class T>
  Vector<T> vector(const char* field, std::uint64_t length) {
    if (!fits<T>(field, {length})) return make_vector<T>(0);
    Vector<T> read = make_vector<T>(static_cast<std::size_t>(length));
    copy(field, std::span<T>(read.data(), read.size()));
    return read;
  }

  template <class T>
  Vector<T> vector_or_empty(const char* field, std::uint64_t length) {
    return has(field) ? vector<T>(field, length) : make_vector<T>(0);
  }

  template <class T>
  Matrix<T> matrix(const char* field, std::uint64_t rows, std::uint64_t columns) {
    if (!fits<T>(field, {rows, columns})) return make_matrix<T>(0, 0);
    Matrix<T> read =
        make_matrix<T>(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    copy(field, std::span<T>(read.data(), read.size()));
    return read;
  }

  template <class T>
  std::vector<T> list_or_empty(const char* field, std::uint64_t length) {
    if (!has(field) || !fits<T>(field, {length})) return {};
    std::vector<T> read(static_cast<std::size_t>(length));
    copy(field, std::span<T>(read));
    return read;
  }

  /// Reads the options within the option `field`, if it is there: `read(inner)`. What goes wrong
  /// inside is named with its path, as in "mask.window".
  template <class Read>
  void inside(const char* field, Read&& read) {
    if (!has(field)) return;
    Reader inner(options_[field], path_ + field + ".");
    read(inner);
    if (inner.failed()) error_ = inner.error();
  }

  /// Where the caller wants the results: see Writer.
  val out() const { return options_["out"]; }

 private:
  Reader(val options, std::string path) : options_(std::move(options)), path_(std::move(path)) {
    if (options_.isNull() || !options_.typeOf().strictlyEquals(val("object"))) {
      error_ = Error{ErrorCode::bad_argument, path_.substr(0, path_.find_last_of('.')),
                     "The options must be one object with named fields."};
    }
  }

  void missing(const char* field) { refuse(ErrorCode::bad_argument, field, " is missing."); }

  bool accept(const Expected<void>& checked) {
    if (!checked && !error_) error_ = checked.error();
    return checked.has_value();
  }

  /// Whether the option is an array of T of as many numbers as the sizes say, and as many as the
  /// machine has memory for. Nothing of that size is allocated before.
  template <class T>
  bool fits(const char* field, std::initializer_list<std::uint64_t> sizes) {
    if (failed()) return false;
    const val array = options_[field];
    if (array.isUndefined() || array.isNull()) return missing(field), false;
    if (!array.instanceof(constructor_of<T>())) {
      const std::string must = std::string(" must be a ") + TypedArray<T>::name + ".";
      return refuse(ErrorCode::bad_argument, field, must.c_str()), false;
    }
    const Expected<std::uint64_t> length = checked_product(path_ + field, sizes);
    if (!length) return error_ = length.error(), false;
    const double given = array["length"].as<double>();
    if (given != static_cast<double>(*length)) {
      const std::string must = " must hold " + std::to_string(*length) +
                               " numbers for the sizes given; it holds " +
                               std::to_string(static_cast<std::uint64_t>(given)) + ".";
      return refuse(ErrorCode::shape_mismatch, field, must.c_str()), false;
    }
    return accept(check_bytes(path_ + field, *length * sizeof(T)));
  }

  template <class T>
  void copy(const char* field, std::span<T> memory) {
    if (memory.empty()) return;
    // The view lives for this one statement, in which nothing can make memory grow.
    val(emscripten::typed_memory_view(memory.size(), memory.data()))
        .template call<void>("set", options_[field]);
  }

  val options_;
  std::string path_;
  std::optional<Error> error_;
};

/// Writes named results as copies: into the array of that name in `out` where its type and length
/// fit, else into a new one. A fresh large ArrayBuffer costs more than most of our arithmetic.
class Writer {
 public:
  explicit Writer(val out) : out_(std::move(out)), reuse_(!out_.isUndefined() && !out_.isNull()) {}

  Writer& number(const char* field, double value) {
    value_.set(field, value);
    return *this;
  }

  template <class Container>
  Writer& array(const char* field, const Container& container) {
    const auto values = flat(container);
    using T = typename Container::value_type;
    if (reuse_) {
      const val kept = out_[field];
      if (kept.instanceof(constructor_of<T>()) &&
          kept["length"].template as<double>() == static_cast<double>(values.size())) {
        if (!values.empty()) kept.call<void>("set", view(values));
        value_.set(field, kept);
        return *this;
      }
    }
    value_.set(field, copied(values));
    return *this;
  }

  Writer& value(const char* field, const val& value) {
    value_.set(field, value);
    return *this;
  }

  val finish() const { return success(value_); }

  template <class T>
  static val copied(std::span<const T> values) {
    if (values.empty()) return constructor_of<T>().new_(0);
    return view(values).template call<val>("slice");
  }

 private:
  template <class T>
  static val view(std::span<const T> values) {
    return val(emscripten::typed_memory_view(values.size(), values.data()));
  }

  val out_;
  bool reuse_;
  val value_ = val::object();
};

/// A shape as JavaScript writes it: [3, 4].
template <class Sizes>
val shape(const Sizes& sizes) {
  val list = val::array();
  for (const auto size : sizes) list.call<void>("push", static_cast<double>(size));
  return list;
}

}  // namespace attn::binding
