#include "posenc/run.h"

namespace posenc {

LengthScore score_of(const std::vector<LengthResult>& lengths, std::int64_t longest_trained, double val_acc) {
  LengthScore score;
  // What the model reaches where it was trained, less what guessing does there.
  double reached = val_acc, guessed = lengths.empty() ? 0 : lengths.front().majority;
  for (const LengthResult& each : lengths)
    if (each.length <= longest_trained) {
      reached = each.accuracy;
      guessed = each.majority;
    }
  double sum = 0;
  int count = 0;
  for (const LengthResult& each : lengths) {
    if (each.length <= longest_trained) continue;
    sum += each.accuracy;
    ++count;
    const bool fell = 2 * (each.accuracy - each.majority) < reached - guessed;
    if (fell && !score.half_accuracy_length) score.half_accuracy_length = each.length;
  }
  if (count > 0) score.score = sum / count;
  return score;
}

}  // namespace posenc
