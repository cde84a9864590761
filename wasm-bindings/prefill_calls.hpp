#pragma once

// A prompt on whichever back end takes it, as JavaScript calls it.

#include "webgpu/promise.hpp"

namespace attn::webgpu {

/// As takeTokens, with `backend` ("auto", that of the model, or "webgpu") and `gpu`: navigator.gpu, or an object like it.
/// Answers with a promise that never rejects.
///
/// WebGPU takes prompts that begin a sequence, of a model whose cache keeps f32, when nothing but logits of the whole
/// model is asked for: losses, weights and what is cut out stay with the processor. "auto" asks it for at least 64 tokens
/// and where a GPU computes: a software adapter is the processor once more, by a longer way. What the device cannot do,
/// for whatever reason, the processor does, and `notice` says so.
Task<val> take_prompt_call(val options);

}  // namespace attn::webgpu
