#pragma once

// One query a head over a cache: the step of a model that writes one token after the other.
//
// Ladder (9 query heads, 3 KV heads, d = 64, n = 256 so that the cache of the machine holds all; as
// in attention.hpp)
//   one query at a time   Each key is loaded once for each head: bound by loads.
//   3 heads x 2 keys x 2  Twelve sums: the heads of a group together, and two sums for each pair.
//                         55 %: both keys were addressed from one pointer, which made LLVM reorder
//                         a step's loads until it needed more registers than there are.
//   a pointer for each key  72 %, in plain simd128 82 % with half the sums: a product needs a
//                         register there. The loop of the scores alone went from 49 % to 75 %.
// Four heads go with two keys and one sum for each (58 %; with two sums 22 %), groups above four in
// threes. At n = 4096 memory decides: 55 % while others use it too, the prototype 45 %.
//   pieces                Keys may lie in several places: a block of 128 is scored piece by piece,
//                         folded once, and its values are summed with the pieces inside the columns,
//                         so that sums stay in registers from page to page. All heads go through a
//                         block before the next one is read: a page holds them all. Pages of 16
//                         tokens cost 4 % at n = 256 and 8 % at 1024 (Node 20, simd128); at 4096,
//                         from the outer caches, 11 to 18 % (head after head 14 to 26 %).
// Lost: reading lines of the next pieces early and dropping them, as there is no instruction for it:
// the first 8 of a piece, all of its keys, the first 4 of every piece of a block. None told apart from
// noise where memory decides, and 4 % lost where it does not.
// And a barrier between heads (asm with a memory clobber): it holds loads, but not the
// multiply-adds that wait for them.

#include <cstddef>

#include "kernels/attention_problem.hpp"
#include "kernels/kv_segments.hpp"

namespace attn::kernels {

/// Floats that decode_simd needs as scratch.
std::size_t decode_simd_scratch(const AttentionProblem& problem);

/// As attention_simd, one query after the other and the query heads of a KV head together, so that
/// each key and each value is read once for all of them. The keys are read as they lie, without
/// packing: for n_q = 1, and for few queries.
/// output [n_heads, n_q, d_v], scratch [decode_simd_scratch(problem)], lse [n_heads, n_q] or null.
/// Promise: as attention_simd.
void decode_simd(const AttentionProblem& problem, float* output, float* scratch,
                 float* lse = nullptr);

/// Floats that decode_segments_simd needs as scratch.
std::size_t decode_segments_simd_scratch(const SegmentsProblem& problem);

/// The same, one query a head, over keys in several places: decode_simd is the case of one place. Rows
/// that are no floats are decoded 128 at a time.
/// output [n_heads, d_v], scratch [decode_segments_simd_scratch(problem)], lse [n_heads] or null.
/// Promise: as attention_simd, of the rows as they are read back. Where every segment but the last
/// holds a multiple of 4 keys, the result is bit by bit that of one segment.
void decode_segments_simd(const SegmentsProblem& problem, float* output, float* scratch,
                          float* lse = nullptr);

}  // namespace attn::kernels
