#include "sweep/cost.h"

#include <algorithm>
#include <cmath>

#include "config/lengths.h"

namespace posenc {
namespace {

// Multiply-adds of a forward pass over one sequence.
double forward_work(const RunConfig& c) {
  const double length = static_cast<double>(c.model_length()), width = static_cast<double>(c.d_model);
  const double projections = 4 * width * width + 2 * width * static_cast<double>(c.ffn);
  const double attention = 2 * length * width;
  return static_cast<double>(c.layers) * length * (projections + attention);
}

}  // namespace

double run_cost(const RunConfig& c) {
  constexpr double kOperators = 1.5e-3;  // seconds a step and layer, whatever the sizes: the calls themselves
  constexpr double kRate = 4e9;          // multiply-adds a second
  constexpr double kStart = 5e-3;        // building a model and drawing data
  const double train = static_cast<double>(c.train_size), val = static_cast<double>(c.val_size);
  const double steps = static_cast<double>(steps_of(c)), rounds = steps / static_cast<double>(steps_of_round(c));
  const double step = kOperators * static_cast<double>(c.layers) +
                      3 * static_cast<double>(std::min(c.batch_size, c.train_size)) * forward_work(c) / kRate;
  double tests = 0;
  for (const std::int64_t length : read_lengths(c.eval_len, "--eval-len")) {
    RunConfig at_length = c;
    at_length.seq_len = length;
    tests += static_cast<double>(c.eval_size) * forward_work(at_length) / kRate;
  }
  const double drawing = (train + val) * static_cast<double>(c.seq_len) * 1e-8;
  return kStart + drawing + steps * step + rounds * val * forward_work(c) / kRate + tests;
}

}  // namespace posenc
