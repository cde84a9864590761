#pragma once

// The option `pretokenizer`, as JavaScript names it.

#include <string_view>

#include "tokenizer/pretokenize.hpp"

namespace attn::binding {

inline constexpr std::string_view pretokenizer_names[] = {"gpt2", "cl100k", "o200k", "smollm",
                                                          "none"};
inline constexpr Pretokenizer pretokenizers_by_name[] = {Pretokenizer::gpt2, Pretokenizer::cl100k,
                                                         Pretokenizer::o200k, Pretokenizer::smollm,
                                                         Pretokenizer::none};

}  // namespace attn::binding
