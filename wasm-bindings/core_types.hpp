#pragma once

// The types of the calls as TypeScript sees them. Embind writes them into the declarations word for
// word; a test compares the named results with what the calls really give.

#include <emscripten/bind.h>

#define ATTN_FAILURE "{ ok: false; code: string; field: string; message: string }"
#define ATTN_ANSWER(value) "{ ok: true; value: " value " } | " ATTN_FAILURE
#define ATTN_FLOATS "Float64Array | Float32Array"
#define ATTN_MASK                                                                         \
  "mask?: { causal?: boolean; window?: number; key_valid?: Uint8Array; query_document?: " \
  "Int32Array; key_document?: Int32Array }; "
#define ATTN_DTYPE "dtype?: 'float64' | 'float32'; "
#define ATTN_OUT "out?: object "
#define ATTN_ATTENTION_FIELDS                                                               \
  "Q: " ATTN_FLOATS "; K: " ATTN_FLOATS "; V: " ATTN_FLOATS                                 \
  "; n_q: number; n_k: number; "                                                            \
  "d_k: number; d_v: number; divisor_d_k?: number; divide?: boolean; " ATTN_DTYPE ATTN_MASK \
  "require_finite?: boolean; trace?: boolean; " ATTN_OUT
#define ATTN_SOFTMAX_STEPS                                                                         \
  "allowed: Uint8Array; shift: " ATTN_FLOATS "; exponentials: " ATTN_FLOATS "; sums: " ATTN_FLOATS \
  "; weights: " ATTN_FLOATS "; weight_sums: " ATTN_FLOATS "; largest: Uint8Array"
#define ATTN_TRACE                                                              \
  "{ n_q: number; n_k: number; d_k: number; d_v: number; divisor: number; "     \
  "score_terms: " ATTN_FLOATS "; scores: " ATTN_FLOATS "; scaled: " ATTN_FLOATS \
  "; " ATTN_SOFTMAX_STEPS "; contributions: " ATTN_FLOATS "; output: " ATTN_FLOATS " }"

namespace attn::binding {

EMSCRIPTEN_DECLARE_VAL_TYPE(ErrorCodes);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionByHandRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionBackwardRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionBackwardAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(SoftmaxRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(SoftmaxAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(SoftmaxBackwardRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(SoftmaxBackwardAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(MultiHeadRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(MultiHeadAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionShapesRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(AttentionShapesAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(EmbedRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(EmbedAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(EmbeddingSizesRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(EmbeddingSizesAnswer);
EMSCRIPTEN_DECLARE_VAL_TYPE(RandomNormalsRequest);
EMSCRIPTEN_DECLARE_VAL_TYPE(RandomNormalsAnswer);

inline void register_core_types() {
  using emscripten::register_type;
  register_type<ErrorCodes>("string[]");

  register_type<AttentionRequest>("{ " ATTN_ATTENTION_FIELDS "}");
  register_type<AttentionByHandRequest>("{ decimals?: number; " ATTN_ATTENTION_FIELDS "}");
  register_type<AttentionAnswer>(ATTN_ANSWER(ATTN_TRACE));

  register_type<AttentionBackwardRequest>("{ dO: " ATTN_FLOATS "; " ATTN_ATTENTION_FIELDS "}");
  register_type<AttentionBackwardAnswer>(ATTN_ANSWER("{ dA: " ATTN_FLOATS "; dS: " ATTN_FLOATS
                                                     "; dQ: " ATTN_FLOATS "; dK: " ATTN_FLOATS
                                                     "; dV: " ATTN_FLOATS " }"));

  register_type<SoftmaxRequest>("{ x: " ATTN_FLOATS "; n: number; m: number; " ATTN_DTYPE ATTN_MASK
                                "require_finite?: boolean; " ATTN_OUT "}");
  register_type<SoftmaxAnswer>(ATTN_ANSWER("{ " ATTN_SOFTMAX_STEPS " }"));

  register_type<SoftmaxBackwardRequest>("{ A: " ATTN_FLOATS "; dA: " ATTN_FLOATS
                                        "; n: number; m: number; " ATTN_DTYPE ATTN_OUT "}");
  register_type<SoftmaxBackwardAnswer>(ATTN_ANSWER("{ dS: " ATTN_FLOATS " }"));

  register_type<MultiHeadRequest>(
      "{ X: " ATTN_FLOATS "; W_Q: " ATTN_FLOATS "; W_K: " ATTN_FLOATS "; W_V: " ATTN_FLOATS
      "; W_O: " ATTN_FLOATS "; b_Q?: " ATTN_FLOATS "; b_K?: " ATTN_FLOATS "; b_V?: " ATTN_FLOATS
      "; b_O?: " ATTN_FLOATS
      "; n: number; d_model: number; n_heads: number; n_kv_heads?: number; " ATTN_DTYPE ATTN_MASK
      "require_finite?: boolean; " ATTN_OUT "}");
  register_type<MultiHeadAnswer>(
      ATTN_ANSWER("{ steps: { name: string; shape: number[]; data: " ATTN_FLOATS
                  " }[]; weights: " ATTN_FLOATS "; output: " ATTN_FLOATS "; parameters: number }"));

  register_type<AttentionShapesRequest>("{ n: number; d_model: number; d_k: number; d_v: number }");
  register_type<AttentionShapesAnswer>(
      ATTN_ANSWER("{ X: number[]; W_Q: number[]; W_K: number[]; W_V: number[]; Q: number[]; "
                  "K: number[]; V: number[]; S: number[]; A: number[]; O: number[]; "
                  "parameters: number }"));

  register_type<EmbedRequest>(
      "{ E: " ATTN_FLOATS "; P: " ATTN_FLOATS
      "; ids: Int32Array; n: number; vocab_size: number; d_model: number; " ATTN_OUT "}");
  register_type<EmbedAnswer>(ATTN_ANSWER("{ X: " ATTN_FLOATS " }"));

  register_type<EmbeddingSizesRequest>(
      "{ vocab_size: number; n_positions: number; d_model: number; n_layers: number }");
  register_type<EmbeddingSizesAnswer>(
      ATTN_ANSWER("{ token_table: number; position_table: number; model: number; "
                  "token_table_millions: number; model_millions: number; token_percent: number }"));

  register_type<RandomNormalsRequest>("{ seed: number; count: number }");
  register_type<RandomNormalsAnswer>(ATTN_ANSWER("Float64Array"));
}

}  // namespace attn::binding

#undef ATTN_FAILURE
#undef ATTN_ANSWER
#undef ATTN_FLOATS
#undef ATTN_MASK
#undef ATTN_DTYPE
#undef ATTN_OUT
#undef ATTN_ATTENTION_FIELDS
#undef ATTN_SOFTMAX_STEPS
#undef ATTN_TRACE
