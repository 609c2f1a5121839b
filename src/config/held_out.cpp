#include "config/held_out.h"

#include <cmath>

namespace posenc {
namespace {

double exact_share(const RunConfig& config) {
  return config.holdout_pairs * (static_cast<double>(config.vocab) * static_cast<double>(config.vocab));
}

}  // namespace

std::int64_t held_out_pairs(const RunConfig& config) { return std::llround(exact_share(config)); }

bool held_out_otherwise(const RunConfig& config) {
  return std::round(exact_share(config)) != std::floor(exact_share(config));
}

}  // namespace posenc
