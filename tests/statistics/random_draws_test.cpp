#include "statistics/random_draws.h"

#include <vector>

#include "support/catch.h"

using namespace posenc;

TEST_CASE("drawn numbers are those of any machine", "[statistics]") {
  RandomDraws draws(5489);  // the C++ standard's own seed and its 10,000th number
  for (int i = 1; i < 10000; ++i) draws.bits();
  CHECK(draws.bits() == 9981545732273789042u);
}

TEST_CASE("indexes are below their bound and alike in number", "[statistics]") {
  RandomDraws draws(1);
  for (const std::size_t bound : {1, 2, 3, 7, 100}) {
    std::vector<double> counts(bound);
    for (int i = 0; i < 100000; ++i) ++counts.at(draws.index(bound));
    const double expected = 100000.0 / static_cast<double>(bound);
    for (const double count : counts) CHECK(std::abs(count - expected) < 5 * std::sqrt(expected));
  }
}

TEST_CASE("indexes of the greatest bounds are not biased towards some", "[statistics]") {
  // Of a bound of 3 x 2^30 the plain product would give every third number twice as often as the others.
  RandomDraws draws(2);
  int thirds = 0;
  for (int i = 0; i < 100000; ++i) thirds += draws.index(3u << 30) % 3 == 0;
  CHECK(std::abs(thirds - 100000.0 / 3) < 5 * std::sqrt(100000 * 2.0 / 9));
}
