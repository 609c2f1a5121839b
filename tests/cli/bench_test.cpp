// posenc bench says what it measured. How fast that is, is none of a test's business.
#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/command_line.h"

using namespace posenc;

TEST_CASE("bench --json gives times that add up", "[cli]") {
  const auto bench = nlohmann::json::parse(
      posenc_command("bench --json --seq-len 4 --d-model 8 --heads 2 --ffn 8 --train-size 64 --val-size 8").data);
  CHECK_THAT(bench["engine"].get<std::string>(), StartsWith("fused, "));
  double sum = 0;
  for (const char* part : {"batch", "forward", "backward", "optimizer"}) {
    CHECK(bench["parts"][part].get<double>() > 0);
    sum += bench["parts"][part].get<double>();
  }
  CHECK(bench["mask_seconds"].get<double>() < sum);
  CHECK(bench["step_seconds"].get<double>() > 0);
  CHECK(bench["reference_seconds"].get<double>() > 0);
  CHECK(bench["product_gflops"].get<double>() < bench["peak_gflops"].get<double>());
  CHECK(bench["jobs"][0]["jobs"] == 1);
}

TEST_CASE("bench --jobs says how many runs at a time are measured", "[cli]") {
  const auto bench = nlohmann::json::parse(posenc_command("bench --json --jobs 3 --seq-len 4 --d-model 8 --heads 2 "
                                                          "--ffn 8 --train-size 64 --val-size 8")
                                               .data);
  std::vector<int> measured;
  for (const auto& row : bench["jobs"]) {
    measured.push_back(row["jobs"]);
    CHECK(row["steps_per_second"].get<double>() > 0);
  }
  CHECK(measured == std::vector<int>{1, 2, 3});
}

TEST_CASE("bench refuses what a run would", "[cli]") {
  refused("bench --jobs 0", "--jobs is out of range (given '0', allowed: integer 1..4096)");
  refused("bench --jobs two", "--jobs is not an integer");
  refused("bench --jobs 4096 --train-size 10000000", "4096 runs at once need about");
  refused("bench --pos nope", "unknown encoding");
  refused("bench --out x", "bench does not read this option (given '--out')");
}
