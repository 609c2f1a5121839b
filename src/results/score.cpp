#include <algorithm>

#include "config/lengths.h"
#include "posenc/run.h"
#include "statistics/proportion.h"

namespace posenc {
namespace {

// Of what guessing leaves, which is another share at every length: 1 for a model that is always right.
double kept(const LengthResult& at) { return at.majority >= 1 ? 1 : (at.accuracy - at.majority) / (1 - at.majority); }

}  // namespace

std::vector<std::int64_t> trained_on(const RunConfig& config, const std::vector<LengthSteps>& steps) {
  std::vector<std::int64_t> lengths;
  for (const LengthSteps& each : steps) lengths.push_back(each.length);
  const LengthRange range = trained_lengths(config);
  for (std::int64_t i = 0; steps.empty() && i < range.count(); ++i) lengths.push_back(range.at(i));
  return lengths;
}

LengthScore score_of(const std::vector<LengthResult>& lengths, std::int64_t longest_trained, double val_acc,
                     std::int64_t val_size) {
  LengthScore score;
  if (lengths.empty()) return score;
  LengthResult reached = lengths.front();
  reached.accuracy = val_acc;
  reached.size = val_size;
  for (const LengthResult& each : lengths)
    if (each.length <= longest_trained) reached = each;
  score.learned = reached.accuracy > guessing_band(reached.size, std::min(1.0, reached.majority)).upper;
  double sum = 0;
  int count = 0;
  for (const LengthResult& each : lengths) {
    if (each.length <= longest_trained) continue;
    sum += each.accuracy;
    ++count;
    const bool fell = 2 * kept(each) < kept(reached);
    if (score.learned && fell && !score.half_accuracy_length) score.half_accuracy_length = each.length;
  }
  if (count > 0) score.score = sum / count;
  return score;
}

}  // namespace posenc
