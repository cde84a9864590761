#include "kv_cache/layer_plan.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace attn {

void count_layers(CacheModel& model, LayerPlan plan) {
  if (plan.empty()) return;
  for (const Layer layer : plan) {
    model.full_layers += layer == Layer::full || layer == Layer::full_and_state;
    model.local_layers += layer == Layer::local;
    model.state_layers += layer == Layer::state || layer == Layer::full_and_state;
  }
  if (model.local_layers == 0) model.window = 0;
}

Expected<void> share_layers(ReadModel& read, LayerPlan plan, const std::vector<bool>& shares,
                            const std::string& field) {
  if (plan.empty()) {
    read.missing.emplace_back("full_sharing");
    read.missing.emplace_back("local_sharing");
    return {};
  }
  CacheModel& model = read.model;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!shares[i]) continue;
    model.full_sharing += plan[i] == Layer::full;
    model.local_sharing += plan[i] == Layer::local;
  }
  const bool none_keeps = (model.full_sharing != 0 && model.full_sharing == model.full_layers) ||
                          (model.local_sharing != 0 && model.local_sharing == model.local_layers);
  if (!none_keeps) return {};
  return fail(ErrorCode::shape_mismatch, field,
              {field, " leaves no layer of one kind that keeps what the others of its kind read."});
}

Expected<void> share_last_layers(ReadModel& read, LayerPlan plan, std::uint64_t last,
                                 const std::string& field) {
  if (last == 0) return {};
  const std::uint64_t n = read.model.n_layers;
  if (n != 0 && last >= n) {
    return fail(ErrorCode::shape_mismatch, field,
                {field, " must be below the number of layers, ", n, "; it is ", last, "."});
  }
  std::vector<bool> shares(plan.size());
  std::fill(shares.end() - static_cast<std::ptrdiff_t>(std::min(as_size(last), shares.size())),
            shares.end(), true);
  return share_layers(read, plan, shares, field);
}

Expected<void> check_read_model(const ReadModel& read) {
  const bool is_whole = std::ranges::all_of(read.missing, [](const std::string& field) {
    return field == "parameters" || field == "active_parameters" || field == "max_tokens" ||
           field == "d_model";
  });
  return is_whole ? check_cache_model(read.model) : Expected<void>{};
}

}  // namespace attn
