#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/matrix.hpp"

namespace attn {

/// The way back along the cells of an LSTM (Hochreiter and Schmidhuber 1997; the forget gate is of Gers et al. 2000):
/// c_t = f_t o c_(t-1) + (what token t adds), so that for L = (1, ..., 1) . c_n / sqrt(H) the gradient goes
/// g_(t-1) = f_t o g_t, token by token. That is the path the LSTM was built for; what also comes back through its gates
/// and h is not in it. forget_gates [n, H]. Returns [n + 1] the norms at c_n, ..., c_0: the last has passed n gates.
std::vector<double> cell_path_norms(const Matrix<double>& forget_gates);

/// Forget gates that all stand at one value, [n, H].
Matrix<double> constant_gates(double forget_gate, std::size_t n);

/// The forget gates of an LSTM with H = 8 as it reads n tokens, [n, H]. Gates and candidate come from U h_(t-1) + s x_t,
/// each with a U of its own (scaled_orthogonal; drawn in the order forget, input, output, candidate, then x_1 to x_n,
/// from one stream), and the forget gate adds forget_bias; c_t = f o c_(t-1) + i o tanh(candidate),
/// h_t = o o tanh(c_t); c_0 = h_0 = 0.
Matrix<double> lstm_forget_gates(std::uint64_t seed, double scale, double forget_bias,
                                 std::size_t n);

}  // namespace attn
