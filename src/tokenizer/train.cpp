#include "tokenizer/train.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "tokenizer/scanner.hpp"

namespace attn {
namespace {

/// The order of left1 + right1 and left2 + right2 without joining them.
int compare_joined(std::string_view left1, std::string_view right1, std::string_view left2,
                   std::string_view right2) {
  const std::size_t shared = std::min(left1.size(), left2.size());
  if (const int order = left1.substr(0, shared).compare(left2.substr(0, shared)); order != 0) {
    return order;
  }
  // What is left of the longer left token stands against the other's right token.
  const std::string_view rest1 = left1.substr(shared);
  const std::string_view rest2 = left2.substr(shared);
  if (rest1.empty() && rest2.empty()) return right1.compare(right2);
  if (rest1.empty()) return -compare_joined(rest2, right2, right1, {});
  const std::size_t middle = std::min(rest1.size(), right2.size());
  if (const int order = rest1.substr(0, middle).compare(right2.substr(0, middle)); order != 0) {
    return order;
  }
  if (middle < rest1.size()) return 1;
  return right1.compare(right2.substr(middle));
}

}  // namespace

std::string_view name(TieRule rule) {
  return rule == TieRule::first_seen ? "first-seen" : "lowest-bytes";
}

Expected<TieRule> tie_rule_named(std::string_view wanted) {
  for (const TieRule rule : tie_rules) {
    if (name(rule) == wanted) return rule;
  }
  return fail(ErrorCode::bad_argument, "tie",
              {"tie must be “lowest-bytes” or “first-seen”; it is “", wanted, "”."});
}

Expected<Trainer> Trainer::make(std::span<const std::string_view> documents,
                                const TrainOptions& options) {
  std::uint64_t bytes = 0;
  for (const std::string_view document : documents) bytes += document.size();
  // First the bound that holds for any text: a table of distinct words, at most as many as bytes.
  ATTN_CHECK(check_bytes("corpus", bytes));
  Trainer trainer(options);
  std::unordered_map<std::string_view, std::uint32_t> known;
  std::vector<std::string_view> distinct;
  std::uint64_t characters = 0;
  scan::with_scanner(options.pretokenizer, [&]<class Scanner>(Scanner) {
    for (const std::string_view document : documents) {
      const scan::Text scanned(document);
      for (std::size_t at = 0; at < document.size();) {
        const std::size_t end = Scanner::word_end(scanned, at);
        const std::string_view word = document.substr(at, end - at);
        const auto [found, is_new] =
            known.try_emplace(word, static_cast<std::uint32_t>(distinct.size()));
        if (is_new) {
          distinct.push_back(word);
          trainer.words_.push_back({0, 0});
          characters += word.size();
        }
        ++trainer.words_[found->second].frequency;
        at = end;
      }
    }
  });
  ATTN_CHECK(check_bytes("corpus", characters * 64));

  const bool by_character = options.alphabet == Alphabet::characters;
  std::unordered_map<std::string_view, std::uint32_t> base;
  std::vector<std::string_view> pieces;
  for (std::uint32_t word = 0; word < distinct.size(); ++word) {
    const std::string_view spelled = distinct[word];
    const auto* data = reinterpret_cast<const unsigned char*>(spelled.data());
    trainer.words_[word].begin = static_cast<std::uint32_t>(trainer.places_.size());
    for (std::size_t at = 0; at < spelled.size();) {
      const std::size_t length = by_character ? utf8::step(data, spelled.size(), at).length : 1;
      const auto place = static_cast<std::uint32_t>(trainer.places_.size());
      const bool first = at == 0;
      const bool last = at + length == spelled.size();
      const std::uint32_t token = by_character
                                      ? base.try_emplace(spelled.substr(at, length),
                                                         static_cast<std::uint32_t>(base.size()))
                                            .first->second
                                      : data[at];
      trainer.places_.push_back(
          {token, last ? no_token : place + 1, first ? no_token : place - 1, word});
      at += length;
    }
  }
  if (by_character) {
    for (const auto& [character, id] : base) pieces.push_back(character);
    std::sort(pieces.begin(), pieces.end());
    std::vector<std::uint32_t> sorted_id(pieces.size());
    for (std::uint32_t id = 0; id < pieces.size(); ++id) {
      sorted_id[base[pieces[id]]] = id;
      trainer.tokens_.emplace_back(pieces[id]);
    }
    for (Place& place : trainer.places_) place.token = sorted_id[place.token];
  } else {
    for (int byte = 0; byte < 256; ++byte) trainer.tokens_.emplace_back(1, static_cast<char>(byte));
  }
  trainer.base_count_ = trainer.token_count();

  for (std::uint32_t place = 0; place < trainer.places_.size(); ++place) {
    if (trainer.places_[place].next != no_token) trainer.add(place, nullptr);
  }
  for (std::uint32_t pair = 0; pair < trainer.pairs_.size(); ++pair) {
    trainer.heap_.push_back(trainer.entry_of(pair));
  }
  std::make_heap(trainer.heap_.begin(), trainer.heap_.end(),
                 [&](const Entry& a, const Entry& b) { return trainer.before(b, a); });
  return trainer;
}

std::uint32_t Trainer::pair_of(std::uint32_t left, std::uint32_t right) {
  if (const std::uint32_t found = pair_ids_.find(left, right); found != PairTable::none) {
    return found;
  }
  const auto id = static_cast<std::uint32_t>(pairs_.size());
  pair_ids_.insert(left, right, id);
  pairs_.push_back({left, right, 0, 0, {}});
  return id;
}

void Trainer::add(std::uint32_t left_place, std::vector<std::uint32_t>* fresh) {
  const Place& left = places_[left_place];
  const std::uint32_t id = pair_of(left.token, places_[left.next].token);
  Pair& pair = pairs_[id];
  if (fresh != nullptr && pair.count == 0) fresh->push_back(id);
  pair.count += words_[left.word].frequency;
  pair.places.push_back(left_place);
}

void Trainer::take_away(std::uint32_t left_place) {
  const Place& left = places_[left_place];
  pairs_[pair_of(left.token, places_[left.next].token)].count -= words_[left.word].frequency;
}

bool Trainer::stands(const Pair& pair, std::uint32_t place) const {
  const Place& left = places_[place];
  return left.token == pair.left && left.next != no_token && places_[left.next].token == pair.right;
}

Trainer::Entry Trainer::entry_of(std::uint32_t id) {
  Pair& pair = pairs_[id];
  while (pair.first < pair.places.size() && !stands(pair, pair.places[pair.first])) ++pair.first;
  return {pair.count, id, pair.first < pair.places.size() ? pair.places[pair.first] : no_token};
}

bool Trainer::before(const Entry& a, const Entry& b) const {
  if (a.count != b.count) return a.count > b.count;
  // A first place changes only when a count does, so that of an entry with the right count is right.
  if (options_.tie == TieRule::first_seen) return a.place < b.place;
  const Pair& first = pairs_[a.pair];
  const Pair& second = pairs_[b.pair];
  const int order = compare_joined(tokens_[first.left], tokens_[first.right], tokens_[second.left],
                                   tokens_[second.right]);
  if (order != 0) return order < 0;
  return tokens_[first.left].size() < tokens_[second.left].size();
}

void Trainer::push(std::uint32_t pair) {
  heap_.push_back(entry_of(pair));
  std::push_heap(heap_.begin(), heap_.end(),
                 [this](const Entry& a, const Entry& b) { return before(b, a); });
}

bool Trainer::settle() {
  // Counts of pairs that exist only fall, so an entry may promise too much and never too little.
  while (!heap_.empty()) {
    const Entry& first = heap_.front();
    if (pairs_[first.pair].count == first.count && first.count != 0) return true;
    const std::uint32_t pair = first.pair;
    std::pop_heap(heap_.begin(), heap_.end(),
                  [this](const Entry& a, const Entry& b) { return before(b, a); });
    heap_.pop_back();
    if (pairs_[pair].count != 0) push(pair);
  }
  return false;
}

std::optional<Candidate> Trainer::next() {
  if (!settle()) return std::nullopt;
  const Pair& pair = pairs_[heap_.front().pair];
  return Candidate{pair.left, pair.right, pair.count};
}

std::vector<Candidate> Trainer::candidates(std::size_t most) {
  std::vector<Entry> entries;
  for (std::uint32_t id = 0; id < pairs_.size(); ++id) {
    if (pairs_[id].count != 0) entries.push_back(entry_of(id));
  }
  most = std::min(most, entries.size());
  std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(most),
                    entries.end(), [this](const Entry& a, const Entry& b) { return before(a, b); });
  std::vector<Candidate> best;
  for (std::size_t i = 0; i < most; ++i) {
    const Pair& pair = pairs_[entries[i].pair];
    best.push_back({pair.left, pair.right, pair.count});
  }
  return best;
}

Expected<std::optional<TrainStep>> Trainer::step() {
  if (!settle()) return std::optional<TrainStep>();
  const std::uint32_t chosen = heap_.front().pair;
  const std::uint32_t left = pairs_[chosen].left;
  const std::uint32_t right = pairs_[chosen].right;
  const std::size_t length = tokens_[left].size() + tokens_[right].size();
  if (token_bytes_ + length > max_token_bytes || tokens_.size() >= max_vocab_size) {
    return fail(ErrorCode::too_large, "merges",
                {"The tokens of ", steps_.size(),
                 " merges already take what is allowed; ask for fewer merges, or cut the text "
                 "into shorter words."});
  }
  token_bytes_ += length;
  const std::uint32_t result = token_count();
  TrainStep made{
      static_cast<std::uint32_t>(steps_.size()), left, right, result, pairs_[chosen].count, 0};
  tokens_.push_back(tokens_[left] + tokens_[right]);

  // Taken out, because new pairs move the others in memory.
  const std::vector<std::uint32_t> stood = std::exchange(pairs_[chosen].places, {});
  std::vector<std::uint32_t> fresh;
  for (const std::uint32_t at : stood) {
    Place& place = places_[at];
    if (place.token != left || place.next == no_token || places_[place.next].token != right) {
      continue;
    }
    Place& merged = places_[place.next];
    if (place.previous != no_token) take_away(place.previous);
    take_away(at);
    if (merged.next != no_token) take_away(place.next);
    place.token = result;
    merged.token = no_token;
    place.next = merged.next;
    if (place.next != no_token) places_[place.next].previous = at;
    if (place.previous != no_token) add(place.previous, &fresh);
    if (place.next != no_token) add(at, &fresh);
    made.replaced += words_[place.word].frequency;
  }
  std::sort(fresh.begin(), fresh.end());
  fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
  for (const std::uint32_t pair : fresh) {
    if (pairs_[pair].count != 0) push(pair);
  }
  steps_.push_back(made);
  return std::optional<TrainStep>(made);
}

Expected<std::size_t> Trainer::run(std::size_t most) {
  std::size_t learnt = 0;
  for (; learnt < most; ++learnt) {
    const auto made = step();
    if (!made) return std::unexpected<Error>(made.error());
    if (!*made) break;
  }
  return learnt;
}

std::vector<std::uint32_t> Trainer::pieces(std::size_t word) const {
  std::vector<std::uint32_t> tokens;
  for (std::uint32_t at = words_[word].begin; at != no_token; at = places_[at].next) {
    tokens.push_back(places_[at].token);
  }
  return tokens;
}

Vocabulary Trainer::vocabulary() const {
  Vocabulary made;
  made.alphabet = options_.alphabet;
  made.pretokenizer = options_.pretokenizer;
  for (std::uint32_t id = 0; id < base_count_; ++id) made.base.push_back(id);
  for (const TrainStep& step : steps_) {
    made.merges.push_back({step.left, step.right, step.result, step.rank});
  }
  const std::vector<std::string_view> tokens(tokens_.begin(), tokens_.end());
  made.set_tokens(tokens);
  return made;
}

}  // namespace attn
