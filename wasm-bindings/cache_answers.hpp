#pragma once

// What a cache holds, as JavaScript is told it.

#include <span>

#include "convert.hpp"
#include "kv_cache/cache.hpp"

namespace attn::binding {

void write_cache(Writer& writer, const CacheStats& stats);
void write_sequence(Writer& writer, const SequenceStats& stats);

/// The table of a sequence: `pages`, the number of each page, 0 where it went back, and `references`, how many share it.
void write_pages(Writer& writer, std::span<const TableEntry> table);

/// The numbers of the pages alone.
Vector<std::int32_t> page_ids(std::span<const TableEntry> table);

}  // namespace attn::binding
