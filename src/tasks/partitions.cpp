#include "tasks/partitions.h"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

double log_factorial(std::int64_t number) {
  static const std::vector<double> table = [] {
    std::vector<double> logs = {0};
    for (int i = 1; i <= 4096; ++i) logs.push_back(logs.back() + std::log(i));
    return logs;
  }();
  if (number < static_cast<std::int64_t>(table.size())) return table[static_cast<std::size_t>(number)];
  int sign = 0;  // which lgamma() would keep in a variable that all threads share
  return lgamma_r(static_cast<double>(number) + 1, &sign);
}

// By the recurrence over the greatest part allowed, of the conjugate partitions.
double number_of_partitions(std::int64_t number, std::int64_t most_parts) {
  std::vector<double> ways(static_cast<std::size_t>(number) + 1, 0.0);
  ways[0] = 1;
  for (std::int64_t part = 1; part <= std::min(number, most_parts); ++part)
    for (std::int64_t sum = part; sum <= number; ++sum)
      ways[static_cast<std::size_t>(sum)] += ways[static_cast<std::size_t>(sum - part)];
  return ways.back();
}

class Partitions {
 public:
  Partitions(std::int64_t number, std::int64_t most_parts, const std::function<void(const Partition&)>& visit)
      : most_parts_(most_parts), visit_(visit) {
    partition_.of = number;
    extend(number, number);
  }

 private:
  // Adds parts of at most `greatest` that sum to `rest`.
  void extend(std::int64_t rest, std::int64_t greatest) {
    if (rest == 0) {
      visit_(partition_);
      return;
    }
    const std::int64_t left = most_parts_ - static_cast<std::int64_t>(partition_.parts.size());
    if (left == 0) return;
    const std::int64_t least = (rest + left - 1) / left;  // smaller parts could not make up the rest
    for (std::int64_t part = std::min(rest, greatest); part >= least; --part) {
      partition_.parts.push_back(part);
      extend(rest - part, part);
      partition_.parts.pop_back();
    }
  }

  std::int64_t most_parts_;
  const std::function<void(const Partition&)>& visit_;
  Partition partition_;
};

}  // namespace

bool for_each_partition(std::int64_t number, std::int64_t most_parts, double most,
                        const std::function<void(const Partition&)>& visit) {
  if (number_of_partitions(number, most_parts) > most) return false;
  Partitions(number, most_parts, visit);
  return true;
}

double log_arrangements(const std::vector<std::int64_t>& counts) {
  std::int64_t all = 0;
  double divisor = 0;
  for (const std::int64_t count : counts) {
    all += count;
    divisor += log_factorial(count);
  }
  return log_factorial(all) - divisor;
}

double log_namings(const std::vector<std::int64_t>& parts, std::int64_t vocab) {
  double log = log_factorial(vocab) - log_factorial(vocab - static_cast<std::int64_t>(parts.size()));
  for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
    while (end < parts.size() && parts[end] == parts[begin]) ++end;
    log -= log_factorial(static_cast<std::int64_t>(end - begin));
  }
  return log;
}

double multiset_probability(const Partition& counts, std::int64_t vocab) {
  return std::exp(log_namings(counts.parts, vocab) + log_arrangements(counts.parts) -
                  static_cast<double>(counts.of) * std::log(static_cast<double>(vocab)));
}

double binomial_probability(double count, double hits, double rate) {
  const auto n = static_cast<std::int64_t>(count), k = static_cast<std::int64_t>(hits);
  if (rate <= 0 || rate >= 1) return k == (rate <= 0 ? 0 : n) ? 1 : 0;
  return std::exp(log_arrangements({k, n - k}) + hits * std::log(rate) + (count - hits) * std::log1p(-rate));
}

}  // namespace posenc
