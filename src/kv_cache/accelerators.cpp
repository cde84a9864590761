#include "kv_cache/accelerators.hpp"

#include <algorithm>
#include <array>

namespace attn {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;
/// Of 10^12 a second, in tenths.
constexpr std::uint64_t tenth_tera = 100'000'000'000;

constexpr std::array table = {
    PublishedAccelerator{"a100-80", "NVIDIA A100 80 GB (SXM)", 80 * giga, 2'039 * giga,
                         3'120 * tenth_tera, "NVIDIA A100 Tensor Core GPU data sheet"},
    PublishedAccelerator{"a100-40", "NVIDIA A100 40 GB", 40 * giga, 1'555 * giga,
                         3'120 * tenth_tera, "NVIDIA A100 Tensor Core GPU data sheet, 40 GB"},
    PublishedAccelerator{
        "h100-sxm", "NVIDIA H100 (SXM)", 80 * giga, 3'350 * giga, 9'894 * tenth_tera,
        "NVIDIA H100 Tensor Core GPU data sheet; without sparsity, H100 white paper"},
    PublishedAccelerator{
        "h100-pcie", "NVIDIA H100 (PCIe)", 80 * giga, 2'000 * giga, 7'560 * tenth_tera,
        "NVIDIA H100 Tensor Core GPU data sheet; without sparsity, H100 white paper"},
    PublishedAccelerator{"h200", "NVIDIA H200 (SXM)", 141 * giga, 4'800 * giga, 9'894 * tenth_tera,
                         "NVIDIA H200 Tensor Core GPU data sheet; arithmetic as of the H100 (SXM)"},
    PublishedAccelerator{
        "b200", "NVIDIA B200 (one of eight in a DGX B200)", 180 * giga, 8'000 * giga,
        22'500 * tenth_tera,
        "NVIDIA DGX B200 data sheet, an eighth of it; half of the value with sparsity"},
    PublishedAccelerator{"mi300x", "AMD Instinct MI300X", 192 * giga, 5'300 * giga,
                         13'074 * tenth_tera, "AMD Instinct MI300X accelerator data sheet"},
    PublishedAccelerator{"mi325x", "AMD Instinct MI325X", 256 * giga, 6'000 * giga,
                         13'074 * tenth_tera, "AMD Instinct MI325X accelerator data sheet"},
    PublishedAccelerator{"l40s", "NVIDIA L40S", 48 * giga, 864 * giga, 3'620 * tenth_tera,
                         "NVIDIA L40S data sheet"},
    PublishedAccelerator{"l4", "NVIDIA L4", 24 * giga, 300 * giga, 1'210 * tenth_tera,
                         "NVIDIA L4 data sheet; half of the value with sparsity"},
    PublishedAccelerator{"a10", "NVIDIA A10", 24 * giga, 600 * giga, 1'250 * tenth_tera,
                         "NVIDIA A10 data sheet"},
    PublishedAccelerator{"v100-32", "NVIDIA V100 32 GB (SXM2)", 32 * giga, 900 * giga,
                         1'250 * tenth_tera, "NVIDIA V100 Tensor Core GPU data sheet"},
    PublishedAccelerator{"t4", "NVIDIA T4", 16 * giga, 320 * giga, 650 * tenth_tera,
                         "NVIDIA T4 data sheet; bandwidth, T4 product brief"},
    PublishedAccelerator{"rtx-4090", "NVIDIA GeForce RTX 4090", 24 * giga, 1'008 * giga,
                         1'652 * tenth_tera,
                         "NVIDIA Ada GPU architecture white paper, sums in 32 bits"},
    PublishedAccelerator{"rtx-3090", "NVIDIA GeForce RTX 3090", 24 * giga, 936 * giga,
                         710 * tenth_tera,
                         "NVIDIA Ampere GA102 GPU architecture white paper, sums in 32 bits"},
    PublishedAccelerator{"tpu-v5e", "Google TPU v5e", 16 * giga, 819 * giga, 1'970 * tenth_tera,
                         "Google Cloud documentation, TPU v5e"},
    PublishedAccelerator{"tpu-v5p", "Google TPU v5p", 95 * giga, 2'765 * giga, 4'590 * tenth_tera,
                         "Google Cloud documentation, TPU v5p"},
};

}  // namespace

std::span<const PublishedAccelerator> accelerators() { return table; }

Expected<PublishedAccelerator> accelerator(std::string_view field, std::string_view id) {
  const auto* found = std::ranges::find(table, id, &PublishedAccelerator::id);
  if (found != table.end()) return *found;
  return fail(
      ErrorCode::bad_argument, field,
      {field, " must be the id of an accelerator, such as ", table[0].id, "; it is “", id, "”."});
}

}  // namespace attn
