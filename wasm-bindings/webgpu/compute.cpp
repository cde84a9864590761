#include "webgpu/compute.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/limits.hpp"
// Written while building, from src/kernels/webgpu.
#include <webgpu_kernels.hpp>

namespace attn::webgpu {
namespace {

constexpr Kernel scores_kernel = {"attention_scores", wgsl::attention_scores};
constexpr Kernel softmax_kernel = {"attention_softmax", wgsl::attention_softmax};
constexpr Kernel weighted_sum_kernel = {"attention_weighted_sum", wgsl::attention_weighted_sum};
constexpr Kernel fused_kernel = {"fused_attention", wgsl::fused_attention};
constexpr Kernel fused_subgroups_kernel = {"fused_attention_subgroups",
                                           wgsl::fused_attention_subgroups};
constexpr Kernel matmul_kernel = {"batched_matmul", wgsl::batched_matmul};

/// What the kernels are written for: their tiles, in queries or keys, and in vec4 of columns.
constexpr std::uint32_t fused_queries = 64, fused_columns = 16;
constexpr std::uint32_t pass_tile = 32, pass_columns = 8;
constexpr std::uint32_t matmul_rows = 32, matmul_columns = 32;

/// In one dimension of a dispatch.
constexpr std::uint32_t most_workgroups = 65535;

/// A matrix of scores is cut into parts of queries rather than fill the device's memory.
constexpr double most_score_bytes = 256.0 * 1024 * 1024;

/// WGSL refuses a constant that is NaN.
constexpr std::uint32_t nan_bits = 0x7FC00000;

constexpr std::uint64_t vec4_bytes = 16;

/// Numbers that are padded together.
constexpr std::size_t padding_numbers = 65536;

template <class T>
T parts_of(T count, T each) {
  return (count + each - 1) / each;
}

/// Columns as vec4 hold them.
std::uint32_t quads(std::uint64_t columns) {
  return static_cast<std::uint32_t>(parts_of(columns, std::uint64_t{4}));
}

/// Rows of `columns` numbers, written into rows of whole vec4 with zeros behind.
void write_rows(Device& device, Calls& calls, const Buffer& buffer, std::uint64_t first_row,
                std::span<const float> rows, std::uint64_t columns) {
  const auto from = static_cast<std::size_t>(columns);
  const std::size_t to = std::size_t{quads(columns)} * 4;
  const auto offset_of = [&](std::uint64_t row) { return (first_row + row) * to * sizeof(float); };
  if (to == from) {
    device.write(calls, buffer, offset_of(0), rows);
    return;
  }
  // A few rows at a time: nothing of the input's size is allocated for them.
  const std::size_t block = std::max(std::size_t{1}, padding_numbers / to);
  std::vector<float> wide(block * to);
  for (std::size_t row = 0; row * from < rows.size(); row += block) {
    const std::size_t count = std::min(block, rows.size() / from - row);
    for (std::size_t each = 0; each < count; ++each) {
      std::ranges::copy(rows.subspan((row + each) * from, from),
                        wide.begin() + static_cast<std::ptrdiff_t>(each * to));
    }
    device.write(calls, buffer, offset_of(row), std::span(wide).first(count * to));
  }
}

/// The padded rows of a result, without their padding.
void narrow_rows(std::span<const float> wide, std::span<float> rows, std::uint64_t columns) {
  const auto to = static_cast<std::size_t>(columns);
  const std::size_t from = std::size_t{quads(columns)} * 4;
  for (std::size_t row = 0; row * to < rows.size(); ++row) {
    std::ranges::copy(wide.subspan(row * from, to),
                      rows.begin() + static_cast<std::ptrdiff_t>(row * to));
  }
}

/// Which part of an input one run computes: whole heads with all their queries, or some queries of one head.
struct Part {
  std::uint32_t first_head, n_heads, heads_per_kv_head;
  std::uint32_t first_query, n_q;
};

Failure too_large(const Device& device, std::uint64_t bytes) {
  return {Failure::Kind::too_large,
          std::string("One head needs a buffer of ") + std::to_string(bytes) + " bytes, and the " +
              device.adapter().kind() + " binds " +
              std::to_string(static_cast<std::uint64_t>(device.adapter().max_bytes)) + "."};
}

Failure no_memory(std::uint64_t bytes) {
  return {Failure::Kind::too_large,
          "This needs " + std::to_string(bytes) + " bytes beside the result, which are not free."};
}

/// Cuts the input so that no buffer is larger than the device binds.
Result<std::vector<Part>> parts_for(const Device& device, const HeadsShape& shape, Passes passes) {
  const auto limit = static_cast<std::uint64_t>(device.adapter().max_bytes);
  const std::uint64_t score_limit = std::min(limit, static_cast<std::uint64_t>(most_score_bytes));
  const std::uint64_t query_row = std::uint64_t{std::max(quads(shape.d_k), quads(shape.d_v))} * 16;
  const std::uint64_t score_row = passes == Passes::three ? quads(shape.n_k) * vec4_bytes : 0;
  const std::uint64_t kv_head = shape.n_k * query_row;
  if (kv_head > limit) return std::unexpected(too_large(device, kv_head));
  const std::uint64_t most =
      std::min(limit / query_row, score_row == 0 ? limit : score_limit / score_row);
  if (most == 0) return std::unexpected(too_large(device, std::max(query_row, score_row)));

  const auto group = static_cast<std::uint32_t>(shape.n_heads / shape.n_kv_heads);
  const auto n_heads = static_cast<std::uint32_t>(shape.n_heads);
  const auto n_q = static_cast<std::uint32_t>(shape.n_q);
  std::vector<Part> parts;
  // Whole groups together, or else a query head at a time, or else some of its queries.
  const std::uint64_t groups = std::min(most / (shape.n_q * group), limit / kv_head);
  if (groups > 0) {
    const auto step = static_cast<std::uint32_t>(std::min(groups, shape.n_kv_heads)) * group;
    for (std::uint32_t head = 0; head < n_heads; head += step) {
      parts.push_back({head, std::min(step, n_heads - head), group, 0, n_q});
    }
    return parts;
  }
  const auto step = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, n_q));
  for (std::uint32_t head = 0; head < n_heads; ++head) {
    for (std::uint32_t query = 0; query < n_q; query += step) {
      parts.push_back({head, 1, 1, query, std::min(step, n_q - query)});
    }
  }
  return parts;
}

/// The lists of the mask one after another, as the kernels read them; one number when there is none.
std::vector<std::int32_t> marks_of(const Mask& mask, std::size_t n_k, const Part& part) {
  if (mask.key_valid.empty() && mask.query_document.empty()) return {0};
  std::vector<std::int32_t> marks(2 * n_k + part.n_q);
  std::ranges::copy(mask.key_valid, marks.begin());
  if (!mask.query_document.empty()) {
    const std::span documents(mask.query_document);
    std::ranges::copy(mask.key_document, marks.begin() + static_cast<std::ptrdiff_t>(n_k));
    std::ranges::copy(documents.subspan(part.first_query, part.n_q),
                      marks.begin() + static_cast<std::ptrdiff_t>(2 * n_k));
  }
  return marks;
}

/// `struct Problem` of the shaders, field by field.
std::array<std::uint32_t, 16> problem_of(const HeadsInput& input, const Part& part) {
  const HeadsShape& shape = input.shape;
  const Mask& mask = input.mask;
  const double scale = input.scale.value_or(1 / std::sqrt(static_cast<double>(shape.d_k)));
  const auto n_k = static_cast<std::uint32_t>(shape.n_k);
  const auto shift = static_cast<std::int32_t>(part.first_query) + static_cast<std::int32_t>(n_k) -
                     static_cast<std::int32_t>(shape.n_q);
  // A window wider than the keys masks nothing but what lies ahead.
  const std::uint64_t window = mask.window ? std::min(*mask.window, shape.n_k + shape.n_q) : 0;
  return {part.n_heads,
          part.heads_per_kv_head,
          part.n_q,
          n_k,
          quads(shape.d_k),
          quads(shape.d_v),
          std::bit_cast<std::uint32_t>(static_cast<float>(scale * std::numbers::log2e)),
          std::bit_cast<std::uint32_t>(shift),
          mask.causal ? 1U : 0U,
          static_cast<std::uint32_t>(window),
          mask.key_valid.empty() ? 0U : 1U,
          mask.query_document.empty() ? 0U : 1U,
          nan_bits};
}

const Kernel& fused_kernel_of(const Device& device) {
  return device.adapter().has_subgroups ? fused_subgroups_kernel : fused_kernel;
}

Task<Result<Time>> run_part(Device& device, const HeadsInput& input, Passes passes, Part part,
                            std::uint64_t repeat, std::span<float> output) {
  const HeadsShape& shape = input.shape;
  const auto n_k = static_cast<std::uint32_t>(shape.n_k);
  const std::uint32_t d_k = quads(shape.d_k), d_v = quads(shape.d_v);
  const auto group = static_cast<std::uint32_t>(shape.n_heads / shape.n_kv_heads);
  const std::uint32_t kv_begin = part.first_head / group;
  const std::uint32_t n_kv = part.n_heads / part.heads_per_kv_head;
  const std::uint64_t rows = std::uint64_t{part.n_heads} * part.n_q;

  const bool is_padded = shape.d_v % 4 != 0;
  const std::uint64_t result_bytes = rows * d_v * vec4_bytes;
  if (is_padded && !memory_is_available(result_bytes)) {
    co_return std::unexpected(no_memory(result_bytes));
  }
  Calls calls;
  device.begin(calls);
  const Buffer problem = device.uniform(calls, problem_of(input, part));
  const Buffer q = device.storage(calls, rows * d_k * vec4_bytes);
  const Buffer k = device.storage(calls, std::uint64_t{n_kv} * n_k * d_k * vec4_bytes);
  const Buffer v = device.storage(calls, std::uint64_t{n_kv} * n_k * d_v * vec4_bytes);
  const std::vector<std::int32_t> list = marks_of(input.mask, n_k, part);
  const Buffer marks = device.storage(calls, list.size() * sizeof(std::int32_t));
  const Buffer result = device.storage(calls, result_bytes);
  device.write(calls, marks, list);

  const auto size = [](std::uint64_t count) { return static_cast<std::size_t>(count); };
  const std::uint64_t first_row = std::uint64_t{part.first_head} * shape.n_q + part.first_query;
  write_rows(device, calls, q, 0,
             input.Q.subspan(size(first_row * shape.d_k), size(rows * shape.d_k)), shape.d_k);
  for (std::uint32_t head = 0; head < n_kv; ++head) {
    const std::uint64_t from = (kv_begin + head) * shape.capacity;
    const std::uint64_t to = std::uint64_t{head} * n_k;
    write_rows(device, calls, k, to, input.K.subspan(size(from * shape.d_k), size(n_k * shape.d_k)),
               shape.d_k);
    write_rows(device, calls, v, to, input.V.subspan(size(from * shape.d_v), size(n_k * shape.d_v)),
               shape.d_v);
  }

  std::vector<Dispatch> dispatches;
  std::optional<Buffer> scores;
  if (passes == Passes::fused) {
    dispatches.push_back({&fused_kernel_of(device),
                          {&problem, &q, &k, &v, &marks, &result},
                          parts_of(part.n_q, fused_queries),
                          part.n_heads,
                          parts_of(d_v, fused_columns)});
  } else {
    scores.emplace(device.storage(calls, rows * quads(n_k) * vec4_bytes));
    const std::uint32_t query_tiles = parts_of(part.n_q, pass_tile);
    dispatches.push_back({&scores_kernel,
                          {&problem, &q, &k, &marks, &*scores},
                          parts_of(n_k, pass_tile),
                          query_tiles,
                          part.n_heads});
    dispatches.push_back({&softmax_kernel,
                          {&problem, &*scores},
                          std::min(part.n_q, most_workgroups),
                          part.n_heads,
                          1});
    dispatches.push_back({&weighted_sum_kernel,
                          {&problem, &*scores, &v, &result},
                          parts_of(d_v, pass_columns),
                          query_tiles,
                          part.n_heads});
  }

  const std::span<float> to = output.subspan(size(first_row * shape.d_v), size(rows * shape.d_v));
  if (!is_padded) co_return co_await device.run(calls, dispatches, repeat, result, to);
  std::vector<float> wide(size(result_bytes / sizeof(float)));
  const auto time = co_await device.run(calls, dispatches, repeat, result, wide);
  if (time) narrow_rows(wide, to, shape.d_v);
  co_return time;
}

}  // namespace

const char* fused_kernel_name(const Device& device) { return fused_kernel_of(device).name; }

Task<Result<Time>> attention_webgpu(Device& device, const HeadsInput& input, Passes passes,
                                    std::uint64_t repeat, std::span<float> output) {
  std::vector<const Kernel*> kernels = {&fused_kernel_of(device)};
  if (passes == Passes::three) kernels = {&scores_kernel, &softmax_kernel, &weighted_sum_kernel};
  const auto compiled = co_await device.compile(std::move(kernels));
  if (!compiled) co_return std::unexpected(compiled.error());
  const auto parts = parts_for(device, input.shape, passes);
  if (!parts) co_return std::unexpected(parts.error());
  Time whole = {.ms = 0, .by_timestamps = true};
  for (const Part& part : *parts) {
    const auto time = co_await run_part(device, input, passes, part, repeat, output);
    if (!time) co_return std::unexpected(time.error());
    whole.ms += time->ms;
    whole.by_timestamps = whole.by_timestamps && time->by_timestamps;
  }
  co_return whole;
}

Task<Result<bool>> choose_fused_kernel(Device& device) {
  if (!device.adapter().has_subgroups) co_return true;
  // Two workgroups, a tile that is cut, and every number another one.
  constexpr std::uint64_t n = 70, d = 5;
  std::vector<float> numbers(n * d);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
  }
  const HeadsInput input = {.shape = {1, 1, n, n, d, d, n},
                            .mask = {.causal = true},
                            .Q = numbers,
                            .K = numbers,
                            .V = numbers};
  std::vector<float> wanted(numbers.size()), found(numbers.size());
  const auto reference = attention_heads(input, Backend::scalar, wanted, {});
  const auto time = co_await attention_webgpu(device, input, Passes::fused, 1, found);
  if (!time && time.error().kind == Failure::Kind::lost) co_return std::unexpected(time.error());
  constexpr float tolerance = 1e-4F;
  const auto near = [](float a, float b) { return std::abs(a - b) <= tolerance; };
  if (!reference || !time || !std::ranges::equal(found, wanted, near)) device.leave_subgroups_out();
  co_return true;
}

Task<Result<Time>> matmul_webgpu(Device& device, const Product& product, std::uint64_t repeat,
                                 std::span<float> c) {
  const auto compiled = co_await device.compile({&matmul_kernel});
  if (!compiled) co_return std::unexpected(compiled.error());
  const std::uint32_t inner = quads(product.n_inner), columns = quads(product.n_columns);
  const std::uint64_t a_bytes = std::uint64_t{product.n_rows} * inner * vec4_bytes;
  const std::uint64_t b_bytes = std::uint64_t{product.n_inner} * columns * vec4_bytes;
  const std::uint64_t c_bytes = std::uint64_t{product.n_rows} * columns * vec4_bytes;
  const auto limit = static_cast<std::uint64_t>(device.adapter().max_bytes);
  const std::uint64_t largest = std::max({a_bytes, b_bytes, c_bytes});
  if (largest > limit) co_return std::unexpected(too_large(device, largest));
  const std::uint64_t most = std::min<std::uint64_t>(limit / largest, most_workgroups);
  const auto size = [](std::uint64_t count) { return static_cast<std::size_t>(count); };
  const std::size_t a_each = size(std::uint64_t{product.n_rows} * product.n_inner);
  const std::size_t b_each = size(std::uint64_t{product.n_inner} * product.n_columns);
  const std::size_t c_each = size(std::uint64_t{product.n_rows} * product.n_columns);

  Time whole = {.ms = 0, .by_timestamps = true};
  std::vector<float> wide;
  for (std::uint32_t first = 0; first < product.n_batches;) {
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(most, product.n_batches - first));
    const std::uint32_t a_count = product.shares_a ? 1 : count;
    const std::uint32_t b_count = product.shares_b ? 1 : count;
    const bool is_padded = product.n_columns % 4 != 0;
    if (is_padded && !memory_is_available(count * c_bytes)) {
      co_return std::unexpected(no_memory(count * c_bytes));
    }
    Calls calls;
    device.begin(calls);
    const std::array<std::uint32_t, 8> sizes = {
        product.n_rows,
        inner,
        columns,
        product.n_inner,
        product.shares_a ? 0 : static_cast<std::uint32_t>(a_bytes / vec4_bytes),
        product.shares_b ? 0 : static_cast<std::uint32_t>(b_bytes / vec4_bytes)};
    const Buffer problem = device.uniform(calls, sizes);
    const Buffer a = device.storage(calls, a_count * a_bytes);
    const Buffer b = device.storage(calls, b_count * b_bytes);
    const Buffer result = device.storage(calls, count * c_bytes);
    write_rows(device, calls, a, 0,
               product.a.subspan(product.shares_a ? 0 : first * a_each, a_count * a_each),
               product.n_inner);
    write_rows(device, calls, b, 0,
               product.b.subspan(product.shares_b ? 0 : first * b_each, b_count * b_each),
               product.n_columns);
    const std::array dispatches = {Dispatch{&matmul_kernel,
                                            {&problem, &a, &b, &result},
                                            parts_of(columns, matmul_columns),
                                            parts_of(product.n_rows, matmul_rows),
                                            count}};
    const std::span<float> to = c.subspan(first * c_each, count * c_each);
    if (is_padded) wide.resize(size(count * c_bytes / sizeof(float)));
    const auto time =
        co_await device.run(calls, dispatches, repeat, result, is_padded ? std::span(wide) : to);
    if (!time) co_return std::unexpected(time.error());
    if (is_padded) narrow_rows(wide, to, product.n_columns);
    whole.ms += time->ms;
    whole.by_timestamps = whole.by_timestamps && time->by_timestamps;
    first += count;
  }
  co_return whole;
}

}  // namespace attn::webgpu
