// How often the intervals of posenc hold the truth, and how often find_modes calls one mode two: the tables of
// docs/STATISTICS.md. Built with -DPOSENC_BENCHMARKS=ON; run it as build/posenc_coverage [REPETITIONS]
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "outcomes.h"
#include "statistics/bimodal.h"
#include "statistics/bootstrap.h"
#include "statistics/order_interval.h"
#include "statistics/proportion.h"

using namespace posenc;

namespace {

constexpr std::int64_t kResamples = 2000;
constexpr std::size_t kSizes[] = {5, 8, 16, 32, 100};

struct Known {
  const char* name;
  Outcome outcome;
  double mean, median;
};

const Known kOutcomes[] = {
    {"normal", normal, 0, 0},
    {"lognormal", [](RandomDraws& draws) { return std::exp(normal(draws)); }, std::exp(0.5), 1},
    {"bimodal", [](RandomDraws& draws) { return solved_or_not(draws, 0.5); }, 0.75, 0.75},
};

bool holds(const Estimate& estimate, double truth) {
  return estimate.interval && estimate.interval->lower <= truth && truth <= estimate.interval->upper;
}

std::string percent(int count, int repetitions) {
  const double share = static_cast<double>(count) / repetitions;
  char text[64];
  std::snprintf(text, sizeof text, "%.1f ± %.1f", 100 * share, 100 * std::sqrt(share * (1 - share) / repetitions));
  return text;
}

// A row for each n, a column for each distribution.
template <typename Of>
void coverage_table(const char* title, int repetitions, const Of& interval, double Known::*truth) {
  std::printf("%s\n\n| n | normal | lognormal | bimodal |\n|---|---|---|---|\n", title);
  for (const std::size_t n : kSizes) {
    std::printf("| %zu |", n);
    for (const Known& known : kOutcomes) {
      RandomDraws draws(n);
      int held = 0, none = 0;
      for (int round = 0; round < repetitions; ++round) {
        const Estimate estimate = interval(sample(known.outcome, n, draws), static_cast<std::uint64_t>(round));
        held += holds(estimate, known.*truth);
        none += !estimate.interval;
      }
      const bool some = none < repetitions;
      std::printf(" %s%s |", some ? percent(held, repetitions).c_str() : "no interval",
                  some && none ? (" (" + std::to_string(none) + " without)").c_str() : "");
    }
    std::printf("\n");
  }
  std::printf("\n");
}

// Exact: the binomial probability of all counts whose interval holds the rate.
void wilson_table() {
  constexpr double kRates[] = {0.5, 0.7, 0.9, 0.95, 0.99};
  std::printf("Wilson's interval of a share of p, computed exactly\n\n| n |");
  for (const double rate : kRates) std::printf(" p = %g |", rate);
  std::printf("\n|---|---|---|---|---|---|\n");
  for (const std::size_t n : kSizes) {
    std::printf("| %zu |", n);
    for (const double rate : kRates) {
      const boost::math::binomial binomial(static_cast<double>(n), rate);
      double held = 0;
      for (std::size_t k = 0; k <= n; ++k)
        if (holds(wilson_interval(static_cast<std::int64_t>(k), static_cast<std::int64_t>(n)), rate))
          held += pdf(binomial, static_cast<double>(k));
      std::printf(" %.1f |", 100 * held);
    }
    std::printf("\n");
  }
  std::printf("\n");
}

void modes_table(int repetitions) {
  const struct {
    const char* name;
    Outcome outcome;
    double step;
  } kinds[] = {
      {"normal", normal, 0},
      {"uniform", uniform, 0},
      {"lognormal", kOutcomes[1].outcome, 0},
      {"exponential", [](RandomDraws& draws) { return -std::log(uniform(draws)); }, 0},
      {"beta(20, 1)", [](RandomDraws& draws) { return ceiling(draws, 20); }, 0},
      {"beta(20, 1) in steps of 1/200", [](RandomDraws& draws) { return in_steps(ceiling(draws, 20), 0.005); }, 0.005},
      {"beta(100, 1) in steps of 1/200", [](RandomDraws& draws) { return in_steps(ceiling(draws, 100), 0.005); },
       0.005},
      {"**two modes, half and half**", kOutcomes[2].outcome, 0},
      {"**two modes, a quarter low**", [](RandomDraws& draws) { return solved_or_not(draws, 0.25); }, 0},
  };
  std::printf("Samples called bimodal\n\n| outcome | n = 4 | 5 | 8 | 16 | 32 | 100 |\n|---|---|---|---|---|---|---|\n");
  for (const auto& kind : kinds) {
    std::printf("| %s |", kind.name);
    for (const std::size_t n : {4, 5, 8, 16, 32, 100}) {
      RandomDraws draws(n);
      int called = 0;
      for (int round = 0; round < repetitions; ++round)
        called += find_modes(sample(kind.outcome, n, draws), kind.step).bimodal;
      std::printf(" %s |", percent(called, repetitions).c_str());
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 10000;
  if (repetitions < 1) return std::fputs("usage: posenc_coverage [REPETITIONS]\n", stderr), 2;
  std::printf("In percent, with the Monte-Carlo error of %d repetitions.\n\n", repetitions);
  coverage_table(
      "BCa interval of the mean, 2,000 resamples", repetitions,
      [](std::span<const double> values, std::uint64_t seed) {
        return bootstrap_mean_interval(values, {.resamples = kResamples, .seed = seed});
      },
      &Known::mean);
  coverage_table(
      "Order-statistic interval of the median", repetitions,
      [](std::span<const double> values, std::uint64_t) { return median_order_interval(values); }, &Known::median);
  wilson_table();
  modes_table(repetitions);
}
