#include <fmt/format.h>

#include "tools/doctor/checks.h"
#include "tools/doctor/probe.h"

namespace posenc {
namespace {

using torch::Tensor;

constexpr double kStays = 1e-9;  // double precision; what moves does so by far more
constexpr int64_t kShift = 20;

// `shows`: whether the tokens tried are told apart at all by what was done to them.
Check stays_or_moves(const char* name, const RunConfig& config, double difference, bool must_stay, bool shows = true) {
  if (!must_stay && !shows)
    return {name, config.pos, Check::Outcome::skipped, "no sequence of this length and vocabulary shows it"};
  const bool stays = difference < kStays;
  return measured(
      name, config.pos, stays == must_stay,
      fmt::format("logits move by {:.2g} (must {} {:.0g})", difference, must_stay ? "be below" : "be above", kStays));
}

// The greatest change of what a position puts out when all tokens after it change.
double seen_of_later_tokens(Probe& probe) {
  const Tensor before = probe.model->hidden(probe.tokens, probe.positions);
  double greatest = 0;
  for (int64_t place = 0; place + 1 < probe.length(); ++place) {
    Tensor changed = probe.tokens.clone();
    Tensor later = changed.slice(/*dim=*/1, place + 1);
    later.copy_((later + 1).remainder(probe.config.vocab));
    const Tensor after = probe.model->hidden(changed, probe.positions);
    const int64_t until = probe.positions.numel() - probe.length() + place + 1;
    greatest = std::max(greatest, difference(before.narrow(1, 0, until), after.narrow(1, 0, until)));
  }
  return greatest;
}

}  // namespace

std::vector<Check> order_checks(const RunConfig& given, const EncodingEntry& entry, Symmetry symmetry) {
  const torch::InferenceMode inference;
  std::vector<Check> checks;
  RunConfig config = given;
  config.max_len = std::max(config.max_len, config.model_length() + kShift);
  if (!entry.causal_only) {
    config.causal = false;
    config.pool = "mean";
    Probe probe(config);
    const Tensor logits = probe.logits(probe.tokens, probe.positions);
    const auto moves = [&](const Tensor& tokens, const Tensor& positions) {
      return difference(logits, probe.logits(tokens, positions));
    };
    checks.push_back(stays_or_moves("permutation", config, moves(probe.permuted(), probe.positions),
                                    symmetry == Symmetry::permutation, probe.permutation_shows()));
    checks.push_back(stays_or_moves(
        "reversal", config, moves(probe.tokens.flip(/*dims=*/1), probe.positions),
        // A BOS token stays in front.
        symmetry == Symmetry::permutation || (symmetry == Symmetry::reversal && !config.bos), probe.reversal_shows()));
    checks.push_back(stays_or_moves("shift", config, moves(probe.tokens, probe.positions + kShift), entry.relative));
  }
  config.causal = true;
  Probe probe(config);
  const double leak = seen_of_later_tokens(probe);
  checks.push_back(measured("causality", config.pos, leak < kStays,
                            fmt::format("what a position puts out moves by {:.2g} with later tokens (must be below "
                                        "{:.0g})",
                                        leak, kStays)));
  return checks;
}

}  // namespace posenc
