#include "cache_answers.hpp"

#include "core/limits.hpp"

namespace attn::binding {

void write_cache(Writer& writer, const CacheStats& stats) {
  writer.number("sequences", as_double(stats.sequences))
      .number("tokens", as_double(stats.tokens))
      .number("visible_tokens", as_double(stats.visible_tokens))
      .number("token_bytes", as_double(stats.token_bytes))
      .number("block_bytes", as_double(stats.block_bytes))
      .number("blocks", as_double(stats.blocks))
      .number("needed_bytes", as_double(stats.needed_bytes))
      .number("allocated_bytes", as_double(stats.allocated_bytes));
}

void write_sequence(Writer& writer, const SequenceStats& stats) {
  writer.number("length", as_double(stats.length))
      .number("sinks", as_double(stats.sinks))
      .number("first_visible", as_double(stats.first_visible))
      .number("visible_tokens", as_double(stats.visible_tokens))
      .number("first_held", as_double(stats.first_held))
      .number("needed_bytes", as_double(stats.needed_bytes))
      .number("blocks", as_double(stats.blocks));
}

Vector<std::int32_t> page_ids(std::span<const TableEntry> table) {
  Vector<std::int32_t> ids = make_vector<std::int32_t>(table.size());
  for (std::size_t p = 0; p < table.size(); ++p) ids[p] = static_cast<std::int32_t>(table[p].id);
  return ids;
}

void write_pages(Writer& writer, std::span<const TableEntry> table) {
  Vector<std::int32_t> references = make_vector<std::int32_t>(table.size());
  for (std::size_t p = 0; p < table.size(); ++p) {
    references[p] = static_cast<std::int32_t>(table[p].references);
  }
  writer.array("pages", page_ids(table)).array("references", references);
}

}  // namespace attn::binding
