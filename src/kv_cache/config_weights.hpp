#pragma once

#include "kv_cache/cache_model.hpp"
#include "kv_cache/config_fields.hpp"

namespace attn {

/// Counts parameters and active_parameters of `read.model`, whose other fields are there already, and says so in a note:
/// of a file whose class is known (class_weights.hpp) and that tells everything on which they depend. They are missing
/// otherwise, as a wrong number would be worse. Problems are kept in `in`.
void read_weights(ConfigFields& in, ReadModel& read);

}  // namespace attn
