#include "kv_cache/config_json.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cache_bytes.hpp"
#include "kv_cache/field_limits.hpp"
#include "kv_cache/published_models.hpp"
#include "sound_model.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
using Json = nlohmann::json;

namespace {

/// A published configuration of tests/golden/configs.
Json published(std::string_view name) {
  return Json::parse(golden_file("configs/" + std::string(name) + ".json"));
}

Json llama() { return published("llama-3-8b"); }

CacheModel model_of(const Json& config) { return value_of(read_config_json(config.dump())).model; }

ReadModel read(const Json& config) { return value_of(read_config_json(config.dump())); }

bool has_note(const ReadModel& read, std::string_view part) {
  return std::ranges::any_of(read.notes,
                             [&](const std::string& note) { return note.contains(part); });
}

bool is_missing(const ReadModel& read, std::string_view field) {
  return std::ranges::count(read.missing, field) > 0;
}

/// Sets one field of Llama 3 8B and expects the file to be refused for it.
void check_refused(const std::string& field, const Json& value, ErrorCode code,
                   std::string_view part) {
  Json config = llama();
  config[field] = value;
  CAPTURE(field, value.dump());
  const Error error = error_of(read_config_json(config.dump()));
  CAPTURE(error.message);
  CHECK(error.code == code);
  CHECK(error.field == field);
  CHECK(error.message.contains(field));
  CHECK(error.message.contains(part));
}

void check_refused_text(const std::string& text, std::string_view field, std::string_view part) {
  const Error error = error_of(read_config_json(text));
  CAPTURE(text.substr(0, 100), error.message);
  CHECK(error.field == field);
  CHECK(error.message.contains(part));
}

}  // namespace

TEST_CASE("published configurations are priced to the byte", "[cache][config]") {
  struct Row {
    std::string_view name;
    std::uint64_t per_token;      // 16-bit numbers, while no window is full
    std::uint64_t tokens, bytes;  // of one sequence
  };
  const Row rows[] = {
      // 2 * 32 layers * 8 heads * 128 * 2 bytes; 8,192 tokens are one GiB (K1)
      {"llama-3-8b", 131'072, 8'192, 1'073'741'824},
      // 2 * 80 * 8 * 128 * 2; 32,768 tokens are 10 GiB (K9)
      {"llama-3-70b", 327'680, 32'768, 10'737'418'240},
      // 2 * 32 * 8 * 128 * 2, of which 4,096 tokens stay
      {"mistral-7b-v0.1", 131'072, 32'768, 536'870'912},
      // 2 * 40 * 8 * 128 * 2: a head has 128 columns, not 5,120 / 32 = 160 (K2)
      {"mistral-small-24b", 163'840, 32'768, 5'368'709'120},
      // 2 * 32 * 8 * 128 * 2
      {"mixtral-8x7b", 131'072, 32'768, 4'294'967'296},
      // 2 * 28 * 4 * 128 * 2: the window is given and turned off
      {"qwen2.5-7b", 57'344, 131'072, 7'516'192'768},
      // 2 * 36 * 8 * 128 * 2, not 92,160 with 2,560 / 32 = 80 columns (K2)
      {"qwen3-4b", 147'456, 40'960, 6'039'797'760},
      // 2 * 94 * 4 * 128 * 2
      {"qwen3-235b-a22b", 192'512, 40'960, 7'885'291'520},
      // 2 * 12 * 2 * 256 * 2, and 36 states of 3 * 8,192 + 32 * 128 * 128 = 548,864 numbers
      {"qwen3-next-80b-a3b", 24'576, 262'144, 6'481'969'152},
      // 2 * 62 * 16 * 128 * 2; 131,072 in 10 layers and 1,024 in 52: 10.406 GiB (K7)
      {"gemma-3-27b", 507'904, 131'072, 11'173'625'856},
      // 2 * 24 * 8 * 64 * 2: a head has 64 columns, not 45 (K2); 131,072 in 12 layers and 128 in 12
      {"gpt-oss-20b", 49'152, 131'072, 3'224'371'200},
      // (512 + 64) * 61 * 2
      {"deepseek-v3", 70'272, 163'840, 11'513'364'480},
      // 2 * 12 * 12 * 64 * 2 (K11)
      {"gpt2", 36'864, 1'024, 37'748'736},
      // 2 * 30 * 3 * 64 * 2 (K11)
      {"smollm2-135m", 23'040, 8'192, 188'743'680},
      // 2 * 32 * 1 * 64 * 2: one head for all 71
      {"falcon-7b", 8'192, 2'048, 16'777'216},
      // 2 * 4 * 8 * 128 * 2, and 28 states of 3 * 8,192 + 8,192 * 16 = 155,648 numbers
      {"jamba-v0.1", 16'384, 262'144, 4'303'683'584},
      // no token costs anything; 64 states of 3 * 5,120 + 5,120 * 16 = 97,280 numbers
      {"mamba-2.8b", 0, 1'000'000, 12'451'840},
      // 2 * 64 / 2 layers * 8 * 80 * 2: two layers share a cache
      {"hunyuan-large", 81'920, 262'144, 21'474'836'480},
      // 2 * 48 * 8 * 128 * 2; 262,144 in 12 layers and a chunk of 8,192 in 36
      {"llama-4-scout", 196'608, 262'144, 14'092'861'440},
      // 2 * 4 * 8 * 128 * 2, and 24 states of 3 * (8,192 + 2,048) + 8,192 * 128 = 1,079,296 numbers
      {"nemotron-h-8b", 16'384, 8'192, 186'023'936},
  };
  // Of classes whose weights are not known here: recurrent ones, and what the fields do not tell.
  const std::vector<std::string_view> not_counted = {"qwen3-next-80b-a3b", "falcon-7b",
                                                     "jamba-v0.1",         "mamba-2.8b",
                                                     "hunyuan-large",      "nemotron-h-8b"};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const ReadModel read =
        test::value_of(read_config_json(golden_file("configs/" + std::string(row.name) + ".json")));
    for (const std::string& field : read.missing) {
      CAPTURE(field);
      CHECK((field == "parameters" || field == "active_parameters" || field == "max_tokens"));
    }
    CHECK(bytes_per_token(read.model) == row.per_token);
    CHECK(bytes_of(read.model, row.tokens) == row.bytes);
    check_sound(read);

    // The table says the same of the model, wherever the file says it.
    const PublishedModel known = value_of(published_model("model", row.name));
    CacheModel table = known.model;
    CacheModel file = read.model;
    CHECK((file.max_tokens == table.max_tokens || file.max_tokens == 0));
    // Weights are counted to the last one, or said to be missing.
    const bool is_counted = std::ranges::count(not_counted, row.name) == 0;
    CHECK(is_missing(read, "parameters") != is_counted);
    CHECK(is_missing(read, "active_parameters") != is_counted);
    if (!is_counted) {
      CHECK(file.parameters + file.active_parameters == 0);
    } else {
      CHECK((known.exact_parameters && known.exact_active_parameters));
      CHECK(file.parameters == table.parameters);
      CHECK(file.active_parameters == table.active_parameters);
    }
    file.parameters = table.parameters = file.active_parameters = table.active_parameters = 0;
    file.max_tokens = table.max_tokens = 0;
    CHECK(file == table);
  }
}

TEST_CASE("parameters are counted where the class of the model is known", "[cache][config]") {
  // Published configurations as changes of another of the same class.
  struct Row {
    std::string_view id, from;
    Json changes;
  };
  const Row rows[] = {
      {"llama-2-7b",
       "llama-3-8b",
       {{"num_key_value_heads", 32}, {"intermediate_size", 11008}, {"vocab_size", 32000}}},
      {"llama-2-70b", "llama-3-70b", {{"vocab_size", 32000}}},
      {"llama-3.1-405b",
       "llama-3-70b",
       {{"num_hidden_layers", 126},
        {"num_attention_heads", 128},
        {"hidden_size", 16384},
        {"intermediate_size", 53248}}},
      {"llama-3.2-1b",
       "llama-3-8b",
       {{"num_hidden_layers", 16},
        {"hidden_size", 2048},
        {"intermediate_size", 8192},
        {"tie_word_embeddings", true}}},
      {"mistral-nemo", "mistral-small-24b", {{"intermediate_size", 14336}}},
      {"qwen3-32b",
       "qwen3-4b",
       {{"num_hidden_layers", 64},
        {"num_attention_heads", 64},
        {"hidden_size", 5120},
        {"intermediate_size", 25600},
        {"tie_word_embeddings", false}}},
      {"gpt-oss-120b",
       "gpt-oss-20b",
       {{"num_hidden_layers", 36},
        {"num_local_experts", 128},
        {"layer_types", std::vector<std::string>(36, "full_attention")}}},
      {"kimi-k2",
       "deepseek-v3",
       {{"model_type", "kimi_k2"},
        {"num_attention_heads", 64},
        {"num_key_value_heads", 64},
        {"first_k_dense_replace", 1},
        {"n_routed_experts", 384},
        {"vocab_size", 163840}}},
      {"deepseek-v2",
       "deepseek-v3",
       {{"model_type", "deepseek_v2"},
        {"num_hidden_layers", 60},
        {"hidden_size", 5120},
        {"intermediate_size", 12288},
        {"moe_intermediate_size", 1536},
        {"n_routed_experts", 160},
        {"n_shared_experts", 2},
        {"num_experts_per_tok", 6},
        {"first_k_dense_replace", 1},
        {"topk_method", "group_limited_greedy"},
        {"vocab_size", 102400}}},
      {"phi-3-mini-4k",
       "llama-3-8b",
       {{"model_type", "phi3"},
        {"num_key_value_heads", 32},
        {"hidden_size", 3072},
        {"intermediate_size", 8192},
        {"vocab_size", 32064}}},
      {"gemma-2-9b",
       "llama-3-8b",
       {{"model_type", "gemma2"},
        {"num_hidden_layers", 42},
        {"num_attention_heads", 16},
        {"head_dim", 256},
        {"hidden_size", 3584},
        {"tie_word_embeddings", nullptr},
        {"vocab_size", 256000}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.id);
    Json config = published(row.from);
    config.update(row.changes);
    const ReadModel made = read(config);
    const PublishedModel table = value_of(published_model("model", row.id));
    CHECK(table.exact_parameters);
    CHECK(made.model.parameters == table.model.parameters);
    CHECK(made.model.active_parameters == table.model.active_parameters);
    CHECK(has_note(made, "counted from the fields"));
  }
  // As the files of their weights on the hub add up.
  Json gemma = llama();
  gemma.update({{"model_type", "gemma"},
                {"num_hidden_layers", 18},
                {"num_attention_heads", 8},
                {"num_key_value_heads", 1},
                {"head_dim", 256},
                {"hidden_size", 2048},
                {"intermediate_size", 16384},
                {"vocab_size", 256000}});
  gemma.erase("tie_word_embeddings");
  CHECK(model_of(gemma).parameters == 2'506'172'416);
  const Json qwen = {{"model_type", "qwen2_moe"},
                     {"num_hidden_layers", 24},
                     {"num_attention_heads", 16},
                     {"num_key_value_heads", 16},
                     {"hidden_size", 2048},
                     {"intermediate_size", 5632},
                     {"moe_intermediate_size", 1408},
                     {"shared_expert_intermediate_size", 5632},
                     {"num_experts", 60},
                     {"num_experts_per_tok", 4},
                     {"vocab_size", 151936}};
  CHECK(model_of(qwen).parameters == 14'315'784'192);
}

TEST_CASE("parameters that the fields do not determine are missing", "[cache][config]") {
  const auto check_missing = [](std::string_view from, const Json& changes) {
    Json config = published(from);
    for (const auto& [field, value] : changes.items()) {
      // Left out, not null: the two differ.
      if (value == "left out") {
        config.erase(field);
      } else {
        config[field] = value;
      }
    }
    CAPTURE(from, changes.dump());
    const ReadModel made = read(config);
    CHECK(made.model.parameters == 0);
    CHECK(made.model.active_parameters == 0);
    CHECK(is_missing(made, "parameters"));
    CHECK(is_missing(made, "active_parameters"));
    CHECK_FALSE(has_note(made, "parameters are counted"));
  };
  for (const std::string_view name : {"jamba-v0.1", "mamba-2.8b", "falcon-7b", "hunyuan-large"}) {
    check_missing(name, Json::object());
  }
  // The same fields mean other weights: norms over all heads, biases on three of four matrices.
  for (const std::string type : {"olmo2", "glm4", "another"}) {
    check_missing("llama-3-8b", {{"model_type", type}});
  }
  check_missing("llama-3-8b", {{"model_type", "left out"}});
  check_missing("llama-3-8b", {{"num_local_experts", 8}, {"num_experts_per_tok", 2}});
  check_missing("llama-3-8b", {{"vocab_size", "left out"}});
  check_missing("llama-3-8b", {{"intermediate_size", "left out"}});
  check_missing("llama-3-8b", {{"intermediate_size", Json::array({1, 2})}});
  check_missing("mixtral-8x7b", {{"num_local_experts", "left out"}});
  check_missing("qwen3-235b-a22b", {{"moe_intermediate_size", "left out"}});
  for (const std::string field :
       {"first_k_dense_replace", "n_shared_experts", "q_lora_rank", "moe_intermediate_size"}) {
    check_missing("deepseek-v3", {{field, "left out"}});
  }
  check_missing("deepseek-v3", {{"attention_bias", true}});
  check_missing("deepseek-v3", {{"index_head_dim", 128}});
  check_missing("deepseek-v3", {{"moe_layer_freq", Json::array({0, 1})}});
}

TEST_CASE("what weighs beside the matrices of a plain decoder", "[cache][config]") {
  // A sink for each head, and biases of the router and of every matrix of an expert.
  CHECK(model_of(published("gpt-oss-20b")).parameters == 20'914'757'184);
  // Its norms of Q and K have no weights, and the two matrices of embedding and output are told outside.
  Json scout = published("llama-4-scout");
  CHECK(model_of(scout).parameters == 107'769'861'120);
  Json& text = scout["text_config"];
  text["moe_layers"] = Json::array();
  for (int i = 0; i < 48; ++i) text["moe_layers"].push_back(i);
  CHECK(model_of(scout).parameters == 107'769'861'120);
  text.erase("moe_layers");
  text["interleave_moe_layer_step"] = 2;
  // In 24 layers 5,120 x 16,384 x 3 instead of 17 x 5,120 x 8,192 x 3 and a router of 5,120 x 16.
  CHECK(model_of(scout).parameters == 107'769'861'120 - 24 * (5120 * 8192 * 3 * 15ULL + 5120 * 16));
  text.erase("intermediate_size_mlp");
  CHECK(is_missing(read(scout), "parameters"));

  // Norms of Q and K in every layer, whatever else the file tells.
  Json gemma = published("gemma-3-27b");
  CHECK(model_of(gemma).parameters == 27'009'346'304);
  gemma["text_config"]["rms_norm_eps"] = 1e-6;
  gemma["text_config"]["hidden_activation"] = "gelu_pytorch_tanh";
  gemma["text_config"]["vocab_size"] = 262208;
  CHECK(model_of(gemma).parameters == 27'009'346'304);

  // What the class says where the file leaves it out: Llama's and Mixtral's two matrices, Gemma's one.
  for (const std::string_view name : {"llama-3-8b", "mixtral-8x7b", "qwen2.5-7b", "deepseek-v3"}) {
    Json config = published(name);
    const CacheModel whole = model_of(config);
    config.erase("tie_word_embeddings");
    CHECK(model_of(config) == whole);
  }
  Json biased = llama();
  biased["attention_bias"] = true;
  // (32 + 2 x 8) x 128 and 4,096 a layer
  CHECK(model_of(biased).parameters == 8'030'261'248 + 32 * ((32 + 16) * 128 + 4096));
  biased["mlp_bias"] = true;
  CHECK(model_of(biased).parameters ==
        8'030'261'248 + 32 * ((32 + 16) * 128 + 4096 + 2 * 14336 + 4096));
}

TEST_CASE("KV heads that are left out are as many as heads, and that is said", "[cache][config]") {
  for (const bool null : {false, true}) {
    Json config = llama();
    if (null) {
      config["num_key_value_heads"] = nullptr;
    } else {
      config.erase("num_key_value_heads");
    }
    const ReadModel made = read(config);
    CHECK(made.model.n_kv_heads == 32);
    CHECK(bytes_per_token(made.model) == 524'288);  // 2 * 32 * 32 * 128 * 2 (K3)
    CHECK(has_note(made, "num_key_value_heads is not given"));
    CHECK_FALSE(is_missing(made, "n_kv_heads"));
  }
  // K4: the number of KV heads, not of heads that share one.
  CHECK(model_of(llama()).n_kv_heads == 8);
}

TEST_CASE("a field that is no number in its range is refused with its reason", "[cache][config]") {
  const Json text = "32";
  check_refused("num_hidden_layers", text, ErrorCode::bad_argument,
                "num_hidden_layers is the text “32”; it must be a whole number");
  for (const std::string field :
       {"num_hidden_layers", "num_attention_heads", "num_key_value_heads", "hidden_size",
        "max_position_embeddings", "vocab_size", "intermediate_size", "head_dim"}) {
    check_refused(field, text, ErrorCode::bad_argument, "is the text “32”");
    check_refused(field, -1, ErrorCode::out_of_range, "is -1");
    check_refused(field, 32.5, ErrorCode::out_of_range, "is 32.5");
    check_refused(field, 1e300, ErrorCode::out_of_range, "must be a whole number");
    check_refused(field, 18446744073709551615U, ErrorCode::too_large, "must be at most");
    check_refused(field, true, ErrorCode::bad_argument, "is true");
    check_refused(field, Json::object(), ErrorCode::bad_argument, "is an object");
  }
  for (const std::string field : {"num_hidden_layers", "num_attention_heads", "num_key_value_heads",
                                  "hidden_size", "max_position_embeddings", "head_dim"}) {
    check_refused(field, 0, ErrorCode::out_of_range, "is 0");
    check_refused(field, Json::array({1, 2}), ErrorCode::bad_argument, "a list of different");
  }
  for (const char* word : {"NaN", "Infinity", "-Infinity"}) {
    std::string config = llama().dump();
    const std::string there = "\"hidden_size\":4096";
    config.replace(config.find(there), there.size(), std::string("\"hidden_size\":") + word);
    CHECK(error_of(read_config_json(config)).code == ErrorCode::not_finite);
    check_refused_text(config, "hidden_size", word);
  }
  // More digits than 64 bits hold.
  std::string config = llama().dump();
  config.replace(config.find(":8192,"), 6, ":" + std::string(400, '9') + ",");
  CHECK(error_of(read_config_json(config)).code == ErrorCode::too_large);
  // Python writes Infinity into published files, where nobody asks for it.
  const std::string python = "{\"time_step_limit\": [0.0, Infinity], " + llama().dump().substr(1);
  CHECK(value_of(read_config_json(python)).model == model_of(llama()));
}

TEST_CASE("fields that contradict each other are refused", "[cache][config]") {
  check_refused("num_key_value_heads", 7, ErrorCode::shape_mismatch, "must divide");
  check_refused("num_key_value_heads", 64, ErrorCode::shape_mismatch, "must divide");
  check_refused("n_layer", 33, ErrorCode::bad_argument, "must be equal");
  check_refused("layer_types", Json::array({"full_attention"}), ErrorCode::shape_mismatch,
                "names 1 layers, and the model has 32");
  check_refused("layer_types", "full_attention", ErrorCode::bad_argument, "must be a list");
  check_refused("layer_types", std::vector<std::string>(32, "odd"), ErrorCode::bad_argument,
                "“odd”");
  check_refused("hybrid_override_pattern", "MM", ErrorCode::shape_mismatch, "names 2 layers");
  check_refused("hybrid_override_pattern", std::string(32, 'X'), ErrorCode::bad_argument, "“X”");
  check_refused("is_encoder_decoder", true, ErrorCode::bad_argument, "second cache");
  check_refused("compress_ratios", Json::array({1}), ErrorCode::bad_argument, "not priced");
  check_refused("attn_type_list", Json::array({1, 0}), ErrorCode::bad_argument, "not priced");
  check_refused("num_key_value_heads_per_layer", Json::array({8, 4}), ErrorCode::bad_argument,
                "not priced");
  check_refused("use_sliding_window", "no", ErrorCode::bad_argument, "true or false");

  Json config = llama();
  config["num_attention_heads"] = 33;
  config["num_key_value_heads"] = 11;
  check_refused_text(config.dump(), "head_dim", "4096 columns cannot be shared by 33 heads");

  config = llama();
  config["attn_layer_period"] = 4;
  config["attn_layer_offset"] = 4;
  check_refused_text(config.dump(), "attn_layer_offset", "below attn_layer_period");

  config = llama();
  config["num_kv_shared_layers"] = 32;
  check_refused_text(config.dump(), "num_kv_shared_layers", "below the number of layers");

  config = published("mixtral-8x7b");
  config["num_experts_per_tok"] = 9;
  check_refused_text(config.dump(), "num_experts_per_tok", "more than there are");

  config = llama();
  config["layer_types"] = std::vector<std::string>(32, "sliding_attention");
  config["use_sliding_window"] = false;
  config["sliding_window"] = 128;
  check_refused_text(config.dump(), "use_sliding_window", "contradict");

  check_refused_text("{\"hidden_size\": 1, \"num_hidden_layers\": 2, \"hidden_size\": 2}",
                     "hidden_size", "stands twice");
  CHECK(value_of(read_config_json("{\"hidden_size\": 64, \"hidden_size\": 64}")).model.d_model ==
        64);
  config = llama();
  config["vocab_size"] = max_model_width;
  config["hidden_size"] = max_model_width;
  config["intermediate_size"] = max_model_width;
  config["num_hidden_layers"] = max_model_layers;
  check_refused_text(config.dump(), "parameters", "2^53");
}

TEST_CASE("an item of a list that is no number of its range is refused", "[cache][config]") {
  struct List {
    std::string_view from, field;
    std::uint64_t end;
  };
  for (const auto& [from, field, end] : {
           List{"qwen3-235b-a22b", "mlp_only_layers", 94},
           List{"llama-3-8b", "attn_layer_indices", 32},
           List{"llama-3-8b", "full_attn_idxs", 32},
           List{"llama-3-8b", "hybrid_layer_pattern", 2},
           List{"llama-3-8b", "attn_type_list", 2},
       }) {
    CAPTURE(field);
    const std::string place(field);
    Json config = published(from);
    const auto refused = [&](const Json& value, std::string_view part) {
      config[place] = value;
      check_refused_text(config.dump(), place, part);
    };
    std::vector<int> items(config["num_hidden_layers"].get<std::size_t>(), 1);
    config[place] = items;
    CHECK(read_config_json(config.dump()));
    items[1] = -1;
    refused(items, "has -1");
    items[1] = static_cast<int>(end);
    refused(items, "whole numbers below " + std::to_string(end));
    Json odd = items;
    for (const Json& item :
         {Json(0.5), Json("1"), Json(true), Json(nullptr), Json::array(), Json::object()}) {
      odd[1] = item;
      refused(odd, "must be a list of whole numbers");
    }
    refused(1, "must be a list of whole numbers");
    refused("1", "must be a list of whole numbers");
  }
  Json chunks = llama();
  chunks["attention_chunk_size"] = 8192;
  chunks["no_rope_layers"] = std::vector<int>(32, -1);
  check_refused_text(chunks.dump(), "no_rope_layers", "has -1");

  // The same of a number that stands outside of the object with the others.
  Json outside = {{"text_config", llama()}, {"vocab_size", -32000}};
  outside["text_config"].erase("vocab_size");
  check_refused_text(outside.dump(), "vocab_size", "is -32000");
  outside["vocab_size"] = "32000";
  check_refused_text(outside.dump(), "vocab_size", "is the text");
  outside["vocab_size"] = 128256;
  CHECK(model_of(outside) == model_of(llama()));
}

TEST_CASE("layers that share, where no field tells which layers there are", "[cache][config]") {
  Json config = llama();
  config.update({{"model_type", "another"},
                 {"sliding_window", 512},
                 {"query_pre_attn_scalar", 256},
                 {"num_kv_shared_layers", 10}});
  const ReadModel made = read(config);
  for (const char* field : {"full_layers", "local_layers", "full_sharing", "local_sharing"}) {
    CAPTURE(field);
    CHECK(is_missing(made, field));
  }
  config["num_kv_shared_layers"] = 32;
  check_refused_text(config.dump(), "num_kv_shared_layers", "below the number of layers, 32");
}

TEST_CASE("what is no configuration is refused as a file", "[cache][config]") {
  for (const std::string text : {"", " ", "[]", "null", "3", "\"a\"", "{", "{\"a\" 1}", "{} {}",
                                 "\xEF\xBB\xBF{}", "<html>", "{\"num_hidden_layers\": 032}",
                                 "{\"num_hidden_layers\": +3}", "{\"num_hidden_layers\": 3,}"}) {
    check_refused_text(text, "file", "JSON");
  }
  check_refused_text("{}", "file", "none of a model's fields");
  check_refused_text("{\"vision_config\": {\"num_hidden_layers\": 27}}", "file",
                     "none of a model's");
  const std::string large(100'000'000, ' ');
  const Error error = error_of(read_config_json(large));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.field == "file");
  CHECK(error.message.contains("33554432 bytes; this file has 100000000"));
  // As deep as the size allows, within a field that is read and one that is not.
  const std::string deep(4'000'000, '[');
  check_refused_text("{\"x\": " + deep, "file", "cut short");
  check_refused_text("{\"layer_types\": " + deep, "file", "cut short");
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "{\"text_config\":";
  check_refused_text(nested, "file", "cut short");
  // Lists that are far longer than a model has layers are counted, not kept.
  std::string list = "{\"num_hidden_layers\": 2, \"layer_types\": [\"mlp\"";
  for (int i = 0; i < 1'000'000; ++i) list += ",\"mlp\"";
  check_refused_text(list + "]}", "layer_types", "1000001 layers");
}

TEST_CASE("what a file leaves out to its class is taken from there, and said", "[cache][config]") {
  // As published: a difference from the defaults of its class.
  const auto gemma = [](const std::string& fields) {
    return read(
        Json::parse(R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", )" +
                    fields + R"(, "sliding_window": 1024}})"));
  };
  ReadModel made = gemma(
      R"("hidden_size": 3840, "intermediate_size": 15360, "num_attention_heads": 16,
         "num_hidden_layers": 48, "num_key_value_heads": 8)");
  CHECK(made.model.full_layers == 8);
  CHECK(made.model.local_layers == 40);
  CHECK(made.model.d_k == 256);
  CHECK(made.model.local_d_v == 256);
  CHECK(made.model.window == 1024);
  // 2 x 8 x 256 x 2 = 8,192 bytes a layer: 8 x 8,192 x 32,768 + 40 x 8,192 x 1,024.
  CHECK(bytes_of(made.model, 32'768) == 2'483'027'968);
  CHECK(has_note(made, "head_dim 256"));
  CHECK(has_note(made, "sliding_window_pattern 6"));
  made = gemma(R"("hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34)");
  CHECK(made.model.n_heads == 8);
  CHECK(made.model.n_kv_heads == 4);
  CHECK(made.model.full_layers == 5);
  CHECK(made.model.d_k == 256);

  Json config = published("gemma-3-27b");
  config["text_config"]["model_type"] = "gemma3_text";
  const CacheModel whole = read(config).model;
  config["text_config"].erase("sliding_window_pattern");
  CHECK(read(config).model == whole);
  CHECK(whole.full_layers == 10);
  // What stands there is not replaced.
  config["text_config"]["layer_types"] = std::vector<std::string>(62, "full_attention");
  CHECK(read(config).model.full_layers == 62);

  // Layers alternate, and the first one has the window: the same as the file's own list, also of an odd number.
  config = published("gpt-oss-20b");
  const CacheModel listed = read(config).model;
  CHECK(listed.full_layers == 12);
  config.erase("layer_types");
  made = read(config);
  CHECK(made.model == listed);
  CHECK(has_note(made, "sliding_window_pattern 2"));
  config["layer_types"] = nullptr;
  CHECK(read(config).model == listed);
  config["num_hidden_layers"] = 25;
  CHECK(read(config).model.full_layers == 12);
  CHECK(read(config).model.local_layers == 13);
  config.erase("sliding_window");
  CHECK(read(config).model.window == 128);
}

TEST_CASE("what a configuration does not tell is named", "[cache][config]") {
  Json config = llama();
  config.erase("num_hidden_layers");
  ReadModel made = read(config);
  CHECK(is_missing(made, "n_layers"));
  CHECK(is_missing(made, "full_layers"));
  CHECK(made.model.n_kv_heads == 8);

  config = llama();
  config.erase("num_attention_heads");
  config.erase("num_key_value_heads");
  made = read(config);
  CHECK(is_missing(made, "n_heads"));
  CHECK(is_missing(made, "n_kv_heads"));
  CHECK(is_missing(made, "d_k"));

  config = llama();
  config.erase("hidden_size");
  made = read(config);
  CHECK(is_missing(made, "d_model"));
  CHECK(is_missing(made, "d_v"));

  config = llama();
  config.erase("max_position_embeddings");
  CHECK(is_missing(read(config), "max_tokens"));

  config = llama();
  config.erase("vocab_size");
  CHECK(is_missing(read(config), "parameters"));

  // As first published: the window, and not which layers have it.
  config = published("gemma-3-27b");
  config["text_config"].erase("sliding_window_pattern");
  config["text_config"]["model_type"] = "another";
  config["text_config"]["query_pre_attn_scalar"] = 168;
  made = read(config);
  CHECK(is_missing(made, "full_layers"));
  CHECK(is_missing(made, "local_layers"));
  CHECK(made.model.window == 1024);
  CHECK(has_note(made, "in some layers only"));

  config = llama();
  config["layer_types"] = std::vector<std::string>(32, "sliding_attention");
  CHECK(is_missing(read(config), "window"));

  config = published("qwen3-next-80b-a3b");
  config.erase("full_attention_interval");
  CHECK(is_missing(read(config), "state_layers"));
  config = published("qwen3-next-80b-a3b");
  config.erase("linear_conv_kernel_dim");
  CHECK(is_missing(read(config), "state_numbers"));
  config = published("deepseek-v3");
  config.erase("qk_rope_head_dim");
  CHECK(is_missing(read(config), "rope_width"));
  config = published("hunyuan-large");
  config.erase("cla_share_factor");
  CHECK(is_missing(read(config), "full_sharing"));
}

TEST_CASE("windows: in all layers, in some, in none", "[cache][config]") {
  const auto counts = [](const Json& config) {
    const CacheModel model = model_of(config);
    return std::vector<std::uint64_t>{model.full_layers, model.local_layers, model.window};
  };
  using Counts = std::vector<std::uint64_t>;
  Json config = llama();
  config["sliding_window"] = nullptr;
  CHECK(counts(config) == Counts{32, 0, 0});
  config["sliding_window"] = 4096;
  CHECK(counts(config) == Counts{0, 32, 4096});
  CHECK(has_note(read(config), "all layers are taken to have it"));
  config["use_sliding_window"] = false;
  CHECK(counts(config) == Counts{32, 0, 0});
  config["use_sliding_window"] = true;
  config["max_window_layers"] = 28;
  CHECK(counts(config) == Counts{28, 4, 4096});
  config["max_window_layers"] = 32;
  CHECK(counts(config) == Counts{32, 0, 0});
  config.erase("use_sliding_window");
  config["max_window_layers"] = 28;
  CHECK(counts(config) == Counts{32, 0, 0});
  CHECK(has_note(read(config), "use_sliding_window is not given"));
  config["sliding_window_pattern"] = 6;
  CHECK(counts(config) == Counts{5, 27, 4096});
  config["sliding_window_pattern"] = 1;
  config.erase("max_window_layers");
  CHECK(model_of(config).full_layers == 32);
  config["sliding_window_pattern"] = "LLLG";
  CHECK(counts(config) == Counts{8, 24, 4096});
  config["sliding_window_pattern"] = "LLLX";
  check_refused_text(config.dump(), "sliding_window_pattern", "L and G");

  config = llama();
  config["attention_chunk_size"] = 8192;
  CHECK(counts(config) == Counts{8, 24, 8192});
  CHECK(has_note(read(config), "every fourth layer"));
  config["no_rope_layer_interval"] = 8;
  CHECK(counts(config) == Counts{4, 28, 8192});
  config["no_rope_layers"] = Json::array({1, 0});
  check_refused_text(config.dump(), "no_rope_layers", "names 2 layers");
  config["no_rope_layers"] = std::vector<int>(32, 2);
  check_refused_text(config.dump(), "no_rope_layers", "whole numbers below 2");

  // GPT-Neo's words.
  config = {{"num_layers", 24}, {"num_heads", 16}, {"hidden_size", 2048}, {"window_size", 256}};
  for (int i = 0; i < 24; ++i)
    config["attention_layers"].push_back(i % 2 == 0 ? "global" : "local");
  CHECK(counts(config) == Counts{12, 12, 256});

  // Layers without rotary positions alone change no cache.
  config = llama();
  config["no_rope_layers"] = std::vector<int>(32, 1);
  CHECK(counts(config) == Counts{32, 0, 0});
}

TEST_CASE("local and full layers of different widths", "[cache][config]") {
  Json config = {{"num_hidden_layers", 6},
                 {"num_attention_heads", 8},
                 {"num_key_value_heads", 4},
                 {"head_dim", 256},
                 {"global_head_dim", 512},
                 {"num_global_key_value_heads", 2},
                 {"hidden_size", 2304},
                 {"sliding_window", 512},
                 {"layer_types", std::vector<std::string>(6, "sliding_attention")}};
  config["layer_types"][5] = "full_attention";
  CacheModel model = model_of(config);
  CHECK(model.n_kv_heads == 2);
  CHECK(model.d_k == 512);
  CHECK(model.local_n_kv_heads == 4);
  CHECK(model.local_d_v == 256);
  // 2 * (1 * 2 * 1,024 + 5 * 4 * 512)
  CHECK(bytes_per_token(model) == 24'576);
  config["attention_k_eq_v"] = false;
  CHECK(model_of(config).n_kv_heads == 4);
  config["num_kv_shared_layers"] = 2;
  check_refused_text(config.dump(), "num_kv_shared_layers", "leaves no layer");
  config["layer_types"][0] = "full_attention";
  model = model_of(config);
  CHECK(model.full_sharing == 1);
  CHECK(model.local_sharing == 1);

  config = {{"num_hidden_layers", 2},
            {"num_attention_heads", 64},
            {"num_key_value_heads", 4},
            {"head_dim", 192},
            {"v_head_dim", 128},
            {"swa_num_key_value_heads", 8},
            {"swa_head_dim", 192},
            {"swa_v_head_dim", 128},
            {"hidden_size", 4096},
            {"sliding_window", 128},
            {"hybrid_layer_pattern", {0, 1}}};
  model = model_of(config);
  // 2 * (4 * 320 + 8 * 320)
  CHECK(bytes_per_token(model) == 7'680);
  CHECK(model.d_v == 128);
}

TEST_CASE("the fields of a model that is nested in another are found", "[cache][config]") {
  const CacheModel plain = model_of(llama());
  for (const std::string object : {"text_config", "llm_config", "language_config"}) {
    Json config = {{"vision_config", {{"num_hidden_layers", 24}, {"hidden_size", 1024}}},
                   {"hidden_size", 4096},
                   {object, llama()}};
    const ReadModel made = read(config);
    CHECK(made.model == plain);
    CHECK(has_note(made, "those of " + object));
    config[object]["num_hidden_layers"] = "32";
    check_refused_text(config.dump(), object + ".num_hidden_layers", "the text “32”");
  }
  // Of a nested object that leaves out everything, and of a flag that stands around it.
  check_refused_text(R"({"text_config": {"model_type": "llama", "vocab_size": 32064}})", "file",
                     "none of a model's fields");
  const Json flag = {{"tie_word_embeddings", "no"}, {"text_config", llama()}};
  CHECK(model_of(flag) == plain);  // the nested object says it too
  Json untold = flag;
  untold["text_config"].erase("tie_word_embeddings");
  check_refused_text(untold.dump(), "tie_word_embeddings", "true or false");
  const Json twice = {{"thinker_config", {{"text_config", llama()}}}};
  CHECK(model_of(twice) == plain);
  // The nested one counts, whatever is repeated around it.
  Json around = llama();
  around["text_config"] = llama();
  around["num_hidden_layers"] = 1;
  CHECK(model_of(around).n_layers == 32);
}

TEST_CASE("states: Mamba-2 alone, beside attention, Kimi's, convolutions", "[cache][config]") {
  // mamba2-130m: 3 * (1,536 + 2 * 128) + 1,536 * 128
  const Json mamba2 = {{"num_hidden_layers", 24}, {"hidden_size", 768}, {"num_heads", 24},
                       {"head_dim", 64},          {"state_size", 128},  {"n_groups", 1},
                       {"conv_kernel", 4},        {"expand", 2}};
  CHECK(model_of(mamba2).state_numbers == 201'984);
  CHECK(model_of(mamba2).state_layers == 24);
  CHECK(model_of(mamba2).full_layers == 0);

  Json both = llama();
  both.update({{"mamba_d_ssm", 1024},
               {"mamba_n_heads", 128},
               {"mamba_d_head", "auto"},
               {"mamba_n_groups", 1},
               {"mamba_d_state", 256},
               {"mamba_d_conv", 4}});
  ReadModel made = read(both);
  CHECK(made.model.full_layers == 32);
  CHECK(made.model.state_layers == 32);
  // 3 * (1,024 + 2 * 256) + 1,024 * 256
  CHECK(made.model.state_numbers == 266'752);
  CHECK(has_note(made, "a state beside it"));

  Json kimi = {{"num_hidden_layers", 4},
               {"num_attention_heads", 32},
               {"hidden_size", 2304},
               {"kv_lora_rank", 512},
               {"qk_nope_head_dim", 128},
               {"qk_rope_head_dim", 64},
               {"v_head_dim", 128},
               {"linear_attn_config",
                {{"full_attn_layers", {4}},
                 {"kda_layers", {1, 2, 3}},
                 {"num_heads", 32},
                 {"head_dim", 128},
                 {"short_conv_kernel_size", 4}}}};
  made = read(kimi);
  CHECK(made.model.full_layers == 1);
  CHECK(made.model.state_layers == 3);
  // 3 * 3 * 32 * 128 + 32 * 128 * 128
  CHECK(made.model.state_numbers == 561'152);
  CHECK(made.model.latent_rank == 512);
  kimi["linear_attn_config"]["full_attn_layers"] = Json::array({5});
  check_refused_text(kimi.dump(), "linear_attn_config.full_attn_layers", "from 1 to 4");
  kimi["linear_attn_config"]["full_attn_layers"] = Json::array({0});
  check_refused_text(kimi.dump(), "linear_attn_config.full_attn_layers", "has 0");

  Json conv = llama();
  conv["layer_types"] = std::vector<std::string>(32, "conv");
  conv["layer_types"][3] = "full_attention";
  conv["conv_L_cache"] = 3;
  CHECK(model_of(conv).state_layers == 31);
  CHECK(model_of(conv).state_numbers == 8'192);

  for (const char* name : {"layer_types", "full_attn_idxs"}) conv.erase(name);
  CHECK(is_missing(read(conv), "full_layers"));
  conv["full_attn_idxs"] = Json::array({3});
  CHECK(model_of(conv).state_layers == 31);

  Json indexer = published("deepseek-v3");
  indexer["index_head_dim"] = 128;
  // (512 + 64 + 128) * 61 * 2
  CHECK(bytes_per_token(model_of(indexer)) == 85'888);
  CHECK(model_of(indexer).index_top_k == 0);
  indexer["index_topk"] = 2048;
  CHECK(model_of(indexer).index_top_k == 2048);
  indexer["index_topk"] = 0;
  check_refused_text(indexer.dump(), "index_topk", "is 0");
  indexer["index_topk"] = "all";
  check_refused_text(indexer.dump(), "index_topk", "is the text");
  indexer["index_topk"] = 2048;
  indexer.erase("index_head_dim");
  CHECK(is_missing(read(indexer), "index_width"));

  Json gqa = llama();
  gqa["num_key_value_heads"] = 32;
  Json mha = llama();
  mha.erase("num_key_value_heads");
  CHECK(model_of(gqa) == model_of(mha));
}

TEST_CASE("a list with the same number for every layer is that number", "[cache][config]") {
  Json config = llama();
  config["num_key_value_heads"] = std::vector<int>(32, 8);
  CHECK(model_of(config).n_kv_heads == 8);
  config["num_key_value_heads"][5] = 4;
  check_refused_text(config.dump(), "num_key_value_heads", "list of different values");
  config = llama();
  config["intermediate_size"] = Json::array({1, 2});
  // The cache does not depend on it.
  check_refused("num_attention_heads", Json::array(), ErrorCode::bad_argument, "list");
}

TEST_CASE("a configuration cut anywhere is refused, and never half read", "[cache][config]") {
  for (const std::string_view name : {"llama-3-8b", "gemma-3-27b", "gpt-oss-20b"}) {
    const std::string whole = golden_file("configs/" + std::string(name) + ".json");
    const std::string end = whole.substr(0, whole.rfind('}') + 1);
    for (std::size_t size = 0; size < end.size(); ++size) {
      const auto made = read_config_json(std::string_view(end).substr(0, size));
      CAPTURE(size);
      REQUIRE_FALSE(made);
      CHECK(made.error().field == "file");
    }
    CHECK(read_config_json(end));
  }
}

TEST_CASE("a configuration with any byte changed is refused or sound", "[cache][config]") {
  const std::string whole = golden_file("configs/gpt-oss-20b.json");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char byte : {'\0', '"', '9', '-', '{', '\xFF'}) {
      std::string damaged = whole;
      damaged[i] = byte;
      const auto made = read_config_json(damaged);
      if (made) check_sound(*made);
      if (!made) CHECK(made.error().message.ends_with("."));
    }
  }
}
