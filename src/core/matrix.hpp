#pragma once

// The one place that includes xtensor, whose headers moved into subfolders in 0.26.
//
// A function of ours never returns an xtensor expression and never keeps one in `auto`: expressions
// hold references to their operands, and dangle, visibly only when optimised (xtensor#270, #1366).

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/core/xtensor_config.hpp>
#else
#include <xtensor/xtensor_config.hpp>
#endif
#include <xtl/xtl_config.hpp>

#if !defined(__cpp_exceptions)
// Without exceptions both libraries would print to std::cerr before they abort, and that brings all
// of iostream into the module. The sizes are checked before xtensor sees them: this is not reached.
#include <cstdlib>
#undef XTENSOR_THROW
#define XTENSOR_THROW(exception, message) std::abort()
#undef XTL_THROW
#define XTL_THROW(exception, message) std::abort()
#endif

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

#include <cstddef>
#include <span>

namespace attn {

/// [n] row-major, as all of them.
template <class T>
using Vector = xt::xtensor<T, 1>;

/// [rows, columns]
template <class T>
using Matrix = xt::xtensor<T, 2>;

/// [planes, rows, columns]
template <class T>
using Tensor3 = xt::xtensor<T, 3>;

/// Containers of a given shape, not initialised.
template <class T>
Vector<T> make_vector(std::size_t n) {
  return Vector<T>::from_shape({n});
}

template <class T>
Matrix<T> make_matrix(std::size_t rows, std::size_t columns) {
  return Matrix<T>::from_shape({rows, columns});
}

template <class T>
Matrix<T> zero_matrix(std::size_t rows, std::size_t columns) {
  Matrix<T> made = make_matrix<T>(rows, columns);
  made.fill(0);
  return made;
}

template <class T>
Tensor3<T> make_tensor3(std::size_t planes, std::size_t rows, std::size_t columns) {
  return Tensor3<T>::from_shape({planes, rows, columns});
}

/// The elements in row-major order, without their shape.
template <class Container>
auto flat(const Container& container) {
  return std::span<const typename Container::value_type>(container.data(), container.size());
}

}  // namespace attn
