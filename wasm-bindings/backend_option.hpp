#pragma once

// The option `backend`: a name, or `auto`, which takes the back end that this machine was measured to be quickest with.

#include <string_view>
#include <vector>

#include "attention/backend_choice.hpp"
#include "attention/heads.hpp"
#include "convert.hpp"
#include "heads_option.hpp"

namespace attn::binding {

/// What each back end of backends() costs here. Measured at the first use, in about ten milliseconds.
std::span<const BackendCost> measured_costs();

/// The back end that the option names for a problem of `flops` operations; `auto` unless told.
Backend read_backend(Reader& in, double flops);

/// The names of all back ends.
val backends_of(Reader& in);

/// For each back end that was measured its name, its costs and from how many operations on it is the quickest.
val backend_costs_of(Reader& in);

/// Takes what two calls of a GPU cost, with one head of small_n and of large_n tokens and 64 columns.
val note_webgpu_cost_of(Reader& in);

/// Which of all the measured back ends is the quickest for a batch of these sizes under this mask.
val quickest_backend_of(Reader& in);

}  // namespace attn::binding
