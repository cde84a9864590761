#pragma once

// The fields that a cache is opened with.

#include <cstdint>
#include <string_view>

#include "convert.hpp"
#include "kv_cache/cache.hpp"

namespace attn::binding {

/// Reads all of them; what is wrong is kept in `in`.
CacheConfig read_cache_config(Reader& in);

/// The option when it is there, which may be 0; 0 when it is not.
std::uint64_t optional_count(Reader& in, const char* field);

/// The option `format` among those that rows can be kept in; f32 unless told.
std::string_view read_kept_format(Reader& in);

}  // namespace attn::binding
