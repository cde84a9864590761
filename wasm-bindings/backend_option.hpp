#pragma once

// The option `backend`: a name, or `auto`, which takes the back end that this machine was measured to be quickest with.

#include <string_view>
#include <vector>

#include "attention/backend_choice.hpp"
#include "attention/heads.hpp"
#include "convert.hpp"

namespace attn::binding {

/// What each back end of backends() costs here. Measured at the first use, in about ten milliseconds.
std::span<const BackendCost> measured_costs();

/// The back end that the option names for a problem of `flops` operations; `auto` unless told.
Backend read_backend(Reader& in, double flops);

/// The names of all back ends.
val backends_of(Reader& in);

/// For each back end its name, its costs and from how many operations on it is the quickest.
val backend_costs_of(Reader& in);

}  // namespace attn::binding
