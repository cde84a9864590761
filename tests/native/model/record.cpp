// `npm run record`: writes the recording of the real model. Arguments: where to, the machine, the date.

#include "real_model.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr int rounds = 1;

/// The quickest of a few rounds, step by step: what else the machine does is not the model's time.
bool time_steps(Transformer& model, Recording& recording) {
  bool same = true;
  for (int round = 0; round < rounds; ++round) {
    std::vector<float> cached, uncached;
    same &= written(model, true, cached) == written(model, false, uncached);
    if (round == 0) {
      recording.cached_ms = cached;
      recording.uncached_ms = uncached;
    }
    for (std::size_t i = 0; i < cached.size(); ++i) {
      recording.cached_ms[i] = std::min(recording.cached_ms[i], cached[i]);
      recording.uncached_ms[i] = std::min(recording.uncached_ms[i], uncached[i]);
    }
  }
  return same;
}

bool spells(const Recording& recording) {
  return std::ranges::all_of(recording.texts, [](const RecordedText& text) {
    std::string spelled;
    for (const RecordedToken& token : text.tokens) spelled += token.text;
    return spelled == text.text;
  });
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "attn_record FILE MACHINE DATE\n";
    return 1;
  }
  RealModel read = read_model();
  Transformer model = needed(Transformer::make(std::move(read.weights), {.capacity = 256}));
  Recording recording = recorded(model, read.vocabulary);
  if (!spells(recording)) {
    std::cerr << "The tokens of a text do not spell it.\n";
    return 1;
  }
  recording.machine = arguments[2];
  recording.date = arguments[3];
  recording.same_tokens = time_steps(model, recording);
  const std::vector<std::uint8_t> bytes = write_recording(recording);
  needed(read_recording(bytes));
  std::ofstream to(arguments[1], std::ios::binary);
  to.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::cout << bytes.size() << " bytes; a step with the cache " << recording.cached_ms.front()
            << " to " << recording.cached_ms.back() << " ms, without "
            << recording.uncached_ms.front() << " to " << recording.uncached_ms.back() << " ms\n";
  return to ? 0 : 1;
}
