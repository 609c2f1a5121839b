// Multisets of tokens up to the names of the tokens: partitions of a number into parts, the counts of the tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace posenc {

struct Partition {
  std::int64_t of = 0;              // the sum of the parts
  std::vector<std::int64_t> parts;  // falling, each at least 1
};

// Calls `visit` with every partition of `number` into at most `most_parts` parts; but if there are more than `most`,
// with none, and returns false.
bool for_each_partition(std::int64_t number, std::int64_t most_parts, double most,
                        const std::function<void(const Partition&)>& visit);

// ln of the number of orders of a multiset with these counts.
double log_arrangements(const std::vector<std::int64_t>& counts);

// ln of the number of ways to give the parts to different tokens out of `vocab`.
double log_namings(const std::vector<std::int64_t>& parts, std::int64_t vocab);

// The probability that independent uniform tokens have these counts, whichever tokens they are of.
double multiset_probability(const Partition& counts, std::int64_t vocab);

double binomial_probability(double count, double hits, double rate);

}  // namespace posenc
