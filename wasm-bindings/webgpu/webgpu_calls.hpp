#pragma once

// WebGPU as JavaScript calls it. Each answers with a promise that never rejects: of {ok: true, value} or of
// {ok: false, code, field, message}, where the code may also be one of the runtime's, `webgpu_unavailable` or
// `webgpu_failed`.

#include "webgpu/promise.hpp"

namespace attn::webgpu {

/// {gpu}: navigator.gpu, or an object like it. Gives the number of an open session and what its adapter is.
Task<val> open_call(val options);

/// As `attention` of the module, with `session`, `passes` ("fused" or "three") and `compare`: whether the plain kernel
/// computes the same, to tell the largest difference. When the device is lost twice, or holds too little, the
/// processor computes and `notice` says so.
Task<val> attention_call(val options);

/// {session, A, B, n_batches, n_rows, n_inner, n_columns, shares_A, shares_B, …}: C = A B for each of a batch.
Task<val> matmul_call(val options);

/// {session}: destroys the device once no call waits for it any more.
Task<val> close_call(val options);

}  // namespace attn::webgpu
