#pragma once

// The letters in which vocabularies over bytes are written down.

#include <string>
#include <string_view>

namespace attn {

/// GPT-2's letters for bytes: printable ones are themselves, the others U+0100 and on, in order.
std::string letters_of_bytes(std::string_view bytes);

/// The bytes that GPT-2's letters stand for; false when one of them stands for none.
bool bytes_of_letters(std::string_view letters, std::string& bytes);

}  // namespace attn
