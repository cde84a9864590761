#pragma once

// Merges a long word in n log n steps at worst. A short word is scanned for its lowest rank again after
// each merge, which is quadratic and still faster up to some 64 tokens.
//
// The usual heap of (rank, place) costs a logarithm for each merge and keeps what is out of date. Ranks of a
// trained vocabulary only rise: what a merge makes can only take part in merges that were learnt after it.
// So there is a list of places for each rank, a bit for each list that has something in it, and one walk from the
// lowest rank to the highest: linear in the word, where places come in order. The heap remains for
// vocabularies whose ranks do not rise.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tokenizer/vocabulary.hpp"

namespace attn {

/// The ranks that have work, lowest first.
class RankSet {
 public:
  explicit RankSet(std::uint32_t ranks)
      : words_(ranks / 64 + 1), summary_(words_.size() / 64 + 1) {}

  void insert(std::uint32_t rank) {
    words_[rank / 64] |= bit(rank);
    summary_[rank / 4096] |= bit(rank / 64);
  }

  /// Takes out the lowest rank that is at least `from`, where nothing below `from` is in the set.
  /// no_token when it is empty.
  std::uint32_t take(std::uint32_t from) {
    for (std::size_t block = from / 4096; block < summary_.size(); ++block) {
      if (summary_[block] == 0) continue;
      const std::size_t word =
          block * 64 + static_cast<unsigned>(std::countr_zero(summary_[block]));
      const auto rank = static_cast<std::uint32_t>(word * 64) +
                        static_cast<std::uint32_t>(std::countr_zero(words_[word]));
      words_[word] &= words_[word] - 1;
      if (words_[word] == 0) summary_[block] &= summary_[block] - 1;
      return rank;
    }
    return no_token;
  }

 private:
  static std::uint64_t bit(std::uint32_t index) { return std::uint64_t{1} << (index % 64); }
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
};

/// The tokens of a long word as a list, in which neighbours merge. `Ranks` gives the rank of a pair and the
/// token that a rank makes.
template <class Ranks>
class MergeQueue {
 public:
  static constexpr std::uint32_t none = no_token;
  /// Bytes for each token that `reset` and `run` take at most.
  static constexpr std::size_t bytes_per_token = 48;

  MergeQueue(const Ranks& ranks, std::uint32_t rank_count, bool ranks_rise)
      : ranks_(ranks), rank_count_(rank_count), ranks_rise_(ranks_rise) {}

  /// Begins a word of `tokens`. Neighbours for which `may_join(place of the right one)` is false never merge.
  template <class MayJoin>
  void reset(std::span<const std::uint32_t> tokens, MayJoin&& may_join) {
    const auto n = static_cast<std::uint32_t>(tokens.size());
    nodes_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool joins = i + 1 < n && may_join(i + 1);
      nodes_[i] = {tokens[i], joins ? ranks_.rank(tokens[i], tokens[i + 1]) : none,
                   joins ? i + 1 : none, i != 0 && may_join(i) ? i - 1 : none};
    }
  }

  /// Merges until no pair is left. `on_merge(rank, place)` hears of each merge, in order.
  template <class OnMerge>
  void run(OnMerge&& on_merge) {
    if (ranks_rise_) {
      run_by_rank(on_merge);
    } else {
      run_by_heap(on_merge);
    }
  }

  /// Gives back the memory of the last word.
  void release() {
    // `= {}` would empty them and keep their memory.
    std::vector<Node>().swap(nodes_);
    std::vector<Link>().swap(links_);
    std::vector<std::uint32_t>().swap(batch_);
    std::vector<std::uint64_t>().swap(heap_);
  }

  /// The token at `place`, or none where it has become part of one before it.
  std::uint32_t token(std::size_t place) const { return nodes_[place].token; }

 private:
  struct Node {
    std::uint32_t token;  ///< none: merged into an earlier one.
    std::uint32_t rank;  ///< Of the pair with the next one.
    std::uint32_t next;
    std::uint32_t previous;
  };
  /// Places whose pairs have the same rank; eager removal keeps exactly the pairs that exist.
  struct Link {
    std::uint32_t next;
    std::uint32_t previous;
  };

  void join(std::uint32_t place, std::uint32_t result) {
    Node& node = nodes_[place];
    Node& right = nodes_[node.next];
    node.token = result;
    right.token = none;
    right.rank = none;
    node.next = right.next;
    if (node.next != none) nodes_[node.next].previous = place;
  }

  std::uint32_t rank_at(std::uint32_t place) const {
    const Node& node = nodes_[place];
    return node.next == none ? none : ranks_.rank(node.token, nodes_[node.next].token);
  }

  void list(std::uint32_t place) {
    const std::uint32_t rank = nodes_[place].rank;
    if (rank == none) return;
    const std::uint32_t first = heads_[rank];
    links_[place] = {first, none};
    if (first != none) {
      links_[first].previous = place;
    } else {
      waiting_.insert(rank);
    }
    heads_[rank] = place;
  }

  /// Takes a place off its list, unless that is the one at work.
  void unlist(std::uint32_t place, std::uint32_t at_work) {
    const std::uint32_t rank = std::exchange(nodes_[place].rank, none);
    if (rank == none || rank == at_work) return;
    const Link link = links_[place];
    if (link.next != none) links_[link.next].previous = link.previous;
    if (link.previous != none) {
      links_[link.previous].next = link.next;
    } else {
      heads_[rank] = link.next;
    }
  }

  template <class OnMerge>
  void run_by_rank(OnMerge& on_merge) {
    if (heads_.empty()) {
      heads_.assign(rank_count_, none);
      waiting_ = RankSet(rank_count_);
    }
    links_.resize(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) list(static_cast<std::uint32_t>(i));
    for (std::uint32_t rank = 0; (rank = waiting_.take(rank)) != none;) {
      batch_.clear();
      bool in_order = true;
      for (std::uint32_t at = std::exchange(heads_[rank], none); at != none; at = links_[at].next) {
        in_order = in_order && (batch_.empty() || batch_.back() < at);
        batch_.push_back(at);
      }
      if (!in_order) std::sort(batch_.begin(), batch_.end());
      const std::uint32_t result = ranks_.result(rank);
      std::size_t merged = 0;
      for (const std::uint32_t place : batch_) {
        if (nodes_[place].rank != rank)
          continue;  // An overlap: its left token went to the pair before.
        unlist(nodes_[place].next, rank);
        if (nodes_[place].previous != none) unlist(nodes_[place].previous, rank);
        nodes_[place].rank = none;
        join(place, result);
        on_merge(rank, place);
        batch_[merged++] = place;
      }
      // Only now, when the neighbours are what they will be for the next ranks.
      std::uint32_t before = none;
      for (std::size_t i = 0; i < merged; ++i) {
        const std::uint32_t place = batch_[i];
        const std::uint32_t left = nodes_[place].previous;
        if (left != none && left != before) {
          nodes_[left].rank = rank_at(left);
          list(left);
        }
        nodes_[place].rank = rank_at(place);
        list(place);
        before = place;
      }
    }
  }

  template <class OnMerge>
  void run_by_heap(OnMerge& on_merge) {
    const auto later = [](std::uint64_t a, std::uint64_t b) { return a > b; };
    heap_.clear();
    heap_.reserve(2 * nodes_.size());  // Each merge takes one entry and adds at most two.
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].rank != none) heap_.push_back(std::uint64_t{nodes_[i].rank} << 32 | i);
    }
    std::make_heap(heap_.begin(), heap_.end(), later);
    const auto renew = [&](std::uint32_t place) {
      nodes_[place].rank = rank_at(place);
      if (nodes_[place].rank == none) return;
      heap_.push_back(std::uint64_t{nodes_[place].rank} << 32 | place);
      std::push_heap(heap_.begin(), heap_.end(), later);
    };
    while (!heap_.empty()) {
      const std::uint64_t first = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      const auto rank = static_cast<std::uint32_t>(first >> 32);
      const auto place = static_cast<std::uint32_t>(first);
      if (nodes_[place].rank != rank) continue;
      join(place, ranks_.result(rank));
      on_merge(rank, place);
      renew(place);
      if (nodes_[place].previous != none) renew(nodes_[place].previous);
    }
  }

  const Ranks& ranks_;
  std::uint32_t rank_count_;
  bool ranks_rise_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint32_t> batch_;
  std::vector<std::uint64_t> heap_;
  RankSet waiting_{0};
};

}  // namespace attn
