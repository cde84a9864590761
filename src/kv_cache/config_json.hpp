#pragma once

#include <cstdint>
#include <string_view>

#include "kv_cache/cache_model.hpp"

namespace attn {

/// A larger file is no config.json, and is to be refused before it is read.
inline constexpr std::uint64_t max_config_bytes = std::uint64_t{32} << 20;

/// What a Hugging Face config.json says of a model's cache, by its fields and never by its name; what the file leaves
/// out and the class that it names (model_type) has as a default is taken from there (class_defaults.hpp), and said; of a model that also
/// sees or hears, its language model. Several families' words for a field are known; all that stand in a file must
/// agree. The sources are the configuration classes in huggingface/transformers.
///
/// What is filled in for a field that the file leaves out is said in `notes`: as many KV heads as heads, d_model
/// divided by the heads, the window for all layers. What cannot be known from the file is 0 and stands in `missing`;
/// with nothing missing, check_cache_model holds of the result. n_kv_heads, d_k and d_v are filled for every model with
/// attention, also where all its layers are local. state_numbers is what the recurrence needs: its state, and
/// kernel - 1 columns of what its convolution reads. parameters and active_parameters are counted where the fields
/// and the class tell every weight (read_weights), which a note says, and are missing otherwise.
///
/// Errors, each naming `file` or the field: too_large above max_config_bytes and for counts above field_limits.hpp;
/// bad_argument for what is no JSON, an encoder-decoder, a text or truth value where a number must be, two values for
/// one field, a word for a kind of layer that is not known; not_finite for NaN and Infinity; out_of_range for zero,
/// negative and fractional numbers; shape_mismatch for fields that contradict each other.
Expected<ReadModel> read_config_json(std::string_view file);

}  // namespace attn
