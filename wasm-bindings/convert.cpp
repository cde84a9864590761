#include "convert.hpp"

#include <cmath>

#include "core/limits.hpp"

namespace attn::binding {
namespace {

struct ArrayType {
  const char* name;
  val constructor;
};

/// JavaScript's constructor of such arrays, looked up once.
const ArrayType& type_of(ArrayKind kind) {
  static const ArrayType types[] = {
      {"Float64Array", val::global("Float64Array")},
      {"Float32Array", val::global("Float32Array")},
      {"Int32Array", val::global("Int32Array")},
      {"Uint8Array", val::global("Uint8Array")},
  };
  return types[static_cast<std::size_t>(kind)];
}

/// A view of the heap. It must not outlive the statement that asks for it, nor may anything in that
/// statement make memory grow.
val view(const Memory& memory) {
  const auto as = [&]<class T>(const T* data) {
    return val(emscripten::typed_memory_view(memory.length, data));
  };
  switch (memory.kind) {
    case ArrayKind::float64:
      return as(static_cast<const double*>(memory.data));
    case ArrayKind::float32:
      return as(static_cast<const float*>(memory.data));
    case ArrayKind::int32:
      return as(static_cast<const std::int32_t*>(memory.data));
    case ArrayKind::uint8:
      return as(static_cast<const std::uint8_t*>(memory.data));
  }
  std::unreachable();
}

double length_of(const val& array) { return array["length"].as<double>(); }

bool is_there(const val& value) { return !value.isUndefined() && !value.isNull(); }

val text(std::string_view words) { return val(std::string(words)); }

}  // namespace

val failure(const Error& error) {
  val answer = val::object();
  answer.set("ok", false);
  answer.set("code", text(name(error.code)));
  answer.set("field", text(error.field));
  answer.set("message", text(error.message));
  return answer;
}

val success(const val& value) {
  val answer = val::object();
  answer.set("ok", true);
  answer.set("value", value);
  return answer;
}

val copied(const Memory& memory) {
  if (memory.length == 0) return type_of(memory.kind).constructor.new_(0);
  return view(memory).call<val>("slice");
}

val shape(std::span<const std::uint64_t> sizes) {
  val list = val::array();
  for (const std::uint64_t size : sizes) list.call<void>("push", static_cast<double>(size));
  return list;
}

Reader::Reader(val options) : Reader(std::move(options), "") {}

Reader::Reader(val options, std::string path)
    : options_(std::move(options)), path_(std::move(path)) {
  if (options_.isNull() || !options_.typeOf().strictlyEquals(val("object"))) {
    error_ = Error{ErrorCode::bad_argument, path_.substr(0, path_.find_last_of('.')),
                   "The options must be one object with named fields."};
  }
}

void Reader::refuse(ErrorCode code, const char* field, std::string_view what) {
  if (!error_) error_ = Error{code, path_ + field, path_ + field + std::string(what)};
}

bool Reader::has(const char* field) const { return !failed() && is_there(options_[field]); }

double Reader::number(const char* field) {
  if (failed()) return 0;
  const val value = options_[field];
  double read = 0;
  if (!is_there(value)) {
    refuse(ErrorCode::bad_argument, field, " is missing.");
  } else if (!value.isNumber()) {
    refuse(ErrorCode::bad_argument, field, " must be a number.");
  } else if (read = value.as<double>(); !std::isfinite(read)) {
    refuse(ErrorCode::not_finite, field, " must be a finite number.");
  }
  return failed() ? 0 : read;
}

std::uint64_t Reader::count(const char* field, std::uint64_t most, std::uint64_t least) {
  const double value = number(field);
  if (failed()) return 0;
  if (value != std::floor(value)) {
    refuse(ErrorCode::out_of_range, field, " must be a whole number.");
  } else if (value < 0) {
    refuse(ErrorCode::out_of_range, field, " must not be negative.");
  } else {
    // Above 2^53 a double has gaps, and above 2^64 the conversion is undefined.
    const bool exact = value <= static_cast<double>(max_exact_count);
    const auto whole = exact ? static_cast<std::uint64_t>(value) : max_exact_count + 1;
    if (accept(check_count(path_ + field, whole, least, most))) return whole;
  }
  return 0;
}

std::uint64_t Reader::count_or(const char* field, std::uint64_t otherwise, std::uint64_t most) {
  return has(field) ? count(field, most) : otherwise;
}

bool Reader::flag_or(const char* field, bool otherwise) {
  if (!has(field)) return otherwise;
  const val value = options_[field];
  if (value.isTrue()) return true;
  if (!value.isFalse()) refuse(ErrorCode::bad_argument, field, " must be true or false.");
  return false;
}

std::size_t Reader::choice(const char* field, std::span<const std::string_view> names) {
  if (!has(field)) return 0;
  const val value = options_[field];
  std::string listed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (value.strictlyEquals(text(names[i]))) return i;
    listed += (i == 0                  ? "“"
               : i + 1 == names.size() ? " or “"
                                       : ", “") +
              std::string(names[i]) + "”";
  }
  refuse(ErrorCode::bad_argument, field, " must be " + listed + ".");
  return 0;
}

std::uint64_t Reader::length(const char* field, std::uint64_t most) {
  if (!has(field)) return 0;
  const val given = options_[field]["length"];
  const double count = given.isNumber() ? given.as<double>() : 0;
  // A length that is none is told by `fits`, which asks for the type.
  if (!(count >= 0) || count > static_cast<double>(max_exact_count)) return 0;
  const auto whole = static_cast<std::uint64_t>(count);
  return accept(check_count(path_ + field, whole, 0, most)) ? whole : 0;
}

std::string Reader::bytes(const char* field, std::uint64_t most) {
  if (!has(field)) return {};
  const std::uint64_t count = length(field, most);
  if (!fits(field, {count}, ArrayKind::uint8, 1)) return {};
  std::string read(size(count), '\0');
  copy(field, {read.data(), read.size(), ArrayKind::uint8});
  return failed() ? std::string() : read;
}

std::vector<std::int32_t> Reader::integers(const char* field, std::uint64_t most) {
  return list_or_empty<std::int32_t>(field, length(field, most));
}

void Reader::copy_floats(const char* field, std::span<float> numbers) {
  if (fits(field, {numbers.size()}, ArrayKind::float32, sizeof(float))) {
    copy(field, {numbers.data(), numbers.size(), ArrayKind::float32});
  }
}

bool Reader::wants_float32() {
  if (!has("dtype")) return false;
  const val value = options_["dtype"];
  if (value.strictlyEquals(val("float32"))) return true;
  if (!value.strictlyEquals(val("float64"))) {
    refuse(ErrorCode::bad_argument, "dtype", " must be “float64” or “float32”.");
  }
  return false;
}

void Reader::inside(const char* field, const std::function<void(Reader&)>& read) {
  if (!has(field)) return;
  Reader inner(options_[field], path_ + field + ".");
  read(inner);
  if (inner.failed()) error_ = inner.error();
}

val Reader::out() const { return options_["out"]; }

bool Reader::accept(const Expected<void>& checked) {
  if (!checked && !error_) error_ = checked.error();
  return checked.has_value();
}

bool Reader::fits(const char* field, std::initializer_list<std::uint64_t> sizes, ArrayKind kind,
                  std::size_t bytes_each) {
  if (failed()) return false;
  const val array = options_[field];
  if (!is_there(array)) {
    refuse(ErrorCode::bad_argument, field, " is missing.");
    return false;
  }
  const ArrayType& type = type_of(kind);
  if (!array.instanceof(type.constructor)) {
    refuse(ErrorCode::bad_argument, field,
           std::string(type.name[0] == 'I' ? " must be an " : " must be a ") + type.name + ".");
    return false;
  }
  const Expected<std::uint64_t> length = checked_product(path_ + field, sizes);
  if (!length) {
    error_ = length.error();
    return false;
  }
  const double given = length_of(array);
  if (given != static_cast<double>(*length)) {
    refuse(ErrorCode::shape_mismatch, field,
           " must hold " + std::to_string(*length) + " numbers for the sizes given; it holds " +
               std::to_string(static_cast<std::uint64_t>(given)) + ".");
    return false;
  }
  return accept(check_bytes(path_ + field, *length * bytes_each));
}

void Reader::copy(const char* field, const Memory& memory) {
  if (!failed() && memory.length > 0) view(memory).call<void>("set", options_[field]);
}

Writer::Writer(val out) : out_(std::move(out)) {}

Writer& Writer::number(const char* field, double value) {
  value_.set(field, value);
  return *this;
}

Writer& Writer::value(const char* field, const val& value) {
  value_.set(field, value);
  return *this;
}

Writer& Writer::numbers(const char* field, const Memory& memory) {
  if (is_there(out_)) {
    const val kept = out_[field];
    if (kept.instanceof(type_of(memory.kind).constructor) &&
        length_of(kept) == static_cast<double>(memory.length)) {
      if (memory.length > 0) kept.call<void>("set", view(memory));
      return value(field, kept);
    }
  }
  return value(field, copied(memory));
}

Writer& Writer::beginning(const char* field, const Memory& memory) {
  number("count", static_cast<double>(memory.length));
  if (is_there(out_)) {
    const val kept = out_[field];
    if (kept.instanceof(type_of(memory.kind).constructor) &&
        length_of(kept) >= static_cast<double>(memory.length)) {
      if (memory.length > 0) kept.call<void>("set", view(memory));
      return value(field, kept);
    }
  }
  return value(field, copied(memory));
}

val Writer::finish() const { return success(value_); }

}  // namespace attn::binding
