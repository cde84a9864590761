#pragma once

// A KV cache that stays in the module, as JavaScript uses it: sequences are numbers of the cache's own.

#include "convert.hpp"

namespace attn::binding {

val open_cache_of(Reader& in);
val close_cache_of(Reader& in);
/// What all sequences hold together.
val cache_stats_of(Reader& in);

val open_sequence_of(Reader& in);
val close_sequence_of(Reader& in);
/// What one sequence holds, and the table of its pages.
val sequence_stats_of(Reader& in);
/// Appends tokens to all layers.
val append_tokens_of(Reader& in);
/// One query a head for each of some sequences, in one layer.
val attend_cache_of(Reader& in);
/// The rows of the visible tokens of one layer, as they are read back.
val read_rows_of(Reader& in);
val roll_back_of(Reader& in);
val fork_sequence_of(Reader& in);
val evict_tokens_of(Reader& in);

/// Rows kept in a format and read back: their bytes, and how far off they are.
val stored_rows_of(Reader& in);

}  // namespace attn::binding
