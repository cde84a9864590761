#pragma once

#include <span>
#include <string_view>

#include "kv_cache/cache_model.hpp"

namespace attn {

/// A published model, from its own configuration or paper.
struct PublishedModel {
  /// Short and stable: it stands in links.
  std::string_view id;
  std::string_view name;
  CacheModel model;
  /// Whether model.parameters is the count of the weights that were published, without layers that only guess further
  /// tokens and without what sees or hears; otherwise it is what the publisher calls the model, rounded.
  bool exact_parameters = false;
  /// The same of model.active_parameters.
  bool exact_active_parameters = false;
  /// Where the fields are from: an address of the Hugging Face hub, or a paper.
  std::string_view source;
};

/// All rows, of each of which check_cache_model holds. A window is that of the model's own description; a row has none
/// where the published configuration turns it off.
std::span<const PublishedModel> published_models();

/// Errors: bad_argument naming `field` for an id that is not in the table.
Expected<PublishedModel> published_model(std::string_view field, std::string_view id);

}  // namespace attn
