// `npm run recall`: trains the models of efficient/recall.hpp and prints src/efficient/recall_numbers.cpp.

#include <cstdio>
#include <string>
#include <vector>

#include "efficient/recall_weights.hpp"
#include "training/recall_training.hpp"

using namespace attn;

namespace {

const char* name_of(RecallKind kind) {
  switch (kind) {
    case RecallKind::softmax:
      return "softmax";
    case RecallKind::linear:
      return "linear";
    case RecallKind::gated:
      return "gated";
    case RecallKind::selective:
      return "selective";
  }
  return "";
}

void write(const RecallTraining& training, std::string& data, std::string& table) {
  std::string kinds, id;
  for (const RecallKind kind : training.kinds) {
    kinds += std::string(kinds.empty() ? "" : ", ") + "RecallKind::" + name_of(kind);
    id += std::string(name_of(kind)) + "_";
  }
  id += std::to_string(training.state);
  std::vector<double> losses, scales;
  const std::string letters = pack_recall(train_recall(training, &losses), scales);
  std::fprintf(stderr, "%s: %.3f to %.3f nats\n", id.c_str(), losses.front(), losses.back());
  data += "constexpr RecallKind " + id + "_kinds[] = {" + kinds + "};\n";
  data += "constexpr double " + id + "_scales[] = {";
  for (const double& scale : scales) {
    char text[32];
    std::snprintf(text, sizeof text, "%s%.6g", &scale == scales.data() ? "" : ", ", scale);
    data += text;
  }
  data += "};\nconstexpr std::string_view " + id + "_letters =\n";
  for (std::size_t at = 0; at < letters.size(); at += 100) {
    data += "    \"" + letters.substr(at, 100) + "\"";
    data += at + 100 < letters.size() ? "\n" : ";\n\n";
  }
  table += "    {" + id + "_kinds, " + std::to_string(training.state) + ", " + id + "_scales, " +
           id + "_letters},\n";
}

}  // namespace

int main() {
  std::string data, table;
  const auto train = [&](std::vector<RecallKind> kinds, std::size_t state, std::size_t steps) {
    write({.kinds = std::move(kinds), .state = state, .seed = 1, .steps = steps, .rate = 0.02},
          data, table);
  };
  train({RecallKind::softmax}, 16, 1500);
  for (const std::size_t state : {8U, 16U, 32U}) {
    train({RecallKind::linear}, state, 4000);
    train({RecallKind::gated}, state, 4000);
    train({RecallKind::selective}, state, 4000);
  }
  train({RecallKind::linear, RecallKind::softmax}, 16, 1500);
  std::printf(
      "// Written by `npm run recall`, with the seed and steps of "
      "tests/native/recall/write_numbers.cpp.\n"
      "// clang-format off\n\n"
      "#include \"efficient/recall_weights.hpp\"\n\n"
      "namespace attn {\nnamespace {\n\n%s"
      "constexpr PackedRecall models[] = {\n%s};\n\n"
      "}  // namespace\n\n"
      "std::span<const PackedRecall> packed_recall_models() { return models; }\n\n"
      "}  // namespace attn\n",
      data.c_str(), table.c_str());
  return 0;
}
