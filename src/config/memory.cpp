#include "config/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "config/choice.h"
#include "posenc/error.h"

namespace posenc {
namespace {

constexpr double kFloat = 4, kInteger = 8;  // bytes

}  // namespace

double memory_needed(const RunConfig& config, const Catalog& catalog) {
  const double d_model = config.d_model, length = config.seq_len, heads = config.heads, ffn = config.ffn;
  const double layers = config.layers, train = config.train_size, vocab = config.vocab;
  const double data = (train + config.val_size) * (length + 1) * kInteger;

  const ChoiceText pos = split_choice(config.pos, "--pos");
  const EncodingEntry& entry = find_entry(catalog.encodings, pos.name, "--pos", "encoding");
  const EncodingSizes sizes{config.d_model, config.heads, config.layers, config.max_len};
  const double encoding = entry.parameter_count(sizes, read_parameters(entry, pos, "--pos"));
  const double layer = 4 * d_model * d_model + 2 * d_model * ffn + 9 * d_model + ffn;
  const double weights = vocab * d_model + encoding + layers * layer;
  const double copies = 4;  // value, gradient and Adam's two moments

  // Kept for the backward pass by every layer: scores, probabilities, their mask and what dropout left of them, each
  // (B,H,L,L); about a dozen (B,L,D); and four (B,L,F).
  const double batch = std::min<double>(config.batch_size, train);
  const double activations = layers * batch * length * (4 * heads * length + 12 * d_model + 4 * ffn);

  return data + (copies * weights + activations) * kFloat;
}

double memory_available() {
  double available = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double limit = 0;
    if (std::ifstream file(path); file >> limit && limit > 0) available = std::min(available, limit);
  }
  return available;
}

void check_memory(const RunConfig& config, const Catalog& catalog) {
  if (config.device != "cpu") return;  // a device's own memory is not ours to count
  const double needed = memory_needed(config, catalog), available = memory_available();
  if (needed <= available) return;
  throw Error(fmt::format(
      "the run needs about {} of memory and this machine has {} (given --seq-len {}, --train-size {}, --batch-size {}, "
      "--d-model {}, --layers {}, --vocab {})",
      bytes_text(needed), bytes_text(available), config.seq_len, config.train_size, config.batch_size, config.d_model,
      config.layers, config.vocab));
}

std::string bytes_text(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace posenc
