#include "kv_cache/config_reading.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

class SharingReader : ConfigPart {
 public:
  explicit SharingReader(ConfigReading& reading) : ConfigPart(reading) {}

  void sharing() {
    if (in_.failed()) return;
    const std::uint64_t last = count({"num_kv_shared_layers"}, max_model_layers, 0);
    if (last > 0) {
      const std::string_view name = "num_kv_shared_layers";
      refuse_if(share_last_layers(read_, layers_, last, in_.full_name(name)), name);
    } else if (in_.flag("use_cla").value_or(false)) {
      const std::uint64_t factor = count({"cla_share_factor"}, max_model_layers);
      if (factor == 0) {
        missing("full_sharing");
        note(
            {"use_cla is true, and cla_share_factor, how many layers share a cache, is not "
             "given."});
        return;
      }
      std::vector<bool> shares(layers_.size());
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = i % factor != 0;
      const std::string_view name = "cla_share_factor";
      refuse_if(share_layers(read_, layers_, shares, in_.full_name(name)), name);
    }
  }

 private:
  void refuse_if(const Expected<void>& done, std::string_view name) {
    if (!done) in_.refuse(done.error().code, name, {done.error().message});
  }
};

}  // namespace

void read_sharing(ConfigReading& reading) { SharingReader(reading).sharing(); }

}  // namespace attn
