#include "tensor.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "core/limits.hpp"

namespace attn::binding {
namespace {

/// Of a vector's width, so that no load crosses a line of the cache.
constexpr std::size_t alignment = 64;

/// The tensor whose number stands in `option`, of the length that the call's sizes ask for.
std::span<float> tensor_of(Reader& in, const std::string& option, const char* field,
                           std::uint64_t length) {
  Tensor* tensor = tensors().find(in, option.c_str(), field);
  if (tensor == nullptr) return {};
  const std::span<float> numbers = tensor->numbers();
  if (numbers.size() == length) return numbers;
  in.refuse(ErrorCode::shape_mismatch, field,
            " must hold " + std::to_string(length) + " numbers for the sizes given; it holds " +
                std::to_string(numbers.size()) + ".");
  return {};
}

}  // namespace

void Tensor::Free::operator()(float* numbers) const { std::free(numbers); }

Expected<Tensor> Tensor::make(std::uint64_t length) {
  ATTN_CHECK(check_count("length", length, 1, max_bytes / sizeof(float)));
  ATTN_CHECK(check_bytes("length", length * sizeof(float)));
  Tensor tensor;
  tensor.length_ = static_cast<std::size_t>(length);
  const std::size_t bytes =
      (tensor.length_ * sizeof(float) + alignment - 1) / alignment * alignment;
  tensor.numbers_.reset(static_cast<float*>(std::aligned_alloc(alignment, bytes)));
  if (tensor.numbers_ == nullptr) {
    return fail(ErrorCode::out_of_memory, "length",
                {"This needs ", std::uint64_t{bytes}, " bytes of memory, which are not free."});
  }
  for (float& number : tensor.numbers()) number = 0;
  return tensor;
}

Shelf<Tensor>& tensors() {
  static Shelf<Tensor> shelf;
  return shelf;
}

Floats::Floats(Reader& in, const char* field, std::uint64_t length) {
  const std::string tensor = std::string(field) + "_tensor";
  if (in.has(tensor.c_str())) {
    numbers_ = tensor_of(in, tensor, field, length);
    return;
  }
  own_ = in.vector<float>(field, length);
  numbers_ = flat(own_);
}

void Floats::keep(Reader& in, const char* field) {
  if (in.failed() || numbers_.empty() || numbers_.data() == own_.data()) return;
  if (!in.accept(check_bytes(field, numbers_.size_bytes()))) return;
  own_ = make_vector<float>(numbers_.size());
  std::ranges::copy(numbers_, own_.begin());
  numbers_ = flat(own_);
}

FloatsOut::FloatsOut(Reader& in, const char* field, std::uint64_t length) : field_(field) {
  const std::string tensor = std::string(field) + "_tensor";
  if (in.has(tensor.c_str())) {
    is_tensor_ = true;
    numbers_ = tensor_of(in, tensor, field, length);
    return;
  }
  if (in.failed() || !in.accept(check_bytes(field, length * sizeof(float)))) return;
  own_ = make_vector<float>(static_cast<std::size_t>(length));
  numbers_ = {own_.data(), own_.size()};
}

void FloatsOut::write(Writer& writer) const {
  if (!is_tensor_) writer.array(field_, own_);
}

val open_tensor_of(Reader& in) {
  const std::uint64_t length = in.count("length", max_exact_count);
  if (in.failed()) return failure(in.error());
  auto tensor = Tensor::make(length);
  if (!tensor) return failure(tensor.error());
  return Writer(val::undefined())
      .number("tensor", tensors().put(std::move(*tensor)))
      .number("length", static_cast<double>(length))
      .finish();
}

val close_tensor_of(Reader& in) {
  const auto number = in.count("tensor", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  tensors().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined()).number("open", static_cast<double>(tensors().size())).finish();
}

val write_tensor_of(Reader& in) {
  Tensor* tensor = tensors().find(in, "tensor");
  const std::uint64_t begin = in.has("begin") ? in.count("begin", max_exact_count, 0) : 0;
  if (in.failed()) return failure(in.error());
  const std::span<float> numbers = tensor->numbers();
  const std::uint64_t room = begin > numbers.size() ? 0 : numbers.size() - begin;
  const std::uint64_t count = in.length("data", max_exact_count);
  if (count > room) {
    in.refuse(ErrorCode::shape_mismatch, "data",
              " has " + std::to_string(count) + " numbers, and from begin on the tensor holds " +
                  std::to_string(room) + ".");
  }
  if (in.failed()) return failure(in.error());
  in.copy_floats("data", numbers.subspan(Reader::size(begin), Reader::size(count)));
  if (in.failed()) return failure(in.error());
  return Writer(val::undefined()).number("written", static_cast<double>(count)).finish();
}

val read_tensor_of(Reader& in) {
  Tensor* tensor = tensors().find(in, "tensor");
  if (in.failed()) return failure(in.error());
  const std::uint64_t length = tensor->numbers().size();
  const std::uint64_t begin = in.has("begin") ? in.count("begin", length, 0) : 0;
  const std::uint64_t end = in.has("end") ? in.count("end", length, begin) : length;
  if (in.failed()) return failure(in.error());
  const std::span<const float> part =
      tensor->numbers().subspan(Reader::size(begin), Reader::size(end - begin));
  return Writer(in.out()).floats("data", part).finish();
}

}  // namespace attn::binding
