#pragma once

// What the parts of the reader of config.json have in common. read_config_json calls them in this order; each leaves off
// where an earlier one has met a problem.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "kv_cache/cache_model.hpp"
#include "kv_cache/config_fields.hpp"
#include "kv_cache/layer_plan.hpp"

namespace attn {

/// Fields in, a model out.
struct ConfigReading {
  ConfigFields in;
  ReadModel read;
  /// What each layer keeps; empty where the file does not tell.
  std::vector<Layer> layers;
};

/// Which layer keeps what, how many of each kind there are, and the window.
void read_layers(ConfigReading& reading);
/// How many heads of K and V, how wide they and latents are.
void read_widths(ConfigReading& reading);
/// Which layers read the cache of another.
void read_sharing(ConfigReading& reading);
/// state_numbers.
void read_state(ConfigReading& reading);
/// parameters and active_parameters, and a note of how they were counted: of a file whose class is known
/// (class_weights.hpp) and that tells everything on which they depend. They are missing otherwise, as a wrong number would
/// be worse.
void read_weights(ConfigReading& reading);

/// What a part is made of.
class ConfigPart {
 protected:
  using Names = std::initializer_list<std::string_view>;
  using Kind = ConfigValue::Kind;

  explicit ConfigPart(ConfigReading& reading)
      : in_(reading.in), read_(reading.read), layers_(reading.layers) {}

  void note(std::initializer_list<Piece> sentence) { read_.notes.push_back(text(sentence)); }
  void missing(std::string_view field) { read_.missing.emplace_back(field); }

  /// 0 where none of the names is there.
  std::uint64_t count(Names names, std::uint64_t most, std::uint64_t least = 1) {
    return in_.count(names, least, most).value_or(0);
  }

  bool has_attention_heads() const {
    return in_.find({"num_attention_heads", "n_head", "n_heads"}) != nullptr;
  }

  /// A state-space model without attention: its num_heads and head_dim are those of its state.
  bool is_state_alone() const {
    return !has_attention_heads() && in_.find({"state_size", "ssm_state_size"}) != nullptr;
  }

  ConfigFields& in_;
  ReadModel& read_;
  std::vector<Layer>& layers_;
};

}  // namespace attn
