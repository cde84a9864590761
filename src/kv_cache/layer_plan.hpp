#pragma once

// Which layer of a model keeps what, and how a reader of files makes counts of that.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kv_cache/cache_model.hpp"

namespace attn {

enum class Layer : std::uint8_t { nothing, full, local, state, full_and_state };

/// One entry for each layer; none where a file does not tell which they are.
using LayerPlan = std::span<const Layer>;

/// Sets full_layers, local_layers and state_layers; and the window to 0 when no layer has it. A plan that is not known
/// sets nothing.
void count_layers(CacheModel& model, LayerPlan plan);

/// Sets full_sharing and local_sharing: `shares` says of each layer whether it reads the cache of another. They are
/// missing when the plan is not known. Errors: shape_mismatch naming `field` when no layer of a kind keeps what the
/// others read.
Expected<void> share_layers(ReadModel& read, LayerPlan plan, const std::vector<bool>& shares,
                            const std::string& field);

/// The same when the last `last` layers do. Errors: also when there are no more layers than that.
Expected<void> share_last_layers(ReadModel& read, LayerPlan plan, std::uint64_t last,
                                 const std::string& field);

/// check_cache_model of a model of which nothing is missing that its cache depends on.
Expected<void> check_read_model(const ReadModel& read);

}  // namespace attn
