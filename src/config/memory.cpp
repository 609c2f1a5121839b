#include "config/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>
#include <vector>

#include "config/cgroup.h"
#include "config/encoding_choice.h"
#include "config/lengths.h"
#include "config/resolve.h"
#include "posenc/error.h"

namespace posenc {
namespace {

constexpr double kFloat = 4, kInteger = 8;  // bytes
constexpr double kProgram = 2e8;            // LibTorch itself: as measured, 1.1e8 to 1.6e8 by machine

struct Part {
  double bytes;
  std::string options;  // what decides its size, with values
};

std::vector<Part> parts(const RunConfig& config, const Catalog& catalog) {
  const double d_model = config.d_model, length = config.model_length(), heads = config.heads, ffn = config.ffn;
  const double layers = config.layers, vocab = config.vocab + (config.bos ? 1 : 0);
  const auto sequences = [&](std::int64_t count) {
    return static_cast<double>(count) * (static_cast<double>(config.seq_len) + 1) * kInteger;
  };

  const EncodingChoice pos = read_encoding_choice(config.pos, catalog, "--pos");
  const EncodingSizes sizes = encoding_sizes(config);
  const double encoding = pos.entry->parameter_count(sizes, pos.parameters);
  const auto held = [&](double at_once, double tokens) {
    double floats = 0;
    if (pos.entry->floats_held != nullptr) floats += pos.entry->floats_held(sizes, pos.parameters, at_once, tokens);
    for (const auto& [wrapper, parameters] : pos.wrappers)  // positions are drawn from all that there are
      if (wrapper->position_limit != nullptr)
        floats += 2 * kInteger / kFloat * static_cast<double>(wrapper->position_limit(parameters));
    return floats * kFloat;
  };
  const double layer = 4 * d_model * d_model + 2 * d_model * ffn + 9 * d_model + ffn;

  // A trained tensor has a gradient and Adam's two moments; Adam's step makes two more of the one it is at.
  const auto trained = [](double count, bool one_tensor) { return (one_tensor ? 6 : 4) * count * kFloat; };

  // Kept for the backward pass by every layer: scores, probabilities, their mask and what dropout left of them, each
  // (B,H,L,L); about a dozen (B,L,D); and four (B,L,F).
  const bool online = config.data == "online";
  const std::int64_t at_once = std::min(config.batch_size, config.train_size);
  const double batch = static_cast<double>(at_once);
  const double activations = layers * batch * length * (4 * heads * length + 12 * d_model + 4 * ffn) * kFloat;

  const char* of_length = config.train_len.empty() ? "--seq-len" : "--train-len up to";
  const std::int64_t L = config.seq_len, D = config.d_model, longest = longest_evaluated(config);
  // One sequence of a test at least goes through at once; per head a few (L,L), and its tokens.
  const double tested = static_cast<double>(longest);
  const double tests = tested * tested * heads * 5 * kFloat + static_cast<double>(config.eval_size) * tested * kInteger;
  const std::string pos_options = fmt::format("--pos {}, --max-len {}, --d-model {}", config.pos, config.max_len, D);
  return {
      {longest == 0 ? 0 : tests,
       fmt::format("--eval-len {}, --eval-size {}, --heads {}", longest, config.eval_size, config.heads)},
      {sequences(online ? at_once : config.train_size),
       fmt::format("--{}-size {}, {} {}", online ? "batch" : "train", online ? at_once : config.train_size, of_length,
                   L)},
      {sequences(config.val_size), fmt::format("--val-size {}, {} {}", config.val_size, of_length, L)},
      {trained(vocab * d_model, true), fmt::format("--vocab {}, --d-model {}", config.vocab, D)},
      {trained(encoding, true), pos_options},
      {held(batch, length), fmt::format("{}, --batch-size {}, {} {}", pos_options, config.batch_size, of_length, L)},
      {trained(layers * layer, false),
       fmt::format("--layers {}, --d-model {}, --ffn {}", config.layers, D, config.ffn)},
      {activations, fmt::format("--batch-size {}, {} {}, --layers {}, --heads {}, --d-model {}, --ffn {}",
                                config.batch_size, of_length, L, config.layers, config.heads, D, config.ffn)},
  };
}

// The kernel's own estimate of what new work can have without swapping.
double memory_free_now() {
  std::ifstream file("/proc/meminfo");
  double kilobytes = 0;
  for (std::string name; file >> name;)
    if (name == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

double memory_needed(const RunConfig& config, const Catalog& catalog) {
  double bytes = kProgram;
  for (const Part& part : parts(config, catalog)) bytes += part.bytes;
  return bytes;
}

double memory_available() {
  const double available = memory_free_now();
  return std::min(available, cgroup_limits().memory.value_or(available));
}

void check_memory(const RunConfig& config, const Catalog& catalog) {
  if (config.device != "cpu") return;  // a device's own memory is not ours to count
  const double needed = memory_needed(config, catalog), available = memory_available();
  if (needed <= available) return;
  const std::vector<Part> all = parts(config, catalog);
  const auto most =
      std::max_element(all.begin(), all.end(), [](const Part& a, const Part& b) { return a.bytes < b.bytes; });
  throw Error(fmt::format("the run needs about {} of memory and {} are free (most of it for {})", bytes_text(needed),
                          bytes_text(available), most->options));
}

void check_memory_at_once(std::vector<double> needs, std::int64_t jobs) {
  std::sort(needs.rbegin(), needs.rend());
  needs.resize(std::min(needs.size(), static_cast<std::size_t>(jobs)));
  const double together = std::accumulate(needs.begin(), needs.end(), 0.0), available = memory_available();
  if (together <= available) return;
  throw Error(fmt::format("{} run{} at once need about {} of memory and {} are free (--jobs {})", needs.size(),
                          needs.size() == 1 ? "" : "s", bytes_text(together), bytes_text(available), jobs));
}

std::string bytes_text(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace posenc
