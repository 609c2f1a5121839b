#include <algorithm>

#include "posenc/run.h"
#include "report/statistics/proportion.h"

namespace posenc {

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
    const bool fell = 2 * (each.accuracy - each.majority) < reached.accuracy - reached.majority;
    if (score.learned && fell && !score.half_accuracy_length) score.half_accuracy_length = each.length;
  }
  if (count > 0) score.score = sum / count;
  return score;
}

}  // namespace posenc
