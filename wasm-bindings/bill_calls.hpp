#pragma once

// The bill of a KV cache, as JavaScript asks for it.

#include "convert.hpp"

namespace attn::binding {

/// Cache, memory, a step and a prompt for one model and plan.
val bill_of(Reader& in);

/// The same for many numbers of tokens or of sequences, as arrays: what a plot draws.
val bill_series_of(Reader& in);

/// The bytes of every scheme beside each other.
val scheme_bills_of(Reader& in);

/// A model with another scheme.
val with_scheme_of(Reader& in);

/// The formats that numbers may be kept in.
val number_formats_of(Reader& in);

}  // namespace attn::binding
