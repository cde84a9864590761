#pragma once

#include "core/matrix.hpp"
#include "core/random.hpp"

namespace attn {

/// scale * Q, Q orthogonal: the rows of a size x size matrix of normal numbers, drawn row by row from `normals`, made
/// orthogonal to those above them and of length 1 by the modified method of Gram and Schmidt (Björck 1967), with no
/// change of sign. Returns [size, size].
Matrix<double> scaled_orthogonal(Normals& normals, std::size_t size, double scale);

}  // namespace attn
