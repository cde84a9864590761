#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tokenizer/vocabulary.hpp"
#include "tokenizer/vocabulary_parts.hpp"

// Vocabularies as files. Each reader gives a whole vocabulary or an error whose field is `file`, whose message
// names the line (or the byte, in our packed form) and what is wrong there; never a part of one. Files come
// from anywhere: no content makes a reader run away or read outside the file.

namespace attn {

/// Bytes of one file. The largest in use has 20 MB.
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 27;

/// Reads OpenAI's form: a line for each token, its bytes in base64, a space and its rank, which is its id. The file
/// names no pre-tokenizer and no special tokens, so the caller does.
/// Errors: bad_argument for a line of another form, a token or a rank that stands twice, a byte without a token;
/// too_large.
Expected<Vocabulary> read_tiktoken(std::string_view file, Pretokenizer pretokenizer,
                                   std::vector<SpecialToken> special_tokens = {});

/// Writes the same. Errors: bad_argument when the form cannot hold the vocabulary: one of characters, or one
/// whose ids are not in the order of its merges.
Expected<std::string> write_tiktoken(const Vocabulary& vocabulary);

/// Reads tokenizer.json of Hugging Face's tokenizers with a model of the kind BPE: over bytes (ByteLevel) or over
/// characters, without a normalizer, and cut by one of the pre-tokenizers that exist here. What would give
/// other ids than it does there is refused, not ignored. With `may_lack_bytes` a byte may be without a token, which
/// then becomes none (no_token): SmolLM has none for the 21 rarest.
/// Errors: bad_argument, too_large.
Expected<Vocabulary> read_tokenizer_json(std::string_view file, bool may_lack_bytes = false);

/// Writes the same, for every vocabulary.
std::string write_tokenizer_json(const Vocabulary& vocabulary);

/// Reads our packed form: the two tokens of each merge, without the tokens' bytes, which follow from them; a plane
/// for each byte of the numbers, because like bytes side by side compress better; a sum at the end.
///
///   "ATTNBPE1"; alphabet, pretokenizer, flags, bytes in an id (1 each); base tokens, merges, special
///   tokens (4 each, little endian); base tokens (length, bytes) unless flag 1 says GPT-2's order of bytes; planes of
///   the left ids, highest byte first, then of the right ids; special tokens (id 4, length 2, bytes);
///   FNV-1a of all before (4).
///
/// Flag 2 is Vocabulary::whole_words. Ids follow from the order: base tokens first, then a token for each merge.
/// Errors: bad_argument, too_large.
Expected<Vocabulary> read_packed(std::string_view file);

/// Writes the same. Errors: bad_argument when ids do not follow from the order of the merges.
Expected<std::string> write_packed(const Vocabulary& vocabulary);

/// Bytes of the plain form: the numbers of the largest vocabulary, and as many bytes of tokens as the packed form allows.
inline constexpr std::size_t max_plain_bytes = std::size_t{3} << 27;

/// Reads the plain form, in which a vocabulary goes from one module to another: everything as it stands, so that every
/// vocabulary fits and nothing is worked out.
///
///   "ATTNBPE0"; alphabet, pretokenizer, whole words; how many base tokens, merges, special tokens, ids; the base tokens'
///   ids; left, right, result and rank of each merge; the special tokens' ids; the length of each token (all 4 bytes,
///   little endian); their bytes. A special token's text are its bytes.
///
/// Errors: bad_argument, whose message names no byte, as nobody writes this form by hand; too_large.
Expected<Vocabulary> read_plain(std::string_view file);

/// Writes the same, for every vocabulary.
std::string write_plain(const Vocabulary& vocabulary);

}  // namespace attn
