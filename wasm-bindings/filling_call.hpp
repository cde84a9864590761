#pragma once

// How a cache fills, as JavaScript asks for it.

#include "convert.hpp"

namespace attn::binding {

/// Two requests that begin alike, page by page. Beside the fields of openCache: `tokens` of each, and `shared_tokens`.
val fill_cache_of(Reader& in);

}  // namespace attn::binding
