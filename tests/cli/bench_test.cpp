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

TEST_CASE("bench refuses what a run would", "[cli]") {
  refused("bench --pos nope", "unknown encoding");
  refused("bench --out x", "bench does not read this option (given '--out')");
}
