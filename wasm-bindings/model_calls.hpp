#pragma once

// Published models and accelerators.

#include "convert.hpp"

namespace attn::binding {

val published_models_of(Reader& in);
val accelerators_of(Reader& in);

}  // namespace attn::binding
