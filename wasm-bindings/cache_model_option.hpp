#pragma once

// A model's fields, as JavaScript writes them and reads them.

#include "convert.hpp"
#include "kv_cache/cache_model.hpp"

namespace attn::binding {

/// The fields of the option `model`; those that are not there are 0.
CacheModel read_cache_model(Reader& in);

/// The same fields, written.
val written(const CacheModel& model);

}  // namespace attn::binding
