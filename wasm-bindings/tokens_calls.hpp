#pragma once

// The topic `tokenizer` as JavaScript calls it. Tokenizers and trainers stay here between calls, under numbers that the
// runtime keeps and gives back; everything else is copied, in and out. Text crosses as UTF-8 bytes, ids as 32-bit
// integers, of which -1 is a character without a token.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "convert.hpp"
#include "core/limits.hpp"
#include "pretokenizer_names.hpp"
#include "shelf.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/measure.hpp"
#include "tokenizer/replay.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/train.hpp"

namespace attn::binding {

inline Shelf<Tokenizer>& tokenizers() {
  static Shelf<Tokenizer> shelf;
  return shelf;
}
inline Shelf<Trainer>& trainers() {
  static Shelf<Trainer> shelf;
  return shelf;
}

inline constexpr std::string_view tie_names[] = {"lowest-bytes", "first-seen"};
inline constexpr std::string_view alphabet_names[] = {"bytes", "characters"};

template <class T>
val integers_of(const std::vector<T>& values) {
  static_assert(sizeof(T) == 4);
  return copied({values.data(), values.size(), ArrayKind::int32});
}
inline val bytes_of(std::string_view bytes) {
  return copied({bytes.data(), bytes.size(), ArrayKind::uint8});
}

inline val open_result(Expected<Vocabulary> vocabulary) {
  if (!vocabulary) return failure(vocabulary.error());
  auto tokenizer = Tokenizer::make(std::move(*vocabulary));
  if (!tokenizer) return failure(tokenizer.error());
  const auto size = tokenizer->vocabulary().size();
  return Writer(val::undefined())
      .number("tokenizer", tokenizers().put(std::move(*tokenizer)))
      .number("vocab_size", size)
      .finish();
}

/// A file in our packed form, or in the plain one, which the module `files` makes of all others.
inline val open_tokenizer_of(Reader& in) {
  const std::string file = in.bytes("file", max_plain_bytes);
  if (in.failed()) return failure(in.error());
  return open_result(file.starts_with("ATTNBPE0") ? read_plain(file) : read_packed(file));
}

/// The plain form, of which the module `files` makes all others.
inline val save_vocabulary_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  if (in.failed()) return failure(in.error());
  return Writer(val::undefined())
      .value("file", bytes_of(write_plain(tokenizer->vocabulary())))
      .finish();
}

inline val vocabulary_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  if (in.failed()) return failure(in.error());
  const Vocabulary& vocabulary = tokenizer->vocabulary();
  std::string bytes;
  std::vector<std::uint32_t> offsets = {0}, left, right, result, rank, special;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    bytes += vocabulary.bytes(id);
    offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
  }
  for (const Merge& merge : vocabulary.merges) {
    left.push_back(merge.left);
    right.push_back(merge.right);
    result.push_back(merge.result);
    rank.push_back(merge.rank);
  }
  for (const SpecialToken& token : vocabulary.special_tokens) special.push_back(token.id);
  return Writer(val::undefined())
      .number("vocab_size", vocabulary.size())
      .value("bytes", bytes_of(bytes))
      .value("offsets", integers_of(offsets))
      .value("base", integers_of(vocabulary.base))
      .value("merge_left", integers_of(left))
      .value("merge_right", integers_of(right))
      .value("merge_result", integers_of(result))
      .value("merge_rank", integers_of(rank))
      .value("special", integers_of(special))
      .finish();
}

inline val encode_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  const bool special_ids = in.flag_or("special_ids", false);
  const std::string text = in.bytes("text", max_text_bytes);
  if (in.failed()) return failure(in.error());
  const std::size_t room = Tokenizer::capacity(text.size());
  if (const auto there = check_bytes("text", std::uint64_t{room} * 4); !there) {
    return failure(there.error());
  }
  const std::unique_ptr<std::uint32_t[]> ids(new std::uint32_t[room]);
  const auto count = tokenizer->encode_into(text, {special_ids}, {ids.get(), room});
  if (!count) return failure(count.error());
  return Writer(in.out()).beginning("ids", {ids.get(), *count, ArrayKind::int32}).finish();
}

inline std::vector<std::uint32_t> read_ids(Reader& in) {
  const auto ids = in.integers("ids", max_text_bytes);
  return {ids.begin(), ids.end()};
}

inline val decode_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  const auto ids = read_ids(in);
  if (in.failed()) return failure(in.error());
  const auto bytes = tokenizer->decode(ids);
  if (!bytes) return failure(bytes.error());
  return Writer(val::undefined()).value("bytes", bytes_of(*bytes)).finish();
}

inline val offsets_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  const std::string text = in.bytes("text", max_text_bytes);
  const auto ids = read_ids(in);
  if (in.failed()) return failure(in.error());
  const auto offsets = tokenizer->offsets(text, ids);
  if (!offsets) return failure(offsets.error());
  return Writer(val::undefined())
      .value("byte_begin", integers_of(offsets->byte_begin))
      .value("byte_end", integers_of(offsets->byte_end))
      .value("utf16_begin", integers_of(offsets->utf16_begin))
      .value("utf16_end", integers_of(offsets->utf16_end))
      .finish();
}

inline val replay_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  const std::string text = in.bytes("text", max_text_bytes);
  const auto steps = in.has("steps") ? in.count("steps", max_exact_count, 0) : max_exact_count;
  if (in.failed()) return failure(in.error());
  const auto replay = tokenizer->replay(text);
  if (!replay) return failure(replay.error());
  const auto shown = static_cast<std::size_t>(std::min<std::uint64_t>(steps, replay->steps.size()));
  const ReplayState state = state_after(*replay, text.size(), shown);
  std::vector<std::uint32_t> word_begin, rank, left, right, result, places, place_begin;
  for (const Word& word : replay->words)
    word_begin.push_back(static_cast<std::uint32_t>(word.begin));
  for (const ReplayStep& step : replay->steps) {
    rank.push_back(step.rank);
    left.push_back(step.left);
    right.push_back(step.right);
    result.push_back(step.result);
    place_begin.push_back(static_cast<std::uint32_t>(places.size()));
    places.insert(places.end(), step.places.begin(), step.places.end());
  }
  place_begin.push_back(static_cast<std::uint32_t>(places.size()));
  return Writer(val::undefined())
      .value("word_begin", integers_of(word_begin))
      .value("start", integers_of(replay->start))
      .value("start_offset", integers_of(replay->start_offset))
      .value("rank", integers_of(rank))
      .value("left", integers_of(left))
      .value("right", integers_of(right))
      .value("result", integers_of(result))
      .value("place_begin", integers_of(place_begin))
      .value("places", integers_of(places))
      .value("ids", integers_of(replay->ids))
      .number("shown_steps", static_cast<double>(shown))
      .value("shown_ids", integers_of(state.ids))
      .value("shown_begin", integers_of(state.begin))
      .finish();
}

/// What a text costs, by itself and against another text that says the same.
inline val measure_of(Reader& in) {
  const Tokenizer* tokenizer = tokenizers().find(in, "tokenizer");
  const std::string text = in.bytes("text", max_text_bytes);
  const std::string reference = in.bytes("reference", max_text_bytes);
  const EncodeOptions options = {in.flag_or("special_ids", false)};
  if (in.failed()) return failure(in.error());
  const auto ids = tokenizer->encode(text, options);
  if (!ids) return failure(ids.error());
  const auto others = tokenizer->encode(reference, options);
  if (!others) return failure(others.error());
  const TextMeasure all = measure(text);
  const TokenCost cost = token_cost(all, ids->size());
  return Writer(val::undefined())
      .number("tokens", static_cast<double>(ids->size()))
      .number("bytes", static_cast<double>(all.bytes))
      .number("characters", static_cast<double>(all.characters))
      .number("utf16_units", static_cast<double>(all.utf16_units))
      .number("words", static_cast<double>(all.words))
      .number("tokens_per_word", cost.tokens_per_word)
      .number("bytes_per_token", cost.bytes_per_token)
      .number("relative", others->empty() ? 0
                                          : static_cast<double>(ids->size()) /
                                                static_cast<double>(others->size()))
      .finish();
}

/// Several texts in one: their bytes one after another, and the length of each.
inline std::vector<std::string_view> read_texts(Reader& in, std::string_view bytes,
                                                const char* lengths_field) {
  std::vector<std::string_view> texts;
  std::size_t at = 0;
  for (const std::int32_t length : in.integers(lengths_field, 1 << 24)) {
    if (length < 0 || static_cast<std::size_t>(length) > bytes.size() - at) {
      in.refuse(ErrorCode::shape_mismatch, lengths_field, " must add up to the text.");
      break;
    }
    texts.push_back(bytes.substr(at, static_cast<std::size_t>(length)));
    at += static_cast<std::size_t>(length);
  }
  return texts;
}

inline val ids_in_list_of(Reader& in) {
  const std::string pieces = in.bytes("pieces", max_text_bytes);
  const std::string list = in.bytes("list", max_text_bytes);
  const auto wanted = read_texts(in, pieces, "piece_lengths");
  const auto known = read_texts(in, list, "list_lengths");
  if (in.failed()) return failure(in.error());
  return Writer(val::undefined()).value("ids", integers_of(ids_in_list(wanted, known))).finish();
}

inline val close_tokenizer_of(Reader& in) {
  const auto number = in.count("tokenizer", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  tokenizers().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined()).number("open", static_cast<double>(tokenizers().size())).finish();
}

inline val open_trainer_of(Reader& in) {
  TrainOptions options;
  options.tie = tie_rules[in.choice("tie", tie_names)];
  options.alphabet =
      in.choice("alphabet", alphabet_names) == 0 ? Alphabet::bytes : Alphabet::characters;
  options.pretokenizer = pretokenizers_by_name[in.choice("pretokenizer", pretokenizer_names)];
  const std::string corpus = in.bytes("corpus", max_file_bytes);
  const auto documents = read_texts(in, corpus, "document_lengths");
  if (in.failed()) return failure(in.error());
  auto trainer = Trainer::make(documents, options);
  if (!trainer) return failure(trainer.error());
  return Writer(val::undefined())
      .number("base_count", trainer->base_count())
      .number("word_count", static_cast<double>(trainer->word_count()))
      .number("trainer", trainers().put(std::move(*trainer)))
      .finish();
}

/// Learns up to `merges` more and gives those.
inline val train_of(Reader& in) {
  Trainer* trainer = trainers().find(in, "trainer");
  const auto merges = in.count("merges", max_vocab_size, 0);
  if (in.failed()) return failure(in.error());
  const std::size_t before = trainer->steps().size();
  if (const auto learnt = trainer->run(static_cast<std::size_t>(merges)); !learnt) {
    return failure(learnt.error());
  }
  std::vector<std::uint32_t> left, right, result;
  std::vector<double> count, replaced;
  for (std::size_t i = before; i < trainer->steps().size(); ++i) {
    const TrainStep& step = trainer->steps()[i];
    left.push_back(step.left);
    right.push_back(step.right);
    result.push_back(step.result);
    count.push_back(static_cast<double>(step.count));
    replaced.push_back(static_cast<double>(step.replaced));
  }
  return Writer(val::undefined())
      .number("first_rank", static_cast<double>(before))
      .value("left", integers_of(left))
      .value("right", integers_of(right))
      .value("result", integers_of(result))
      .value("count", copied(memory_of<double>(count)))
      .value("replaced", copied(memory_of<double>(replaced)))
      .finish();
}

/// The pairs that could come next, and the distinct words as they are now.
inline val trainer_state_of(Reader& in) {
  Trainer* trainer = trainers().find(in, "trainer");
  const auto most = in.has("candidates") ? in.count("candidates", 1 << 20, 0) : 10;
  if (in.failed()) return failure(in.error());
  std::string bytes;
  std::vector<std::uint32_t> offsets = {0}, left, right, pieces, word_begin;
  std::vector<double> count, frequency;
  for (std::uint32_t token = 0; token < trainer->token_count(); ++token) {
    bytes += trainer->bytes(token);
    offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
  }
  for (const Candidate& candidate : trainer->candidates(static_cast<std::size_t>(most))) {
    left.push_back(candidate.left);
    right.push_back(candidate.right);
    count.push_back(static_cast<double>(candidate.count));
  }
  for (std::size_t word = 0; word < trainer->word_count(); ++word) {
    const auto tokens = trainer->pieces(word);
    word_begin.push_back(static_cast<std::uint32_t>(pieces.size()));
    pieces.insert(pieces.end(), tokens.begin(), tokens.end());
    frequency.push_back(static_cast<double>(trainer->frequency(word)));
  }
  word_begin.push_back(static_cast<std::uint32_t>(pieces.size()));
  return Writer(val::undefined())
      .number("merges", static_cast<double>(trainer->steps().size()))
      .value("bytes", bytes_of(bytes))
      .value("offsets", integers_of(offsets))
      .value("candidate_left", integers_of(left))
      .value("candidate_right", integers_of(right))
      .value("candidate_count", copied(memory_of<double>(count)))
      .value("pieces", integers_of(pieces))
      .value("word_begin", integers_of(word_begin))
      .value("word_frequency", copied(memory_of<double>(frequency)))
      .finish();
}

/// A tokenizer of what was learnt so far.
inline val trained_tokenizer_of(Reader& in) {
  const Trainer* trainer = trainers().find(in, "trainer");
  if (in.failed()) return failure(in.error());
  return open_result(trainer->vocabulary());
}

inline val close_trainer_of(Reader& in) {
  const auto number = in.count("trainer", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  trainers().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined()).number("open", static_cast<double>(trainers().size())).finish();
}

}  // namespace attn::binding
