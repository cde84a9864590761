#pragma once

#include <span>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// The value below which `share`, in [0, 1], of the sorted values lie: between the two nearest of them, as NumPy's
/// quantile does by default (definition 7 of Hyndman and Fan 1996). `sorted` is not empty.
double quantile(std::span<const double> sorted, double share);

/// Several of them for values in any order. Returns [shares].
/// Errors: out_of_range naming "values" when there are none, too_large above 4,096; out_of_range naming "shares[k]"
/// outside [0, 1]; not_finite naming "values" or "shares" and the entry.
Expected<Vector<double>> quantiles(Vector<double> values, const Vector<double>& shares);

}  // namespace attn
