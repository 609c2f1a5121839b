// Whole runs with another optimizer, schedule, norm or a BOS token against PyTorch's losses
// (scripts/golden/recipes.py).
#include <fstream>
#include <nlohmann/json.hpp>

#include "config/resolve.h"
#include "posenc/run.h"
#include "support/catch.h"
#include "support/golden.h"

using namespace posenc;
using nlohmann::json;

namespace {

RunConfig configuration(const json& args) {
  RunConfig c = published_configuration(args);
  c.optimizer = args["optimizer"];
  c.weight_decay = args["weight_decay"];
  c.momentum = args["momentum"];
  c.grad_clip = args["grad_clip"];
  c.schedule = args["schedule"];
  c.norm = args["norm"];
  c.norm_eps = args["norm_eps"];
  c.bos = args["bos"];
  c.pool = args["pool"];
  c.max_len = c.model_length();
  check(c, catalog());
  return c;
}

}  // namespace

TEST_CASE("five epochs of runs off the published protocol have PyTorch's losses to 1e-5", "[training]") {
  const json golden = json::parse(std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/golden/recipes.json"));
  for (const auto& [name, expected] : golden.items())
    for (const char* engine : {"auto", "reference"}) {
      INFO(name << " by " << engine);
      RunConfig config = configuration(expected["args"]);
      config.engine = engine;
      const RunResult result = run(config);
      REQUIRE(result.epochs.size() == expected["losses"].size());
      for (std::size_t i = 0; i < result.epochs.size(); ++i)
        CHECK(result.epochs[i].train_loss == Approx(expected["losses"][i].get<double>()).margin(1e-5));
    }
}
