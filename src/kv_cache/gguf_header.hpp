#pragma once

#include <cstdint>
#include <span>

#include "kv_cache/cache_model.hpp"

namespace attn {

/// What the header of a GGUF file says of a model's cache, from the bytes with which the file begins: version 2 and 3,
/// little-endian (ggml-org/ggml, docs/gguf.md; the keys are those of ggml-org/llama.cpp, gguf-py/gguf/constants.py). By
/// its keys, of which general.architecture is the prefix; that decides one thing more, and a note then says so: how many
/// layers have the window, where a file leaves it to its reader (window_patterns in class_defaults.hpp).
///
/// `notes` and `missing` as of read_config_json. The keys must all be within `bytes`. Where the list of tensors is too,
/// parameters and active_parameters are counted from it, without what is computed and not learnt (rope_freqs and the
/// like); otherwise they are missing.
///
/// Errors: bad_argument naming `file` for what is no such file, for bytes that end within the keys (the message says how
/// many are needed at least), for lengths that no file has; and naming the key for a value of another type, a value
/// that stands twice and numbers that differ from layer to layer where one number is needed; out_of_range, too_large
/// and shape_mismatch as of read_config_json, naming the key.
Expected<ReadModel> read_gguf_header(std::span<const std::uint8_t> bytes);

/// How many bytes of the file's beginning are needed at least for the keys and the list of tensors, when that is more
/// than these; 0 when these are enough, or no more bytes would make them readable. To be asked again after more have
/// been read: only then is known how far the next part goes.
std::uint64_t gguf_bytes_needed(std::span<const std::uint8_t> bytes);

/// What all tensors of the file take, in bytes, each by its own type. Errors: as of read_gguf_header; bad_argument naming
/// `file` also when the list of tensors goes on beyond `bytes`, or has a type that is not known.
Expected<std::uint64_t> gguf_weight_bytes(std::span<const std::uint8_t> bytes);

}  // namespace attn
