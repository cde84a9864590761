#include "kv_cache/published_models.hpp"

#include <algorithm>
#include <array>

namespace attn {
namespace {

using Count = std::uint64_t;

struct Weights {
  Count all, active;
  bool exact, exact_active;
};

constexpr Weights exact(Count all) { return {all, all, true, true}; }
constexpr Weights exact(Count all, Count active) { return {all, active, true, true}; }
constexpr Weights nominal(Count all) { return {all, all, false, false}; }
constexpr Weights nominal(Count all, Count active) { return {all, active, false, false}; }

struct Shape {
  Count layers, heads, kv_heads, d, d_model, max_tokens;
};

constexpr PublishedModel row(std::string_view id, std::string_view name, const Shape& shape,
                             const Weights& weights, std::string_view source) {
  PublishedModel made;
  made.id = id;
  made.name = name;
  made.source = source;
  made.exact_parameters = weights.exact;
  made.exact_active_parameters = weights.exact_active;
  CacheModel& model = made.model;
  model.n_layers = model.full_layers = shape.layers;
  model.n_heads = shape.heads;
  model.d_model = shape.d_model;
  model.n_kv_heads = shape.kv_heads;
  model.d_k = model.d_v = shape.d;
  model.max_tokens = shape.max_tokens;
  model.parameters = weights.all;
  model.active_parameters = weights.active;
  return made;
}

/// Of the layers, so many see a window only.
constexpr PublishedModel local(PublishedModel made, Count layers, Count window) {
  CacheModel& model = made.model;
  model.full_layers -= layers;
  model.local_layers = layers;
  model.window = window;
  model.local_n_kv_heads = model.n_kv_heads;
  model.local_d_k = model.d_k;
  model.local_d_v = model.d_v;
  return made;
}

/// One latent vector and one rotary key for all heads, whose keys have 128 numbers that are not rotated.
constexpr PublishedModel latent(PublishedModel made, Count rank, Count rope) {
  CacheModel& model = made.model;
  model.latent_rank = rank;
  model.rope_width = rope;
  model.d_k = model.d_v + rope;
  return made;
}

/// An indexer keeps so many numbers of each token and chooses so many tokens for each query.
constexpr PublishedModel indexed(PublishedModel made, Count width, Count top_k) {
  made.model.index_width = width;
  made.model.index_top_k = top_k;
  return made;
}

/// Only so many layers attend; the others, or as many of them as given, keep a state.
constexpr PublishedModel states(PublishedModel made, Count full, Count layers, Count numbers) {
  made.model.full_layers = full;
  made.model.state_layers = layers;
  made.model.state_numbers = numbers;
  return made;
}

constexpr PublishedModel shared(PublishedModel made, Count layers) {
  made.model.full_sharing = layers;
  return made;
}

// The state of one layer: columns of the convolution, and what the recurrence keeps.
constexpr Count mamba_2_8b_state = 3 * 5120 + 5120 * 16;
constexpr Count jamba_state = 3 * 8192 + 8192 * 16;
constexpr Count qwen3_next_state = 3 * (2 * 16 * 128 + 32 * 128) + 32 * 128 * 128;
constexpr Count nemotron_h_8b_state = 3 * (128 * 64 + 2 * 8 * 128) + 128 * 64 * 128;

#define ATTN_HUB "https://huggingface.co/"
#define ATTN_CONFIG "/blob/main/config.json"

constexpr std::array models = {
    row("llama-3-8b", "Llama 3 8B", {32, 32, 8, 128, 4096, 8192}, exact(8'030'261'248),
        ATTN_HUB "meta-llama/Meta-Llama-3-8B" ATTN_CONFIG),
    row("llama-3-70b", "Llama 3 70B", {80, 64, 8, 128, 8192, 8192}, exact(70'553'706'496),
        ATTN_HUB "meta-llama/Meta-Llama-3-70B" ATTN_CONFIG),
    row("llama-3.1-405b", "Llama 3.1 405B", {126, 128, 8, 128, 16384, 131072},
        exact(405'853'388'800), ATTN_HUB "meta-llama/Llama-3.1-405B" ATTN_CONFIG),
    row("llama-3.2-1b", "Llama 3.2 1B", {16, 32, 8, 64, 2048, 131072}, exact(1'235'814'400),
        ATTN_HUB "meta-llama/Llama-3.2-1B" ATTN_CONFIG),
    row("llama-2-7b", "Llama 2 7B", {32, 32, 32, 128, 4096, 4096}, exact(6'738'415'616),
        ATTN_HUB "meta-llama/Llama-2-7b-hf" ATTN_CONFIG),
    row("llama-2-70b", "Llama 2 70B", {80, 64, 8, 128, 8192, 4096}, exact(68'976'648'192),
        ATTN_HUB "meta-llama/Llama-2-70b-hf" ATTN_CONFIG),
    local(row("llama-4-scout", "Llama 4 Scout (chunks of 8,192 in three of four layers)",
              {48, 40, 8, 128, 5120, 262144}, exact(107'769'861'120, 17'172'894'720),
              ATTN_HUB "meta-llama/Llama-4-Scout-17B-16E" ATTN_CONFIG),
          36, 8192),
    local(row("mistral-7b-v0.1", "Mistral 7B v0.1", {32, 32, 8, 128, 4096, 32768},
              exact(7'241'732'096), ATTN_HUB "mistralai/Mistral-7B-v0.1" ATTN_CONFIG),
          32, 4096),
    row("mistral-nemo", "Mistral Nemo 12B", {40, 32, 8, 128, 5120, 131072}, exact(12'247'782'400),
        ATTN_HUB "mistralai/Mistral-Nemo-Base-2407" ATTN_CONFIG),
    row("mistral-small-24b", "Mistral Small 3 24B", {40, 32, 8, 128, 5120, 32768},
        exact(23'572'403'200), ATTN_HUB "mistralai/Mistral-Small-24B-Base-2501" ATTN_CONFIG),
    row("mixtral-8x7b", "Mixtral 8x7B", {32, 32, 8, 128, 4096, 32768},
        exact(46'702'792'704, 12'879'925'248), ATTN_HUB "mistralai/Mixtral-8x7B-v0.1" ATTN_CONFIG),
    row("qwen2.5-7b", "Qwen2.5 7B", {28, 28, 4, 128, 3584, 131072}, exact(7'615'616'512),
        ATTN_HUB "Qwen/Qwen2.5-7B" ATTN_CONFIG),
    row("qwen3-4b", "Qwen3 4B", {36, 32, 8, 128, 2560, 40960}, exact(4'022'468'096),
        ATTN_HUB "Qwen/Qwen3-4B" ATTN_CONFIG),
    row("qwen3-32b", "Qwen3 32B", {64, 64, 8, 128, 5120, 40960}, exact(32'762'123'264),
        ATTN_HUB "Qwen/Qwen3-32B" ATTN_CONFIG),
    row("qwen3-235b-a22b", "Qwen3 235B-A22B", {94, 64, 4, 128, 4096, 40960},
        exact(235'093'634'560, 22'190'763'520), ATTN_HUB "Qwen/Qwen3-235B-A22B" ATTN_CONFIG),
    states(row("qwen3-next-80b-a3b", "Qwen3-Next 80B-A3B", {48, 16, 2, 256, 2048, 262144},
               nominal(80'000'000'000, 3'000'000'000),
               ATTN_HUB "Qwen/Qwen3-Next-80B-A3B-Instruct" ATTN_CONFIG),
           12, 36, qwen3_next_state),
    local(row("gemma-2-9b", "Gemma 2 9B", {42, 16, 8, 256, 3584, 8192}, exact(9'241'705'984),
              ATTN_HUB "google/gemma-2-9b" ATTN_CONFIG
                       "; Gemma Team 2024, arXiv:2408.00118: every other layer local"),
          21, 4096),
    local(row("gemma-3-27b", "Gemma 3 27B", {62, 32, 16, 128, 5376, 131072}, exact(27'009'346'304),
              ATTN_HUB "google/gemma-3-27b-it" ATTN_CONFIG
                       "; Gemma Team 2025, arXiv:2503.19786: five of six layers local"),
          52, 1024),
    local(row("gpt-oss-20b", "gpt-oss 20B", {24, 64, 8, 64, 2880, 131072},
              exact(20'914'757'184, 4'187'440'704), ATTN_HUB "openai/gpt-oss-20b" ATTN_CONFIG),
          12, 128),
    local(row("gpt-oss-120b", "gpt-oss 120B", {36, 64, 8, 64, 2880, 131072},
              exact(116'829'156'672, 5'711'982'912), ATTN_HUB "openai/gpt-oss-120b" ATTN_CONFIG),
          18, 128),
    latent(
        row("deepseek-v2", "DeepSeek-V2", {60, 128, 128, 128, 5120, 163840},
            exact(235'741'434'880, 21'375'800'320), ATTN_HUB "deepseek-ai/DeepSeek-V2" ATTN_CONFIG),
        512, 64),
    latent(
        row("deepseek-v3", "DeepSeek-V3", {61, 128, 128, 128, 7168, 163840},
            exact(671'026'419'200, 37'552'297'472), ATTN_HUB "deepseek-ai/DeepSeek-V3" ATTN_CONFIG),
        512, 64),
    indexed(latent(row("deepseek-v3.2", "DeepSeek-V3.2 (with its indexer's keys)",
                       {61, 128, 128, 128, 7168, 163840}, nominal(671'000'000'000, 37'000'000'000),
                       ATTN_HUB "deepseek-ai/DeepSeek-V3.2-Exp" ATTN_CONFIG),
                   512, 64),
            128, 2048),
    latent(row("kimi-k2", "Kimi K2", {61, 64, 64, 128, 7168, 131072},
               exact(1'026'408'232'448, 32'861'500'928),
               ATTN_HUB "moonshotai/Kimi-K2-Base" ATTN_CONFIG),
           512, 64),
    row("glm-4.5", "GLM-4.5", {92, 96, 8, 128, 5120, 131072},
        nominal(355'000'000'000, 32'000'000'000), ATTN_HUB "zai-org/GLM-4.5" ATTN_CONFIG),
    shared(row("hunyuan-large", "Hunyuan-Large (two layers share a cache)",
               {64, 80, 8, 80, 6400, 262144}, nominal(389'000'000'000, 52'000'000'000),
               "Sun et al. 2024, arXiv:2411.02265, table 1"),
           32),
    local(row("phi-3-mini-4k", "Phi-3 mini 4k", {32, 32, 32, 96, 3072, 4096}, exact(3'821'079'552),
              ATTN_HUB "microsoft/Phi-3-mini-4k-instruct" ATTN_CONFIG),
          32, 2047),
    states(row("jamba-v0.1", "Jamba v0.1", {32, 32, 8, 128, 4096, 262144},
               exact(51'570'323'328, 12'110'311'296), ATTN_HUB "ai21labs/Jamba-v0.1" ATTN_CONFIG),
           4, 28, jamba_state),
    states(row("nemotron-h-8b", "Nemotron-H 8B", {52, 32, 8, 128, 4096, 8192},
               nominal(8'000'000'000), ATTN_HUB "nvidia/Nemotron-H-8B-Base-8K" ATTN_CONFIG),
           4, 24, nemotron_h_8b_state),
    states(row("mamba-2.8b", "Mamba 2.8B", {64, 0, 0, 0, 2560, 0}, exact(2'768'345'600),
               ATTN_HUB "state-spaces/mamba-2.8b-hf" ATTN_CONFIG),
           0, 64, mamba_2_8b_state),
    row("falcon-7b", "Falcon 7B", {32, 71, 1, 64, 4544, 2048}, exact(6'921'720'704),
        ATTN_HUB "tiiuae/falcon-7b" ATTN_CONFIG),
    row("falcon-40b", "Falcon 40B", {60, 128, 8, 64, 8192, 2048}, exact(41'303'293'952),
        ATTN_HUB "tiiuae/falcon-40b" ATTN_CONFIG),
    row("bloom", "BLOOM 176B", {70, 112, 112, 128, 14336, 2048}, exact(176'247'271'424),
        ATTN_HUB "bigscience/bloom" ATTN_CONFIG),
    row("gpt-3-175b", "GPT-3 175B", {96, 96, 96, 128, 12288, 2048}, nominal(175'000'000'000),
        "Brown et al. 2020, arXiv:2005.14165, table 2.1"),
    row("gpt2", "GPT-2", {12, 12, 12, 64, 768, 1024}, exact(124'439'808),
        ATTN_HUB "openai-community/gpt2" ATTN_CONFIG),
    row("smollm2-135m", "SmolLM2 135M", {30, 9, 3, 64, 576, 8192}, exact(134'515'008),
        ATTN_HUB "HuggingFaceTB/SmolLM2-135M" ATTN_CONFIG),
};

#undef ATTN_HUB
#undef ATTN_CONFIG

}  // namespace

std::span<const PublishedModel> published_models() { return models; }

Expected<PublishedModel> published_model(std::string_view field, std::string_view id) {
  const auto* found = std::ranges::find(models, id, &PublishedModel::id);
  if (found != models.end()) return *found;
  return fail(ErrorCode::bad_argument, field,
              {field, " must be the id of a published model, such as ", models[0].id, "; it is “",
               id, "”."});
}

}  // namespace attn
