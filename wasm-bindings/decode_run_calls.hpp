#pragma once

// A small model that writes with and without a cache, one step at a time, as JavaScript runs it.

#include "convert.hpp"

namespace attn::binding {

val open_decode_run_of(Reader& in);
val close_decode_run_of(Reader& in);
/// One step either way, timed.
val step_decode_run_of(Reader& in);
/// All that either way has done so far.
val decode_run_state_of(Reader& in);

}  // namespace attn::binding
