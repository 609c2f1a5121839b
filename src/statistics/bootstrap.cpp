#include "statistics/bootstrap.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "posenc/error.h"
#include "statistics/bca.h"
#include "statistics/random_draws.h"
#include "statistics/values.h"

namespace posenc {
namespace {

constexpr std::size_t kWideEnough = 10;

void require_resamples(const Resampling& resampling) {
  if (resampling.resamples < 1)
    throw Error("a bootstrap needs resamples (given " + std::to_string(resampling.resamples) + ", allowed: 1 or more)");
}

void draw(std::span<const double> values, RandomDraws& draws, std::vector<double>& resample) {
  resample.resize(values.size());
  for (double& value : resample) value = values[draws.index(values.size())];
}

// The statistic without each value in turn.
template <typename Of>
std::vector<double> jackknife(std::span<const double> values, const Of& of) {
  std::vector<double> without(values.begin() + 1, values.end()), statistics;
  for (std::size_t i = 0;; ++i) {
    statistics.push_back(of(without));
    if (i + 1 == values.size()) return statistics;
    without[i] = values[i];
  }
}

Why why_not(std::span<const double> values) {
  require_finite(values);
  if (values.empty()) return Why::no_values;
  if (values.size() == 1) return Why::one_value;
  return all_equal(values) ? Why::all_equal : Why::ok;
}

Estimate none(double value, Why why) { return {value, std::nullopt, why}; }

Estimate judged(double value, std::vector<double> resampled, std::span<const std::vector<double>> left_out,
                std::size_t n) {
  const auto interval = bca_interval(value, std::move(resampled), left_out);
  if (!interval) return none(value, Why::undefined);
  return {value, interval, Why::ok, n < kWideEnough};
}

}  // namespace

Estimate bootstrap_interval(std::span<const double> values, const Statistic& statistic, const Resampling& resampling) {
  require_resamples(resampling);
  const Why why = why_not(values);
  if (why == Why::no_values) return none(std::numeric_limits<double>::quiet_NaN(), why);
  const double value = statistic(values);
  if (why != Why::ok) return none(value, why);

  RandomDraws draws(resampling.seed);
  std::vector<double> resample, resampled(resampling.resamples);
  for (double& one : resampled) {
    draw(values, draws, resample);
    one = statistic(resample);
  }
  const std::vector<double> left_out[] = {jackknife(values, statistic)};
  return judged(value, std::move(resampled), left_out, values.size());
}

Estimate bootstrap_mean_interval(std::span<const double> values, const Resampling& resampling) {
  require_resamples(resampling);
  const Why why = why_not(values);
  const double value = mean(values);
  if (why != Why::ok) return none(value, why);

  const double n = static_cast<double>(values.size());
  RandomDraws draws(resampling.seed);
  std::vector<double> resampled(resampling.resamples);
  for (double& one : resampled) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[draws.index(values.size())];
    one = sum / n;
  }
  std::vector<double> left_out[] = {std::vector<double>(values.begin(), values.end())};
  for (double& one : left_out[0]) one = (n * value - one) / (n - 1);
  return judged(value, std::move(resampled), left_out, values.size());
}

Estimate bootstrap_interval(std::span<const double> first, std::span<const double> second,
                            const TwoSampleStatistic& statistic, const Resampling& resampling) {
  require_resamples(resampling);
  const Why why_first = why_not(first), why_second = why_not(second);
  for (const Why why : {Why::no_values, Why::one_value})
    if (why_first == why || why_second == why)
      return none(why == Why::no_values ? std::numeric_limits<double>::quiet_NaN() : statistic(first, second), why);
  const double value = statistic(first, second);
  if (why_first == Why::all_equal && why_second == Why::all_equal) return none(value, Why::all_equal);

  RandomDraws draws(resampling.seed);
  std::vector<double> from_first, from_second, resampled(resampling.resamples);
  for (double& one : resampled) {
    draw(first, draws, from_first);
    draw(second, draws, from_second);
    one = statistic(from_first, from_second);
  }
  const std::vector<double> left_out[] = {
      jackknife(first, [&](std::span<const double> without) { return statistic(without, second); }),
      jackknife(second, [&](std::span<const double> without) { return statistic(first, without); })};
  return judged(value, std::move(resampled), left_out, std::min(first.size(), second.size()));
}

}  // namespace posenc
