#include "load_model_calls.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache_backend_option.hpp"
#include "core/limits.hpp"
#include "model/model_vocabulary.hpp"
#include "open_model.hpp"
#include "tokenizer/files.hpp"

namespace attn::binding {
namespace {

constexpr std::string_view cache_formats[] = {"f32", "f16", "q8_0", "q4_0"};
constexpr std::uint64_t max_files = 1000;
constexpr std::uint64_t max_config_bytes = std::uint64_t{1} << 24;
/// Of one piece: it is copied once more on its way.
constexpr std::uint64_t max_piece_bytes = std::uint64_t{1} << 24;

val opened(LoadingModel loading) {
  return Writer(val::undefined())
      .number("loading", loading_models().put(std::move(loading)))
      .finish();
}

/// The vocabulary, as soon as it can be held against the model: before the weights are brought.
Expected<void> read_text(LoadingModel& loading) {
  if (loading.has_text || !loading.loader.has_sizes()) return {};
  loading.has_text = true;
  const FileVocabulary& file = loading.loader.vocabulary();
  ModelText& to = loading.text;
  to.name = loading.loader.name();
  to.begin_id = file.begin_id;
  to.end_id = file.end_id;
  to.adds_begin = file.adds_begin;
  const bool has_json = !loading.tokenizer_json.empty();
  if (!has_json && file.model.empty() && file.tokens.empty()) return {};
  const ModelConfig& config = loading.loader.config();
  auto vocabulary = has_json ? vocabulary_of_json(loading.tokenizer_json, config)
                             : vocabulary_of_gguf(file, config);
  ATTN_CHECK(vocabulary);
  loading.tokenizer_json = {};
  auto tokenizer = Tokenizer::make(std::move(*vocabulary));
  ATTN_CHECK(tokenizer);
  to.tokenizer.emplace(std::move(*tokenizer));
  return {};
}

std::vector<std::uint64_t> read_file_bytes(Reader& in) {
  const auto count = in.length("file_bytes", max_files);
  const auto given = in.vector<double>("file_bytes", count);
  std::vector<std::uint64_t> sizes;
  for (const double size : given) {
    if (!(size >= 0 && size <= static_cast<double>(max_exact_count)) || size != std::floor(size)) {
      in.refuse(ErrorCode::out_of_range, "file_bytes", " must be whole numbers, none below 0.");
      return {};
    }
    sizes.push_back(static_cast<std::uint64_t>(size));
  }
  return sizes;
}

}  // namespace

val load_gguf_of(Reader& in) {
  const std::uint64_t bytes = in.count("file_bytes", max_exact_count, 0);
  if (in.failed()) return failure(in.error());
  return opened({ModelLoader::of_gguf(bytes), {}, {}, false});
}

val load_safetensors_of(Reader& in) {
  const std::string config = in.bytes("config", max_config_bytes);
  std::vector<std::uint64_t> sizes = read_file_bytes(in);
  std::string tokenizer = in.bytes("tokenizer", max_file_bytes);
  if (in.failed()) return failure(in.error());
  auto loader = ModelLoader::of_safetensors(config, std::move(sizes));
  if (!loader) return failure(loader.error());
  return opened({std::move(*loader), std::move(tokenizer), {}, false});
}

val shard_names_of(Reader& in) {
  const std::string index = in.bytes("index", max_config_bytes);
  if (in.failed()) return failure(in.error());
  const auto names = files_of_safetensors_index(index);
  if (!names) return failure(names.error());
  val list = val::array();
  for (const std::string& name : *names) list.call<void>("push", name);
  return Writer(val::undefined())
      .number("count", static_cast<double>(names->size()))
      .value("names", list)
      .finish();
}

val loading_state_of(Reader& in) {
  const LoadingModel* loading = loading_models().find(in, "loading");
  if (in.failed()) return failure(in.error());
  const auto wanted = loading->loader.wanted();
  Writer writer(val::undefined());
  writer.number("weight_bytes", static_cast<double>(loading->loader.weight_bytes()))
      .number("given_bytes", static_cast<double>(loading->loader.given_bytes()))
      .value("is_whole", val(!wanted));
  if (wanted) {
    writer.number("file", static_cast<double>(wanted->file))
        .number("begin", static_cast<double>(wanted->begin))
        .number("bytes", static_cast<double>(wanted->bytes));
  }
  return writer.finish();
}

val give_bytes_of(Reader& in) {
  LoadingModel* loading = loading_models().find(in, "loading");
  const std::string piece = in.bytes("bytes", max_piece_bytes);
  if (in.failed()) return failure(in.error());
  auto given =
      loading->loader.give({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
  if (given) given = read_text(*loading);
  if (!given) {
    const val answer = failure(given.error());
    // Nothing stays of a file that is of no use; more bytes than are wanted say nothing of the file.
    if (given.error().field != "bytes") {
      loading_models().close(static_cast<std::uint32_t>(in.count("loading", max_exact_count)));
    }
    return answer;
  }
  return Writer(val::undefined()).finish();
}

val finish_model_of(Reader& in) {
  LoadingModel* loading = loading_models().find(in, "loading");
  TransformerOptions options;
  options.capacity = in.count_or("capacity", 0, max_model_context);
  options.cache_format = cache_formats[in.choice("cache_format", cache_formats)];
  options.pinned = in.has("pinned") ? in.count("pinned", max_model_context, 0) : 0;
  options.backend = read_cache_backend(in);
  if (in.failed()) return failure(in.error());
  // What can be refused is refused before the weights leave the loader, so that another try is free.
  if (loading->loader.has_sizes() && !loading->loader.wanted()) {
    const auto fits = Transformer::check(loading->loader.config(), options);
    if (!fits) return failure(fits.error());
  }
  auto weights = loading->loader.finish();
  if (!weights) return failure(weights.error());
  auto made = Transformer::make(std::move(*weights), options);
  if (!made) return failure(made.error());
  const ModelConfig config = made->config();
  const ModelText& text = loading->text;
  Writer writer(val::undefined());
  writer.value("architecture", val(std::string(name(config.architecture))))
      .value("name", val(text.name))
      .number("n_layers", static_cast<double>(config.n_layers))
      .number("d_model", static_cast<double>(config.d_model))
      .number("n_heads", static_cast<double>(config.n_heads))
      .number("n_kv_heads", static_cast<double>(config.n_kv_heads))
      .number("head_dim", static_cast<double>(config.head_dim))
      .number("d_ff", static_cast<double>(config.d_ff))
      .number("context", static_cast<double>(config.context))
      .number("vocab_size", static_cast<double>(config.vocab_size))
      .number("rope_base", config.architecture == Architecture::llama ? config.rope_base : 0)
      .value("has_tokenizer", val(text.tokenizer.has_value()))
      .value("adds_begin", val(text.adds_begin && text.begin_id.has_value()))
      .number("capacity", static_cast<double>(made->capacity()))
      .value("cache_format", val(std::string(options.cache_format)))
      .value("backend", val(std::string(name(*options.backend))))
      .number("weight_bytes", static_cast<double>(made->weight_bytes()))
      .number("cache_bytes_per_token", static_cast<double>(made->cache().token_bytes));
  if (text.begin_id) writer.number("begin_id", *text.begin_id);
  if (text.end_id) writer.number("end_id", *text.end_id);
  const double number = open_models().put({std::move(*made), std::move(loading->text), {}, {}});
  loading_models().close(static_cast<std::uint32_t>(in.count("loading", max_exact_count)));
  return writer.number("model", number).finish();
}

val close_loading_of(Reader& in) {
  const auto number = in.count("loading", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  loading_models().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined())
      .number("open", static_cast<double>(loading_models().size()))
      .finish();
}

}  // namespace attn::binding
