// Every figure of the golden files that the core can compute, computed here; the same rows are read
// by the tests of the WebAssembly module (recompute.js) and by the browser suite.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/by_hand.hpp"
#include "attention/influence.hpp"
#include "attention/multi_head.hpp"
#include "attention/multi_head_shapes.hpp"
#include "attention/pattern_heads.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/scaling_experiment.hpp"
#include "attention/shapes.hpp"
#include "attention/softmax.hpp"
#include "attention/way_back.hpp"
#include "attention/weight_map.hpp"
#include "core/quantile.hpp"
#include "core/random.hpp"
#include "efficient/answer_curves.hpp"
#include "efficient/answer_pattern.hpp"
#include "efficient/attention_costs.hpp"
#include "efficient/recall.hpp"
#include "embedding/alibi.hpp"
#include "embedding/embedding.hpp"
#include "embedding/rotary_clocks.hpp"
#include "kv_cache/bill.hpp"
#include "kv_cache/compare.hpp"
#include "model/head_patterns.hpp"
#include "model/map_reading.hpp"
#include "model/recording.hpp"
#include "recurrence/reach.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

// ---------- reading rows ----------

const std::map<std::string, json>& golden_rows() {
  static const std::map<std::string, json> rows = [] {
    std::map<std::string, json> read;
    for (const char* file : {"lecture.json", "deck.json"}) {
      std::ifstream stream(std::string(ATTN_GOLDEN_DIR "/") + file);
      const json contents = json::parse(stream);
      for (const json& row : contents.at("figures")) {
        const bool is_new = read.emplace(row.at("id"), row).second;
        if (!is_new) throw std::runtime_error("two rows have the id " + row.at("id").dump());
      }
    }
    return read;
  }();
  return rows;
}

Matrix<double> matrix_of(const json& rows) {
  Matrix<double> made = make_matrix<double>(rows.size(), rows.at(0).size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) made(i, j) = rows[i][j].get<double>();
  }
  return made;
}

/// Row-major numbers as JSON of the given shape.
template <class Container>
json shaped(const Container& values, const std::vector<std::size_t>& shape) {
  std::function<json(std::size_t, std::size_t)> build = [&](std::size_t axis, std::size_t offset) {
    if (axis == shape.size()) return json(values.data()[offset]);
    std::size_t stride = 1;
    for (std::size_t inner = axis + 1; inner < shape.size(); ++inner) stride *= shape[inner];
    json list = json::array();
    for (std::size_t i = 0; i < shape[axis]; ++i) {
      list.push_back(build(axis + 1, offset + i * stride));
    }
    return list;
  };
  return build(0, 0);
}

template <class Container>
json shaped(const Container& container) {
  return shaped(container, {container.shape().begin(), container.shape().end()});
}

// ---------- comparing ----------

double number_printed(std::string text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == ',' || text[k] == '+') continue;
    if (text.compare(k, 3, "\u2212") == 0) {  // the minus sign of print
      plain += '-';
      k += 2;
      continue;
    }
    plain += text[k];
  }
  return std::stod(plain);
}

/// `tolerance_computed` is relative, absolute where the golden value is 0 or a rounding residue.
void check_computed(const json& golden, const json& value, double tolerance,
                    const std::string& path) {
  INFO(path << " is " << value.dump() << ", golden " << golden.dump());
  if (golden.is_object() || golden.is_array()) {
    REQUIRE(value.type() == golden.type());
    REQUIRE(value.size() == golden.size());
    for (const auto& [key, inner] : golden.items()) {
      const json& other = golden.is_array() ? value.at(std::stoul(key)) : value.at(key);
      check_computed(inner, other, tolerance, path + "." + key);
    }
  } else if (golden.is_number()) {
    const double wanted = golden.get<double>();
    const double allowed = tolerance * (std::fabs(wanted) < 1e-12 ? 1 : std::fabs(wanted));
    CHECK(std::fabs(value.get<double>() - wanted) <= allowed);
  } else {
    CHECK(value == golden);
  }
}

void check_printed(const json& printed, const json& tolerance, const json& value,
                   const std::string& path) {
  if (printed.is_array() && value.is_array()) {
    REQUIRE(printed.size() == value.size());
    for (std::size_t k = 0; k < printed.size(); ++k) {
      check_printed(printed[k], tolerance.is_array() ? tolerance.at(k) : tolerance, value[k],
                    path + "." + std::to_string(k));
    }
    return;
  }
  INFO(path << " is " << value.dump() << ", printed " << printed.dump());
  if (tolerance.is_null()) {
    CHECK(value == printed);
  } else {
    const double difference = std::fabs(value.get<double>() - number_printed(printed));
    CHECK(difference <= tolerance.get<double>() * (1 + 1e-9));
  }
}

void check_row(const std::string& id, const json& value) {
  const json& row = golden_rows().at(id);
  if (row.at("tolerance_kind") == "bound") {
    CHECK(std::fabs(value.get<double>()) <= row.at("bound").get<double>());
    return;
  }
  check_computed(row.at("computed"), value, row.at("tolerance_computed").get<double>(), id);
  // A chained row is one whose printed digit comes from rounding on the way: the exact value shows
  // another.
  if (row.at("status") == "ok" && !row.at("printed").is_null()) {
    check_printed(row.at("printed"), row.at("tolerance_printed"), value, id);
  }
}

// ---------- computing ----------

using Compute = std::function<json(const json& inputs)>;

Trace<double> ask(const Matrix<double>& q, const Matrix<double>& K, const Matrix<double>& V,
                  const AttentionOptions& options = {}) {
  return value_of(scaled_dot_product(q, K, V, options));
}

Trace<double> ask(const json& inputs) {
  const Matrix<double> K = matrix_of(inputs.at("K"));
  const Matrix<double> V = inputs.contains("V") ? matrix_of(inputs.at("V")) : K;
  return ask(matrix_of(json::array({inputs.at("q")})), K, V);
}

const Matrix<double> bank_q = matrix({{1, 2}});
const Matrix<double> bank_K = matrix({{1, 0}, {1, 1}, {0, 2}});
const Matrix<double> bank_V = matrix({{1, 0}, {0.5, 0.5}, {1, 0}});

Trace<double> bank_asked(const Matrix<double>& q) { return ask(q, bank_K, bank_V); }

json row_of(const Matrix<double>& values, std::size_t i = 0) { return shaped(values)[i]; }

json steps(const Trace<double>& trace, std::string_view which) {
  if (which == "scores") return row_of(trace.scores);
  if (which == "scaled") return row_of(trace.scaled);
  if (which == "exponentials") return row_of(trace.exponentials);
  if (which == "sum") return trace.sums(0);
  if (which == "weights") return row_of(trace.weights);
  if (which == "contributions") return shaped(trace.contributions)[0];
  if (which == "output") return row_of(trace.output);
  throw std::runtime_error("no such step");
}

/// A step of one attention over the row's own inputs.
Compute step(std::string_view which) {
  return [which](const json& inputs) { return steps(ask(inputs), which); };
}

Compute step(std::string_view which, std::size_t index) {
  return [which, index](const json& inputs) { return steps(ask(inputs), which)[index]; };
}

Trace<double> by_hand(const json& inputs) {
  return value_of(scaled_dot_product_by_hand(matrix_of(json::array({inputs.at("q")})),
                                             matrix_of(inputs.at("K")), matrix_of(inputs.at("V")),
                                             {}, inputs.at("decimals").get<int>()));
}

Compute hand_step(std::string_view which) {
  return [which](const json& inputs) { return steps(by_hand(inputs), which); };
}

/// The weights of the middle number of five, query and keys being the numbers themselves.
json middle(const json& inputs) {
  const json& x = inputs.at("x");
  json columns = json::array();
  for (const json& value : x) columns.push_back(json::array({value}));
  const Matrix<double> column = matrix_of(columns);
  return row_of(ask(rows_of(column, 2, 3), column, column).weights);
}

json back_bank(const json& inputs) {
  const auto gradients = value_of(scaled_dot_product_backward(
      bank_q, bank_K, bank_V, matrix_of(json::array({inputs.at("dO")}))));
  double sum = 0;
  for (const double x : gradients.dS) sum += x;
  return {{"dA", row_of(gradients.dA)}, {"dS", row_of(gradients.dS)}, {"sum", sum}};
}

const Matrix<double> recap_S = matrix(
    {{2.1, 0.3, 1.7, 0.9}, {0.8, 3.2, 0.4, 1.1}, {1.4, 0.6, 2.8, 0.2}, {0.5, 1.9, 1.2, 2.4}});

Compute recap_row(std::size_t i) {
  return
      [i](const json&) { return row_of(value_of(softmax(recap_S, {.causal = true})).weights, i); };
}

/// What a position may see under the causal mask, and what it has to say next.
json seen_and_next(const json& inputs) {
  const auto tokens = inputs.at("tokens").get<std::vector<std::string>>();
  const auto allowed = value_of(allowed_pairs({.causal = true}, tokens.size(), tokens.size()));
  json lines = json::array();
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    std::string line;
    for (std::size_t j = 0; j < tokens.size(); ++j) {
      if (allowed(t, j) == 1) line += tokens[j];
    }
    lines.push_back(line + ">" + tokens[t + 1]);
  }
  return lines;
}

// The lab's layer: X [6, 16] and W [16, 8], [16, 8], [16, 4], one stream for each seed.
class Lab {
 public:
  explicit Lab(const json& inputs) {
    Normals normals(inputs.at("seed").get<std::uint64_t>());
    X = random_matrix(normals, 6, 16);
    for (const std::size_t columns : {8u, 8u, 4u}) {
      W.push_back(random_matrix(normals, 16, columns, 0.25));
    }
  }

  Matrix<double> output(const Matrix<double>& x, const Mask& mask = {}) const {
    const auto project = [&x](const Matrix<double>& w) {
      Matrix<double> product = make_matrix<double>(x.shape(0), w.shape(1));
      product.fill(0);
      for (std::size_t i = 0; i < x.shape(0); ++i) {
        for (std::size_t j = 0; j < w.shape(1); ++j) {
          for (std::size_t c = 0; c < 16; ++c) product(i, j) += x(i, c) * w(c, j);
        }
      }
      return product;
    };
    return ask(project(W[0]), project(W[1]), project(W[2]), {.mask = mask}).output;
  }

  Matrix<double> X;
  std::vector<Matrix<double>> W;
};

Compute padded(Mask mask) {
  return [mask](const json& inputs) {
    const Lab lab(inputs);
    Matrix<double> with_pads = make_matrix<double>(12, 16);
    with_pads.fill(0);
    std::copy(lab.X.begin(), lab.X.end(), with_pads.begin());
    return largest_difference(rows_of(lab.output(with_pads, mask), 0, 6), lab.output(lab.X));
  };
}

json permuted(const json& inputs) {
  const Lab lab(inputs);
  const std::vector<std::size_t> order{3, 0, 5, 1, 4, 2};
  return largest_difference(lab.output(reordered(lab.X, order)),
                            reordered(lab.output(lab.X), order));
}

json rows_that_change(const json& inputs) {
  const Lab lab(inputs);
  const Matrix<double> before = rows_of(lab.X, 0, 5);
  Matrix<double> after = before;
  for (std::size_t c = 0; c < 16; ++c) after(4, c) += 1;
  json counts = json::array();
  for (const bool causal : {false, true}) {
    const Matrix<double> a = lab.output(before, {.causal = causal});
    const Matrix<double> b = lab.output(after, {.causal = causal});
    int changed = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      if (largest_difference(rows_of(a, i, i + 1), rows_of(b, i, i + 1)) > 1e-12) ++changed;
    }
    counts.push_back(changed);
  }
  return counts;
}

json heads(const json& inputs, std::size_t n_heads, const Mask& mask, bool equal_keys = false) {
  Matrix<double> identity = make_matrix<double>(4, 4);
  identity.fill(0);
  for (std::size_t i = 0; i < 4; ++i) identity(i, i) = 1;
  MultiHeadWeights<double> weights{.W_Q = matrix_of(inputs.at("W_Q")),
                                   .W_K = matrix_of(inputs.at("W_K")),
                                   .W_V = matrix_of(inputs.at("W_V")),
                                   .W_O = identity};
  // Keys are rows of W_K, because X is the identity's first rows.
  if (equal_keys) weights.W_K = reordered(weights.W_K, {1, 1, 1, 1});
  const auto trace =
      value_of(multi_head(matrix_of(inputs.at("X")), weights,
                          {.n_heads = n_heads, .n_kv_heads = n_heads, .mask = mask}));
  return {{"A", shaped(trace.weights)}, {"O", shaped(trace.output)}};
}

/// A matrix of which the row tells what is not 0: [row, column, value].
Matrix<double> sparse(const json& entries, std::size_t size) {
  Matrix<double> made = make_matrix<double>(size, size);
  made.fill(0);
  for (const json& entry : entries) {
    made(entry.at(0).get<std::size_t>(), entry.at(1).get<std::size_t>()) =
        entry.at(2).get<double>();
  }
  return made;
}

/// The five heads of slide 27 in one layer.
MultiHeadTrace<double> gallery(const json& inputs) {
  const Matrix<double> X = matrix_of(inputs.at("X"));
  const std::size_t d_model = X.shape(1);
  json ones = json::array();
  for (std::size_t i = 0; i < d_model; ++i) ones.push_back(json::array({i, i, 1}));
  return value_of(multi_head(X,
                             {.W_Q = sparse(inputs.at("W_Q"), d_model),
                              .W_K = sparse(inputs.at("W_K"), d_model),
                              .W_V = sparse(inputs.at("W_V"), d_model),
                              .W_O = sparse(ones, d_model)},
                             {.n_heads = 5, .n_kv_heads = 5, .mask = {.causal = true}}));
}

Influence influence_of(const json& inputs) {
  Matrix<double> identity = make_matrix<double>(4, 4);
  identity.fill(0);
  for (std::size_t i = 0; i < 4; ++i) identity(i, i) = 1;
  return value_of(influence(matrix_of(inputs.at("X")),
                            {.W_Q = matrix_of(inputs.at("W_Q")),
                             .W_K = matrix_of(inputs.at("W_K")),
                             .W_V = matrix_of(inputs.at("W_V")),
                             .W_O = identity},
                            {.n_heads = 2, .n_kv_heads = 2}));
}

json first_two(const json& list) { return json::array({list.at(0), list.at(1)}); }

json splitmix_words(const json& inputs) {
  SplitMix64 bits(inputs.at("seed").get<std::uint64_t>());
  json words = json::array();
  for (int k = 0; k < 4; ++k) {
    std::string word(16, '0');
    std::uint64_t value = bits.next();
    for (std::size_t digit = 16; digit-- > 0; value >>= 4) {
      word[digit] = "0123456789abcdef"[value & 15];
    }
    words.push_back(word);
  }
  return words;
}

/// X of the lecture's embedding. E comes whole, as a list, or for some of its twelve ids, as an object.
json embedded(const json& in) {
  const json& E = in.at("E");
  Matrix<double> table = make_matrix<double>(12, 4);
  table.fill(0);
  for (std::size_t id = 0; id < 12; ++id) {
    const json* row = E.is_array()                     ? &E[id]
                      : E.contains(std::to_string(id)) ? &E[std::to_string(id)]
                                                       : nullptr;
    for (std::size_t j = 0; row != nullptr && j < 4; ++j) table(id, j) = (*row)[j].get<double>();
  }
  const auto ids = in.at("ids").get<std::vector<std::int32_t>>();
  return shaped(value_of(embed(table, ids, matrix_of(in.at("P")))), {ids.size(), 4});
}

EmbeddingSizes gpt2_small() { return value_of(gpt2_embedding_sizes(50257, 1024, 768, 12)); }

// ---------- recurrence ----------

/// What is left at the far end of 64 and of 256 tokens.
ReachEnds ends(std::uint64_t seed, std::size_t seeds) {
  const std::int32_t lengths[] = {64, 256};
  return value_of(gradient_reach({.n = 64, .seed = seed, .seeds = seeds}, lengths)).ends;
}

/// The cell path with a gate of 0.9 is a product of as many factors 0.9.
json product_of_gates(const json& in) {
  const auto lengths = in.at("n").get<std::vector<std::int32_t>>();
  return value_of(gradient_reach({.n = 1, .seeds = 0, .forget_gate = 0.9}, lengths)).ends.cell_path;
}

json quartiles(std::size_t seeds) {
  const Spread spread = ends(48, seeds).spread;
  return json::array({{spread.lower[0], spread.upper[0]}, {spread.lower[1], spread.upper[1]}});
}

// ---------- scores and their softmax ----------

ScoreStatistics scores_64(std::size_t keys = 16) {
  return value_of(score_statistics(64, keys, 20));
}

/// A row of the table of sqrt(d_k): with the division, then without.
std::vector<double> scaling_row(std::size_t d_k, std::uint64_t seed) {
  const ScalingRun run = value_of(scaling_experiment({.d_k = d_k, .seed = seed}));
  const auto& [none, root, all] = run.by_divisor;
  return {root.largest_weight, root.gradient_norm, none.largest_weight, none.gradient_norm,
          none.dead_percent};
}

json scaling_table(const json& in) {
  return scaling_row(in.at("d_k").get<std::size_t>(), in.at("seed").get<std::uint64_t>());
}

/// The medians of such rows over seeds 1 to 200.
Compute scaling_medians(std::size_t d_k) {
  return [d_k](const json&) {
    Matrix<double> columns = make_matrix<double>(5, 200);
    for (std::size_t s = 0; s < 200; ++s) {
      const std::vector<double> row = scaling_row(d_k, s + 1);
      for (std::size_t k = 0; k < 5; ++k) columns(k, s) = row[k];
    }
    json medians = json::array();
    for (std::size_t k = 0; k < 5; ++k) {
      const std::span<double> values(&columns(k, 0), 200);
      std::ranges::sort(values);
      medians.push_back(quantile(values, 0.5));
    }
    return medians;
  };
}

/// Two digits of a number, as it is printed.
double two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return std::stod(text);
}

/// Rows saturated by queries a hundred times as long: how many, their shortest and longest gradient before and after.
json queries_times_100(const json& in) {
  const auto of = [&in](double factor) {
    const DrawnScores drawn =
        value_of(drawn_scores(in.at("seed").get<std::uint64_t>(), 5, 8, factor));
    return value_of(way_back_through_softmax(drawn.S, drawn.dA));
  };
  const WayBack before = of(1);
  const WayBack after = of(100);
  std::vector<double> cold;
  std::vector<double> hot;
  for (std::size_t i = 0; i < 5; ++i) {
    if (after.largest_weight(i) < 0.9995) continue;
    cold.push_back(before.norms(i));
    hot.push_back(after.norms(i));
  }
  std::ranges::sort(cold);
  std::ranges::sort(hot);
  // The shortest depends on how the bracket is evaluated.
  CHECK(hot.front() < 1e-30);
  return {hot.size(), cold.front(), cold.back(), hot.front(), hot.back()};
}

// ---------- the whole matrix ----------

/// Which word each token is, by a number from 0 on.
std::vector<std::int32_t> numbered_words(const json& in) {
  const auto tokens = in.at("tokens").get<std::vector<std::string>>();
  std::map<std::string, std::int32_t> ids;
  std::vector<std::int32_t> words;
  for (const std::string& token : tokens) {
    words.push_back(ids.emplace(token, static_cast<std::int32_t>(ids.size())).first->second);
  }
  return words;
}

WeightMap drawn_map(Pattern pattern, const json& in, std::uint64_t d_k, bool divide) {
  const std::vector<std::int32_t> words = numbered_words(in);
  const auto vectors = value_of(
      draw_vectors(in.at("seed").get<std::uint64_t>(), vectors_for(pattern, words.size()), d_k));
  const PatternHead head = value_of(pattern_head(pattern, words, vectors, d_k));
  return value_of(weight_map(pattern_scores(head), d_k, divide, {}));
}

// ---------- the KV cache ----------

CacheModel llama_8b() {
  CacheModel model;
  model.n_layers = model.full_layers = 32;
  model.n_heads = 32;
  model.d_model = 4096;
  model.n_kv_heads = 8;
  model.d_k = model.d_v = 128;
  model.parameters = model.active_parameters = 8'030'261'248;
  return model;
}

CacheModel llama_70b() {
  CacheModel model = llama_8b();
  model.n_layers = model.full_layers = 80;
  model.n_heads = 64;
  model.d_model = 8192;
  model.parameters = model.active_parameters = 70'553'706'496;
  return model;
}

CacheModel of_80(std::uint64_t n_kv_heads) {
  return value_of(with_kv_heads(llama_70b(), n_kv_heads));
}

CachePlan plan_of(std::uint64_t tokens) {
  CachePlan plan;
  plan.cache_format = plan.weight_format = value_of(number_format("format", "f16"));
  plan.state_format = value_of(number_format("format", "f32"));
  plan.tokens = tokens;
  return plan;
}

CacheBill cost(const CacheModel& model, std::uint64_t tokens = 1) {
  return value_of(cache_bill(model, plan_of(tokens)));
}

ByteUnits units(std::uint64_t bytes) { return value_of(in_units(bytes)); }

double mha_times(const CacheBill& bill) {
  return static_cast<double>(bill.mha_token_bytes) / static_cast<double>(bill.token_bytes);
}

CacheModel smol(const json& inputs) {
  CacheModel model;
  model.n_layers = model.full_layers = inputs.at("layers");
  model.n_heads = inputs.at("heads");
  model.n_kv_heads = inputs.at("kv");
  model.d_k = model.d_v = inputs.at("d_head");
  return model;
}

/// The run of SmolLM2 that comes with the lecture.
const Recording& recorded() {
  static const Recording read = [] {
    std::ifstream file(ATTN_GOLDEN_DIR "/../../web/runtime/recordings/smollm2.maps",
                       std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    return value_of(read_recording(bytes));
  }();
  return read;
}

/// The maps of one of its texts.
class RecordedMaps {
 public:
  explicit RecordedMaps(std::string_view id) {
    const auto& texts = recorded().texts;
    const auto text = std::ranges::find(texts, id, &RecordedText::id);
    const std::size_t heads = std::size_t{recorded().n_layers} * recorded().n_heads;
    for (const std::uint8_t part : square_maps(*text, heads)) {
      weights_.push_back(static_cast<float>(part) / 255);
    }
    for (const RecordedToken& token : text->tokens) {
      ids_.push_back(static_cast<std::int32_t>(token.id));
    }
  }

  HeadMaps maps() const {
    return {.n_layers = recorded().n_layers,
            .n_heads = recorded().n_heads,
            .n = ids_.size(),
            .weights = weights_};
  }
  PatternSearch found() const { return value_of(find_patterns(maps(), ids_, {})); }

 private:
  std::vector<float> weights_;
  std::vector<std::int32_t> ids_;
};

json recorded_pattern(const json& inputs) {
  const PatternSearch found = RecordedMaps(inputs.at("text").get<std::string>()).found();
  const std::size_t p = inputs.at("pattern"), layer = inputs.at("layer_and_head")[0],
                    head = inputs.at("layer_and_head")[1];
  return json::array({found.scores(p, layer, head), found.shuffled_best(p)});
}

json named_pairs(const json& inputs) {
  const RecordedMaps text(inputs.at("text").get<std::string>());
  std::vector<std::int32_t> pairs;
  for (const json& pair : inputs.at("pairs")) {
    for (const json& token : pair) pairs.push_back(token);
  }
  const PatternSearch found = value_of(find_pairs(text.maps(), pairs, {}));
  const std::size_t layer = inputs.at("layer_and_head")[0], head = inputs.at("layer_and_head")[1];
  return json::array(
      {found.scores(0, layer, head), found.shuffled_best(0), found.shuffled_mean(0)});
}

/// The map that the inputs name, and a row of it.
MapReading recorded_map(const json& inputs, std::uint64_t row) {
  const RecordedText& text =
      *std::ranges::find(recorded().texts, inputs.at("text").get<std::string>(), &RecordedText::id);
  const std::size_t layer = inputs.at("layer_and_head")[0], n = text.tokens.size(),
                    n_heads = recorded().n_heads, n_kv_heads = recorded().n_kv_heads;
  const RecordedMaps maps(text.id);
  return value_of(
      read_map({.n_heads = n_heads,
                .n_kv_heads = n_kv_heads,
                .n = n,
                .weights = maps.maps().weights.subspan(layer * n_heads * n * n, n_heads * n * n),
                .value_lengths =
                    std::span(text.value_lengths).subspan(layer * n_kv_heads * n, n_kv_heads * n)},
               inputs.at("layer_and_head")[1].get<std::uint64_t>(), row));
}

/// MHA against a latent of 512 + 64.
double latent_times(std::uint64_t n_heads, std::uint64_t d_k = 128) {
  CacheModel model = llama_8b();
  model.n_heads = model.n_kv_heads = n_heads;
  model.d_k = d_k;
  return mha_times(cost(with_scheme(model, Scheme::mla)));
}

constexpr std::uint64_t schemes_of_80[] = {64, 8, 1};

/// A value for MHA, GQA and MQA at 80 layers, and, where told, that of the latent model.
json of_schemes(const std::function<json(const CacheModel&)>& value, bool latent) {
  json values = json::array();
  for (const std::uint64_t kv : schemes_of_80) values.push_back(value(of_80(kv)));
  if (latent) values.push_back(value(with_scheme(llama_70b(), Scheme::mla)));
  return values;
}

Accelerator h100() {
  Accelerator card;
  card.memory_bytes = 80'000'000'000;
  card.bandwidth_bytes_s = 3'350'000'000'000;
  card.flops_s = 989'400'000'000'000;
  return card;
}

/// The lab's query and key under rotary positions, as rope.same gives them.
RotaryClocks lab_clocks(std::uint64_t m, std::uint64_t n, const ClockOptions& more = {}) {
  const json& inputs = golden_rows().at("rope.same").at("inputs");
  const auto vector_of = [](const json& numbers) {
    Vector<double> made = make_vector<double>(numbers.size());
    for (std::size_t j = 0; j < numbers.size(); ++j) made(j) = numbers[j].get<double>();
    return made;
  };
  ClockOptions options = more;
  options.m = m;
  options.n = n;
  return value_of(rotary_clocks(vector_of(inputs.at("q")), vector_of(inputs.at("k")), options));
}

json recalled(const json& in) {
  const RecallOptions options{.n = in.at("n"),
                              .state = in.at("state"),
                              .window = in.at("window"),
                              .block = in.at("block"),
                              .top_k = in.at("top_k"),
                              .texts = in.at("texts"),
                              .seed = in.at("seed")};
  const std::vector<std::int32_t> pairs = {in.at("pairs")};
  json right = json::array();
  for (const auto answer :
       {RecallAnswer::full, RecallAnswer::window, RecallAnswer::block_sparse, RecallAnswer::linear,
        RecallAnswer::gated_linear, RecallAnswer::selective_state, RecallAnswer::hybrid}) {
    right.push_back(value_of(measure_recall(answer, options, pairs)).right.front());
  }
  return right;
}

json lab_mixed(const json&) {
  ClockOptions options;
  options.pairing = RotaryPairing::mixed;
  return {lab_clocks(3, 1, options).score, lab_clocks(10, 8, options).score};
}

json yarn_factors(const json& inputs) {
  ClockOptions options;
  options.rotary.scaling = RotaryScaling::yarn;
  options.rotary.factor = inputs.at("s").get<double>();
  const RotarySchedule schedule = lab_clocks(0, 0, options).schedule;
  return {schedule.rotary_factor, schedule.score_factor};
}

/// One entry for each id that the core can compute. A missing row fails as much as a wrong one.
const std::vector<std::pair<std::string, Compute>> figures = {
    {"rng.splitmix64", splitmix_words},
    {"rng.normal",
     [](const json& inputs) {
       return shaped(value_of(random_normals(inputs.at("seed").get<std::uint64_t>(), 6)));
     }},

    {"rnn.product0.9", product_of_gates},
    {"rnn.lstm", [](const json&) { return ends(48, 0).cell_path; }},
    {"rnn.attention", [](const json&) { return ends(48, 0).attention; }},
    {"rnn.plain.seed48", [](const json&) { return ends(48, 0).plain; }},
    {"rnn.plain.median100", [](const json&) { return ends(48, 100).spread.median; }},
    {"rnn.plain.quartiles100", [](const json&) { return quartiles(100); }},
    {"rnn.plain.median1000", [](const json&) { return ends(48, 1000).spread.median; }},
    {"rnn.plain.quartiles1000", [](const json&) { return quartiles(1000); }},

    {"sqrt.sd", [](const json&) { return scores_64().deviation; }},
    {"sqrt.differ20",
     [](const json&) {
       return json::array(
           {scores_64().differ_probability, scores_64(6).mean_range, scores_64().mean_range});
     }},
    {"sqrt.e-20", [](const json&) { return scores_64().left_behind; }},
    {"sqrt.overdk",
     [](const json&) {
       json values = json::array();
       for (const std::size_t d_k : {4U, 64U, 1024U}) {
         values.push_back(value_of(score_statistics(d_k, 16, 0)).variance_over_d_k);
       }
       return values;
     }},
    {"sqrt.uniform", [](const json&) { return scores_64().uniform_weight; }},
    {"sqrt.table.4.seed", scaling_table},
    {"sqrt.table.64.seed", scaling_table},
    {"sqrt.table.1024.seed", scaling_table},
    {"sqrt.table.4.single", scaling_table},
    {"sqrt.table.64.single", scaling_table},
    {"sqrt.table.1024.single", scaling_table},
    {"sqrt.dist.4", scaling_medians(4)},
    {"sqrt.dist.64", scaling_medians(64)},
    {"sqrt.dist.1024", scaling_medians(1024)},
    {"sqrt.ratio",
     [](const json&) {
       const std::vector<double> row = scaling_row(1024, 952);
       return two_digits(row[1]) / two_digits(row[3]);
     }},
    {"back.x100", queries_times_100},
    {"deck.map.weights",
     [](const json& inputs) {
       return shaped(
           drawn_map(Pattern::content, inputs, inputs.at("d_k").get<std::uint64_t>(), true)
               .softmax.weights);
     }},
    {"deck.map.outputs",
     [](const json& inputs) {
       const WeightMap map =
           drawn_map(Pattern::content, inputs, inputs.at("d_k").get<std::uint64_t>(), true);
       return shaped(value_of(map_outputs(
           map, value_of(draw_values(inputs.at("seed").get<std::uint64_t>(), numbered_words(inputs),
                                     inputs.at("d_v").get<std::uint64_t>())))));
     }},
    {"deck.map.untrained",
     [](const json& inputs) {
       json peaks = json::array();
       for (const json& d_k : inputs.at("d_k")) {
         json pair = json::array();
         for (const json& divide : inputs.at("divided")) {
           pair.push_back(
               drawn_map(Pattern::untrained, inputs, d_k.get<std::uint64_t>(), divide.get<bool>())
                   .mean_largest);
         }
         peaks.push_back(pair);
       }
       return peaks;
     }},

    {"emb.X", embedded},
    {"deck.emb.dog", embedded},
    {"emb.gpt2.E", [](const json&) { return gpt2_small().token_table_millions; }},
    {"emb.gpt2.share", [](const json&) { return gpt2_small().token_percent; }},
    {"emb.gpt2.P", [](const json&) { return gpt2_small().position_table; }},

    {"deck.row.scores", step("scores")},
    {"deck.row.weights", step("weights")},
    {"deck.middle.a", middle},
    {"deck.middle.b", middle},
    {"deck.two.river.w", step("weights")},
    {"deck.two.river.out", step("output")},
    {"deck.two.cash.w", step("weights")},
    {"deck.two.cash.out", step("output")},
    {"deck.soft.w", step("weights")},
    {"deck.soft.out", step("output")},
    {"deck.soft.sharp", step("output")},
    {"dict.pear",
     [](const json&) {
       return ask(matrix({{0, 100}}), matrix({{1, 0}, {0, 1}}), matrix({{3}, {7}})).output(0, 0);
     }},

    {"bank.score", step("scores")},
    {"bank.scaled", step("scaled")},
    {"bank.exp", step("exponentials")},
    {"bank.sum", step("sum")},
    {"bank.w", step("weights")},
    {"bank.wsum", [](const json& inputs) { return ask(inputs).weight_sums(0); }},
    {"bank.contrib", step("contributions")},
    {"bank.out", step("output")},
    {"bank.a",
     [](const json& inputs) {
       Matrix<double> V = bank_V;
       V(2, 0) = inputs.at("v(river)")[0].get<double>();
       V(2, 1) = inputs.at("v(river)")[1].get<double>();
       return row_of(ask(bank_q, bank_K, V).output);
     }},
    {"bank.b", [](const json&) { return row_of(bank_asked(matrix({{1, 0}})).weights); }},
    {"bank.b.out", [](const json&) { return row_of(bank_asked(matrix({{1, 0}})).output); }},
    {"bank.c", [](const json&) { return row_of(bank_asked(matrix({{0, 0}})).weights); }},
    {"bank.c.out", [](const json&) { return row_of(bank_asked(matrix({{0, 0}})).output); }},
    {"bank.dk",
     [](const json&) {
       json rows = json::array();
       for (const double d_k : {1, 2, 4, 16, 64}) {
         rows.push_back(row_of(ask(bank_q, bank_K, bank_V, {.divisor_d_k = d_k}).weights));
       }
       return rows;
     }},
    {"back.bank", back_bank},

    {"recap.score", step("scores")},
    {"recap.sqrt2", [](const json&) { return bank_asked(bank_q).divisor; }},
    {"recap.scaled", step("scaled")},
    {"recap.exp.the", step("exponentials", 0)},
    {"recap.exp.cat", step("exponentials", 1)},
    {"recap.exp.sat", step("exponentials", 2)},
    {"recap.sum", step("sum")},
    {"recap.w", step("weights")},
    {"recap.pct",
     [](const json& inputs) {
       const Matrix<double> weights = ask(inputs).weights;
       return json::array({100 * weights(0, 1), 100 * weights(0, 2), 100 * weights(0, 0)});
     }},
    {"recap.contrib",
     [](const json& inputs) {
       const json all = steps(ask(inputs), "contributions");
       return json::array({all[0][0], all[0][1], all[1][0], all[1][1], all[2][0]});
     }},
    {"recap.contrib.sat2",
     [](const json& inputs) { return steps(ask(inputs), "contributions")[2][1]; }},
    {"recap.out", step("output")},

    {"deck.hand.root", [](const json& inputs) { return by_hand(inputs).divisor; }},
    {"deck.hand.scaled", hand_step("scaled")},
    {"deck.hand.exp", hand_step("exponentials")},
    {"deck.hand.exp.cat", [](const json& inputs) { return by_hand(inputs).exponentials(0, 1); }},
    {"deck.hand.sum", hand_step("sum")},
    {"deck.hand.w", hand_step("weights")},
    {"deck.hand.contrib", hand_step("contributions")},
    {"deck.hand.contrib.sat",
     [](const json& inputs) { return by_hand(inputs).contributions(0, 2, 1); }},
    {"deck.hand.out", hand_step("output")},

    {"lab2.params",
     [](const json& in) {
       return value_of(attention_shapes(in.at("n"), in.at("d"), in.at("d_k"), in.at("d_v")))
           .parameters;
     }},
    {"lab2.shapes",
     [](const json& in) {
       const auto shapes = value_of(attention_shapes(in.at("n"), 16, 8, in.at("d_v")));
       return json::array({shapes.A, shapes.O});
     }},

    {"recap.mask.row1", recap_row(0)},
    {"recap.mask.row2", recap_row(1)},
    {"recap.mask.row3", recap_row(2)},
    {"recap.mask.row4", recap_row(3)},
    // One prediction for each row of the output.
    {"mask.predictions", [](const json&) { return value_of(attention_shapes(5, 16, 8, 4)).O[0]; }},
    {"recap.2048", [](const json&) { return value_of(attention_shapes(2048, 16, 8, 4)).O[0]; }},
    {"mask.lasttoken", rows_that_change},
    {"mask.table", seen_and_next},
    {"mask.pad", padded({})},
    {"mask.pad.masked", padded({.key_valid = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}})},
    {"pos.perm", permuted},
    {"deck.alibi.slopes",
     [](const json& inputs) {
       const auto slopes = value_of(alibi_slopes(inputs.at("n_heads").get<std::size_t>()));
       return json{slopes.front(), slopes.back()};
     }},
    {"rope.same",
     [](const json&) {
       return json{lab_clocks(3, 1).score, lab_clocks(10, 8).score, lab_clocks(1000, 998).score};
     }},
    {"rope.other",
     [](const json&) { return json{lab_clocks(1, 0).score, lab_clocks(3, 0).score}; }},
    {"deck.rope.turn", [](const json&) { return lab_clocks(3, 1).tokens_per_turn; }},
    {"deck.rope.yarn", yarn_factors},
    {"deck.rope.mixed", lab_mixed},

    {"S.512",
     [](const json&) {
       return value_of(attention_costs({.n = 4096, .n_heads = 8})).score_mebibytes;
     }},
    {"S.4x", [](const json&) { return value_of(attention_costs({.n = 4096})).growth; }},
    // The running sentence in characters, in toy pieces and in GPT-2's tokens, whose counts the tokenizer's tests check.
    {"cost.n2",
     [](const json&) {
       const json& counts = golden_rows().at("bpe.counts").at("computed");
       json pairs = json::array();
       for (const json& n :
            {counts[0], counts[4], golden_rows().at("tok.gpt2.en4").at("computed")}) {
         pairs.push_back(value_of(attention_costs({.n = n.get<std::uint64_t>()})).entries);
       }
       return pairs;
     }},
    {"recap.67m",
     [](const json&) { return value_of(attention_costs({.n = 8192})).entries_millions; }},

    {"kv.factors",
     [](const json&) {
       const CacheModel model = llama_8b();
       const CacheBill bill = cost(model);
       const std::uint64_t twice = bill.full.numbers / (model.n_kv_heads * model.d_k);
       return json::array({twice, model.full_layers, model.n_kv_heads, model.d_k,
                           bill.full.layer_token_bytes / bill.full.numbers});
     }},
    {"kv.8b.token", [](const json&) { return units(cost(llama_8b()).token_bytes).KiB; }},
    {"kv.8b.128k", [](const json&) { return units(cost(llama_8b(), 131072).needed_bytes).GiB; }},
    {"kv.128k", [](const json&) { return cost(llama_8b(), 131072).full.needed_tokens; }},
    {"deck.kv.8b.steps",
     [](const json&) {
       const CacheBill bill = cost(llama_8b());
       return json::array(
           {bill.full.numbers, bill.full.numbers * bill.full.keeping, bill.token_bytes});
     }},
    {"deck.kv.8b.gb", [](const json&) { return units(cost(llama_8b(), 131072).needed_bytes).GB; }},
    {"deck.kv.80.shape",
     [](const json&) {
       const CacheModel model = of_80(64);
       const CacheBill bill = cost(model, 4096);
       return json::array({model.full_layers, model.n_kv_heads, model.d_k,
                           bill.full.layer_token_bytes / bill.full.numbers,
                           bill.full.needed_tokens});
     }},
    {"deck.kv.80.mib", [](const json&) { return units(cost(of_80(64)).token_bytes).MiB; }},
    {"deck.kv.80.gib", [](const json&) { return units(cost(of_80(64), 4096).needed_bytes).GiB; }},
    {"recap.kv.layer", [](const json&) { return cost(of_80(64)).full.numbers; }},
    {"recap.kv.values",
     [](const json&) {
       const LayersBill full = cost(of_80(64)).full;
       return full.numbers * full.keeping;
     }},
    {"recap.kv.mb", [](const json&) { return units(cost(of_80(64)).token_bytes).MB; }},
    {"recap.kv.gb", [](const json&) { return units(cost(of_80(64), 4096).needed_bytes).GB; }},
    {"recap.gqa.layer", [](const json&) { return cost(of_80(8)).full.numbers; }},
    {"recap.gqa.values",
     [](const json&) {
       const LayersBill full = cost(of_80(8)).full;
       return full.numbers * full.keeping;
     }},
    {"recap.gqa.mb", [](const json&) { return units(cost(of_80(8)).token_bytes).MB; }},
    {"recap.gqa.gb", [](const json&) { return units(cost(of_80(8), 4096).needed_bytes).GB; }},
    {"recap.gqa.x", [](const json&) { return mha_times(cost(of_80(8))); }},
    {"kv.schemes",
     [](const json&) {
       return json::array({mha_times(cost(with_scheme(llama_8b(), Scheme::mha)))});
     }},
    {"kv.mla", [](const json&) { return latent_times(128); }},
    {"deck.kv.mla.heads",
     [](const json&) {
       return json::array({latent_times(32), latent_times(64), latent_times(128)});
     }},
    {"deck.kv.mla.rope", [](const json&) { return latent_times(128, 192); }},
    {"deck.kv.scheme.kv",
     [](const json&) {
       return of_schemes([](const CacheModel& model) { return model.n_kv_heads; }, false);
     }},
    {"deck.kv.scheme.mb",
     [](const json&) {
       return of_schemes([](const CacheModel& model) { return units(cost(model).token_bytes).MB; },
                         true);
     }},
    {"deck.kv.scheme.gb",
     [](const json&) {
       return of_schemes(
           [](const CacheModel& model) { return units(cost(model, 4096).needed_bytes).GB; }, true);
     }},
    {"deck.kv.scheme.times",
     [](const json&) {
       return of_schemes([](const CacheModel& model) { return mha_times(cost(model)); }, true);
     }},
    {"deck.kv.scheme.kvparams",
     [](const json&) {
       // Billions, by the unit of bytes. Keys of MLA are 128 numbers from the latent and 64 that turn.
       return of_schemes(
           [](CacheModel model) {
             if (model.latent_rank != 0) model.d_k = 192;
             return units(value_of(key_value_parameters(model))).GB;
           },
           true);
     }},
    {"deck.kv.scheme.params",
     [](const json&) {
       return of_schemes([](const CacheModel& model) { return units(model.parameters).GB; }, false);
     }},
    {"deck.kv.decode.intensity",
     [](const json&) {
       return value_of(decode_bill(llama_8b(), plan_of(131072), h100())).roof.intensity;
     }},
    {"deck.kv.ridge",
     [](const json&) { return value_of(decode_bill(llama_8b(), plan_of(1), h100())).roof.ridge; }},
    {"recap.prompt",
     [](const json&) { return value_of(prompt_growth(llama_8b(), 40000, 2000)).all_pairs; }},
    {"deck.prompt.linear",
     [](const json&) { return value_of(prompt_growth(llama_8b(), 40000, 2000)).linear; }},
    {"deck.prompt.attention",
     [](const json&) { return value_of(prompt_growth(llama_8b(), 40000, 2000)).attention; }},
    {"deck.prompt.double",
     [](const json&) {
       const PromptGrowth growth = value_of(prompt_growth(llama_8b(), 80000, 40000));
       return json::array({growth.linear, growth.attention, growth.total});
     }},
    {"deck.prompt.crossing",
     [](const json&) {
       return json::array(
           {value_of(prefill_crossing(llama_8b())), value_of(prefill_crossing(llama_70b()))});
     }},
    {"deck.answers.pairs",
     [](const json& in) {
       const PatternOptions options{.n = in.at("n"), .window = in.at("window")};
       return json::array({value_of(answer_pattern(Answer::full, options)).pairs,
                           value_of(answer_pattern(Answer::window, options)).pairs});
     }},
    {"deck.answers.recall16", recalled},
    {"deck.answers.recall48", recalled},
    {"deck.answers.tokens",
     [](const json& in) {
       CurveOptions options;
       options.n_layers = in.at("layers");
       options.sizes = {.n = 1,
                        .n_heads = in.at("heads"),
                        .n_kv_heads = in.at("kv_heads"),
                        .d_k = in.at("d"),
                        .d_v = in.at("d"),
                        .bytes_per_number = in.at("bytes"),
                        .state = in.at("state")};
       const std::vector<std::int32_t> lengths = {1000};
       const AnswerCurves made = value_of(answer_curves(options, lengths));
       return json::array({made.state_tokens(3), made.state_tokens(4), made.state_tokens(5)});
     }},
    {"kv.nocache",
     [](const json&) {
       const TokenPasses passes = value_of(token_passes(80));
       return json::array({passes.without_cache, passes.with_cache});
     }},
    {"deck.kv.passes.n", [](const json&) { return value_of(token_passes(80)).with_cache; }},

    {"mha.head1.out", [](const json& in) { return first_two(heads(in, 2, {})["O"][1]); }},
    {"mha.head2.sat", [](const json& in) { return heads(in, 2, {})["A"][1][1][0]; }},
    {"mha.all", [](const json& in) { return heads(in, 2, {}); }},
    {"mha.causal.bank",
     [](const json& in) { return first_two(heads(in, 2, {.causal = true})["O"][1]); }},
    {"mha.causal.sat",
     [](const json& in) {
       const json A = heads(in, 2, {.causal = true})["A"];
       return json::array({A[0][0], A[1][0]});
     }},
    {"mha.causal.all", [](const json& in) { return heads(in, 2, {.causal = true}); }},
    {"mha.h1", [](const json& in) { return heads(in, 1, {})["A"][0][1]; }},
    {"mha.h1.all", [](const json& in) { return heads(in, 1, {}); }},
    {"mha.equal", [](const json& in) { return heads(in, 2, {}, true); }},
    {"recap.dk",
     [](const json&) { return value_of(multi_head_shapes(1, 512, 8, 8, true)).head_dim; }},
    {"recap.zero", [](const json&) { return json::array({5 + 1, 3 + 1}); }},
    {"deck.heads.A", [](const json& in) { return shaped(gallery(in).weights); }},
    {"deck.heads.out",
     [](const json& in) {
       for (const Step<double>& step : gallery(in).steps) {
         if (step.name == "head_outputs") return shaped(step.data, step.shape);
       }
       throw std::runtime_error("no such step");
     }},
    {"deck.heads.decay",
     [](const json&) {
       const Matrix<double> unit = matrix({{1, 0}});
       return ask(unit, unit, unit).exponentials(0, 0);
     }},
    {"smol.bytes",
     [](const json& in) {
       CachePlan plan = plan_of(1);
       plan.cache_format = value_of(number_format("format", "f32"));
       return value_of(cache_bill(smol(in), plan)).token_bytes;
     }},
    {"smol.mha",
     [](const json&) {
       return mha_times(cost(smol(golden_rows().at("smol.bytes").at("inputs"))));
     }},
    {"smol.sink",
     [](const json&) {
       const std::vector<float> none(45 * 45);
       return value_of(
                  first_token_share({.n_layers = 1, .n_heads = 1, .n = 45, .weights = none}, 0))
           .equal_share;
     }},
    {"deck.smol.long",
     [](const json&) {
       double first = 0;
       for (const float share : recorded().long_first) first += static_cast<double>(share);
       return json::array({recorded().long_previous[16 * 9], first / recorded().n_layers});
     }},
    {"deck.smol.bytes", [](const json&) { return recorded().token_bytes; }},
    {"deck.smol.previous", [](const json& in) { return recorded_pattern(in); }},
    {"deck.smol.sink", [](const json& in) { return recorded_pattern(in); }},
    {"deck.smol.induction", [](const json& in) { return recorded_pattern(in); }},
    {"deck.smol.above",
     [](const json&) {
       const PatternSearch fox = RecordedMaps("fox").found(), names = RecordedMaps("names").found();
       return json::array({fox.above_count(0), fox.above_count(1), names.above_count(2)});
     }},
    {"deck.smol.first",
     [](const json&) {
       const RecordedMaps fox("fox");
       const FirstTokenShare share = value_of(first_token_share(fox.maps(), 4));
       return json::array({share.mean, share.equal_share});
     }},
    {"deck.trained.syntax", [](const json& in) { return named_pairs(in); }},
    {"deck.trained.coreference", [](const json& in) { return named_pairs(in); }},
    {"deck.trained.cells",
     [](const json& in) {
       const MapReading map = recorded_map(in, 0);
       json weights = json::array();
       for (const json& cell : in.at("cells")) {
         weights.push_back(map.weights(cell[0].get<std::size_t>(), cell[1].get<std::size_t>()));
       }
       return weights;
     }},
    {"deck.trained.it",
     [](const json& in) {
       const std::size_t row = in.at("row");
       const MapReading map = recorded_map(in, row);
       json found = json::array();
       for (const json& key : in.at("keys")) {
         const std::size_t j = key;
         found.push_back(json::array({map.weights(row, j), map.shares(row, j)}));
       }
       return found;
     }},
    {"deck.smol.steps",
     [](const json&) {
       const Recording& run = recorded();
       return json::array({run.cached_ms.front(), run.cached_ms.back(), run.uncached_ms.front(),
                           run.uncached_ms.back()});
     }},
    {"deck.influence.norms", [](const json& in) { return shaped(influence_of(in).value_norms); }},
    {"deck.influence.weighted", [](const json& in) { return shaped(influence_of(in).weighted); }},
    {"deck.influence.hidden",
     [](const json& in) { return shaped(influence_of(in).hidden_in_head); }},
    {"deck.influence.everywhere", [](const json& in) { return shaped(influence_of(in).hidden); }},
    {"deck.influence.without",
     [](const json& in) { return shaped(influence_of(in).head_changes); }},
    {"deck.influence.silent",
     [](const json& in) {
       const Influence found = influence_of(in);
       return json::array({shaped(found.weighted)[1][1], shaped(found.hidden_in_head)[1][1]});
     }},
    {"mha.params",
     [](const json&) {
       json counts = json::array();
       for (const std::uint64_t d_model : {4u, 16u, 64u, 512u, 768u}) {
         counts.push_back(value_of(multi_head_parameters(d_model, 4, 4, true)));
       }
       return counts;
     }},
};

bool is_computed(const std::string& id) {
  return std::any_of(figures.begin(), figures.end(),
                     [&id](const auto& figure) { return figure.first == id; });
}

/// Texts read anew for every pair: most of the time of all figures, under sanitizers.
bool is_of_recall(std::string_view id) { return id.starts_with("deck.answers.recall"); }

void check_figures(bool of_recall) {
  for (const auto& [id, compute] : figures) {
    if (is_of_recall(id) != of_recall) continue;
    INFO("figure " << id);
    REQUIRE(golden_rows().contains(id));
    check_row(id, compute(golden_rows().at(id).at("inputs")));
  }
}

}  // namespace

TEST_CASE("the golden figures, computed by the core") { check_figures(false); }

TEST_CASE("the golden figures of recall, computed by the core") { check_figures(true); }

TEST_CASE(
    "every golden figure of recurrence's, the embedding's, the attention's and the cache's slides "
    "is computed, "
    "and every one "
    "of ours") {
  for (const auto& [id, row] : golden_rows()) {
    const bool ours = row.at("document") == "deck";
    // A slide that goes on from another one has a letter, and figures of ours alone.
    const int slide = row.at("slide").is_number() ? row.at("slide").get<int>() : 0;
    // The figures of slides 6 to 8 are those of the tokenizer, and its tests read them.
    const bool computed = (slide >= 3 && slide <= 5) || (slide >= 9 && slide <= 17) ||
                          (slide >= 26 && slide <= 28) || slide == 29 || slide == 30 ||
                          slide == 32 || slide == 33 || slide == 34 || slide == 36;
    const bool attention = computed && row.at("role") == "shown";
    if (!ours && !attention) continue;
    INFO("figure " << id);
    CHECK(is_computed(id));
  }
}

TEST_CASE("an exact value that a chained row prints otherwise is not taken for it") {
  for (const char* id : {"recap.exp.cat", "recap.sum", "recap.contrib.sat2"}) {
    const json& row = golden_rows().at(id);
    CHECK(row.at("status") == "chained");
    const double printed = number_printed(row.at("printed"));
    const double computed = row.at("computed").get<double>();
    CHECK(std::fabs(printed - computed) > row.at("tolerance_printed").get<double>());
  }
}
