// What the memory check counts for an encoding, against what the program takes: the peak of a process of its own.
#include "config/memory.h"

#include "config/resolve.h"
#include "posenc/catalog.h"
#include "results/stored_runs.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/process.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

struct Memory {
  double counted, taken;  // bytes
};

Memory memory_of(const std::string& options) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = words(options);
  Settings settings;
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) settings[arguments[i].substr(2)] = {arguments[i + 1], {}};
  settings["causal"] = {options.find("cope") == std::string::npos ? "false" : "true", {}};
  const RunConfig config = resolve(settings, catalog()).config;
  if (config.causal) arguments.emplace_back("--causal");
  arguments.insert(arguments.end(), {"--out", folder.path("out")});
  Process process(arguments);
  REQUIRE(process.wait() == 0);
  const std::vector<RunRecord> records = read_runs(folder.path("out"), catalog()).records.take();
  REQUIRE(records.size() == 1);
  return {memory_needed(config, catalog()), static_cast<double>(records[0].execution.peak_memory)};
}

}  // namespace

TEST_CASE("the memory check counts what an encoding's parameters and lengths take", "[encodings]") {
  const std::string small = " --epochs 1 --vocab 4 --train-size 8 --batch-size 8 --val-size 8";
  const std::string wide = small + " --d-model 64 --heads 1 --seq-len 8 --pos ";
  const std::string long_one = small + " --d-model 16 --heads 2 --seq-len 700 --pos ";
  for (const std::string& options :
       {wide + "relative:clip=100000,values=true", wide + "cope:max-position=100000",
        wide + "t5:buckets=100000,max-distance=200000", wide + "fixed --max-len 1000000",
        wide + "learnable --max-len 500000", wide + "fixed+random:max=1000000", long_one + "none",
        long_one + "relative:clip=1000", long_one + "xl", long_one + "t5", long_one + "alibi", long_one + "kerple",
        long_one + "fire", long_one + "cope:max-position=1000", long_one + "fox"}) {
    const Memory memory = memory_of(options);
    INFO(options << ": counted " << memory.counted / 1e6 << " MB, taken " << memory.taken / 1e6 << " MB");
    CHECK(memory.counted > memory.taken);
    CHECK(memory.counted < 4 * memory.taken);
  }
}
