#include "statistics/bimodal.h"

#include <numeric>

#include "posenc/error.h"
#include "statistics/golden.h"
#include "statistics/random_draws.h"

using namespace posenc;

TEST_CASE("runs that solved the task and runs that did not are two modes", "[statistics]") {
  const Modes found = find_modes(std::vector<double>{0.99, 0.52, 1.0, 0.5, 0.98, 0.51, 1.0, 1.0});
  CHECK(found.bimodal);
  CHECK(found.lower.count == 3);
  CHECK(found.lower.mean == Approx(0.51));
  CHECK(found.upper.count == 5);
  CHECK(found.upper.mean == Approx(0.994));
}

TEST_CASE("two values alone, repeated, are two modes unless they are neighbours on the scale", "[statistics]") {
  CHECK(find_modes(std::vector<double>{0, 0, 0, 1, 1}).bimodal);
  const std::vector<double> ceiling = {1, 1, 1, 1, 1, 1, 0.995, 0.995};
  CHECK(find_modes(ceiling).bimodal);
  CHECK_FALSE(find_modes(ceiling, 0.005).bimodal);
}

TEST_CASE("a lone outlier is no mode", "[statistics]") {
  CHECK_FALSE(find_modes(std::vector<double>{1, 0.99, 1, 0.98, 0.5, 1, 0.99, 0.97}).bimodal);
}

TEST_CASE("a mode holds a tenth of the runs", "[statistics]") {
  std::vector<double> values(40);
  std::iota(values.begin(), values.end(), 1000);
  values[0] = values[1] = values[2] = 0;
  CHECK_FALSE(find_modes(values).bimodal);
  values[3] = 0;
  CHECK(find_modes(values).bimodal);
  CHECK(find_modes(values).lower.count == 4);
}

TEST_CASE("equal or too few values have one mode", "[statistics]") {
  CHECK_FALSE(find_modes(std::vector<double>(16, 1.0)).bimodal);
  const Modes three = find_modes(std::vector<double>{0, 1, 1});
  CHECK_FALSE(three.bimodal);
  CHECK(three.lower.count == 3);
  CHECK(three.upper.count == 0);
  CHECK(find_modes({}).lower.count == 0);
}

TEST_CASE("modes keep with a change of units, however far from zero", "[statistics]") {
  std::vector<double> values = {0.99, 0.52, 1.0, 0.5, 0.98, 0.51, 1.0, 1.0};
  for (double& value : values) value = 1e9 - 1000 * value;
  CHECK(find_modes(values).bimodal);
  CHECK(find_modes(values).lower.count == 5);
}

TEST_CASE("evenly spread values are seldom called bimodal", "[statistics]") {
  RandomDraws draws(9);
  for (const std::size_t n : {4, 5, 8, 16, 32}) {
    int called = 0;
    for (int round = 0; round < 2000; ++round) {
      std::vector<double> values(n);
      for (double& value : values) value = static_cast<double>(draws.index(1'000'000));
      called += find_modes(values).bimodal;
    }
    CHECK(called < 0.05 * 2000);
  }
}

TEST_CASE("modes refuse what is not finite", "[statistics]") {
  CHECK_THROWS_AS(find_modes(std::vector<double>{1, 2, 3, INFINITY}), Error);
}
