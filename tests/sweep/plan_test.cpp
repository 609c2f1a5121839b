#include "sweep/plan.h"

#include <map>
#include <set>

#include "config/identity.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/plain_catalog.h"
#include "support/small_catalog.h"
#include "support/temporary_folder.h"
#include "sweep/cost.h"

using namespace posenc;

namespace {

const Catalog& test_catalog() {
  static const Catalog catalog = small_catalog();
  return catalog;
}

Plan plan(std::initializer_list<std::pair<const std::string, std::string>> given) {
  return Plan({flags(given), {}}, test_catalog());
}

std::vector<std::string> texts(const char* field, const std::string& list) {
  std::vector<std::string> all;
  for (const Value& value : parse_list(*find_field(field), list, "--x")) all.push_back(to_text(value));
  return all;
}

Plan from_file(const TemporaryFolder& folder, const std::string& text) {
  return Plan(read_sweep_toml(folder.file("s.toml", text)), test_catalog());
}

}  // namespace

TEST_CASE("a list is values, ranges with both ends, or both", "[sweep]") {
  CHECK(texts("seed", "1,5,2") == std::vector<std::string>{"1", "5", "2"});
  CHECK(texts("seed", "0..3") == std::vector<std::string>{"0", "1", "2", "3"});
  CHECK(texts("seed", "0..100:40") == std::vector<std::string>{"0", "40", "80"});
  CHECK(texts("seed", "0..80:40") == std::vector<std::string>{"0", "40", "80"});
  CHECK(texts("seed", "9,0..1") == std::vector<std::string>{"9", "0", "1"});
  CHECK(texts("lr", "0.1,1e-3") == std::vector<std::string>{"0.1", "0.001"});
  CHECK(texts("deterministic", "false,true") == std::vector<std::string>{"false", "true"});
  CHECK(texts("pos", "rope:base=5,fraction=0.5,fixed") ==
        std::vector<std::string>{"rope:base=5,fraction=0.5", "fixed"});
}

TEST_CASE("what is no list is refused", "[sweep]") {
  for (const char* bad :
       {"", ",", "1,", "5..1", "1..", "..1", "1..2..3", "1..2:0", "1..2:", "0..4294967296", "0..4294967295", "x..y"})
    CHECK_THROWS_AS(parse_list(*find_field("seed"), bad, "--seed"), Error);
  CHECK_THROWS_AS(parse_list(*find_field("lr"), "0.1..0.2", "--lr"), Error);
  CHECK_THROWS_WITH(plan({{"seed", "1,2,1"}}), "--seed: a value stands twice (given '1')");
  CHECK_THROWS_WITH(plan({{"pos", "table,table:std=0.1"}}), "--pos: a value stands twice (given 'table')");
  CHECK_THROWS_WITH(plan({{"device", "cuda:0,cuda:1"}}), "--device: a value stands twice (given 'cuda:1')");
  CHECK_THROWS_WITH(plan({{"log-every", "1,2"}}), "--log-every: a value stands twice (given '2')");  // only shown
  CHECK_THROWS_WITH(plan({{"train-len", "2..7:2,2..6:2"}}), "--train-len: a value stands twice (given '2..6:2')");
  CHECK_THROWS_WITH(plan({{"train-len", "2..4,"}}), "--train-len: a list has an empty value (given '2..4,')");
  CHECK_THROWS_WITH(plan({{"eval-len", "8,16;"}}), "--eval-len: a list has an empty value (given '8,16;')");
}

TEST_CASE("the grid is the product of its lists, the last field fastest", "[sweep]") {
  const Plan grid = plan({{"pos", "table,free"}, {"seq-len", "8,16"}, {"seed", "0..2"}, {"epochs", "7"}});
  REQUIRE(grid.grid_size() == 12);
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const RunConfig config = grid.at(i);
    CHECK(config.pos == (i < 6 ? "table" : "free"));
    CHECK(config.seq_len == (i / 3 % 2 == 0 ? 8 : 16));
    CHECK(config.seed == static_cast<std::int64_t>(i % 3));
    CHECK(config.epochs == 7);
    CHECK(config.max_len == config.seq_len);  // a default that follows an axis
    CHECK(config.data_seed == config.seed);
    seen.insert(grid.describe(config));
  }
  CHECK(seen.size() == 12);
  CHECK(seen.contains("pos=free, seq-len=16, seed=2"));
}

TEST_CASE("an option whose value is a list is swept by lists of them", "[sweep]") {
  CHECK(texts("eval-len", "8,16..18") == std::vector<std::string>{"8,16..18"});
  CHECK(texts("eval-len", "8,16;32") == std::vector<std::string>{"8,16", "32"});
  const TemporaryFolder folder;
  const Plan one = from_file(folder, "pos = \"free\"\neval-len = [8, 16, \"20..22\"]\n");
  CHECK(one.grid_size() == 1);
  CHECK(one.at(0).eval_len == "8,16,20,21,22");
  const Plan two = from_file(folder, "pos = \"free\"\neval-len = [[16, 8], [32]]\n");
  CHECK(two.grid_size() == 2);
  CHECK(two.at(0).eval_len == "8,16");  // in the one way to write it, so that it is the same run
  CHECK(two.at(1).eval_len == "32");
  for (const char* wrong :
       {"eval-len = [[8, 16], 32]\n", "eval-len = [8, [16]]\n", "eval-len = [[8, [16]]]\n", "eval-len = [1.5]\n"})
    CHECK_THROWS_WITH(from_file(folder, std::string("pos = \"free\"\n") + wrong), ContainsSubstring("s.toml:2"));
}

TEST_CASE("a combination that is inconsistent is named", "[sweep]") {
  const Plan grid = plan({{"heads", "4,5"}, {"seed", "0,1"}});
  CHECK_NOTHROW(grid.check_at(1));
  CHECK_THROWS_WITH(grid.check_at(2),
                    StartsWith("--heads must divide --d-model") && ContainsSubstring("[in the run heads=5, seed=0]"));
}

TEST_CASE("exclusions leave out what matches all they name", "[sweep]") {
  const TemporaryFolder folder;
  const Plan grid = from_file(folder,
                              "pos = [\"table\", \"free\"]\nseq-len = [8, 16, 32]\nseed = \"0..1\"\n"
                              "[[exclude]]\npos = \"table\"\nseq-len = [16, 32]\n[[exclude]]\nseed = 1\n");
  std::set<std::string> left;
  for (const std::uint64_t place : grid.runs({})) left.insert(grid.describe(grid.at(place)));
  CHECK(left == std::set<std::string>{"pos=table, seq-len=8, seed=0", "pos=free, seq-len=8, seed=0",
                                      "pos=free, seq-len=16, seed=0", "pos=free, seq-len=32, seed=0"});
}

TEST_CASE("mistakes in a sweep's file are named with their line", "[sweep]") {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      from_file(folder, text);
    } catch (const Error& error) {
      return std::string(error.what()).substr(folder.path("").size());
    }
    return "none";
  };
  CHECK(complaint("pos = [\"table\", \"free\"]\nseed = [1, 2]\n") == "none");
  CHECK(complaint("seed = []\n") == "s.toml:1: seed: the list is empty (allowed: integer 0..4294967295)");
  CHECK_THAT(complaint("seed = [1, \"x\"]\n"), StartsWith("s.toml:1: seed is not an integer (given 'x'"));
  CHECK_THAT(complaint("lr = [1, true]\n"), StartsWith("s.toml:1: lr has the wrong type (given a TOML boolean"));
  CHECK_THAT(complaint("[[exclude]]\nseeed = 1\n"), StartsWith("s.toml:2: unknown key (given 'seeed', nearest: seed)"));
  CHECK_THAT(complaint("exclude = 3\n"), StartsWith("s.toml:1: exclude has the wrong type"));
  CHECK_THAT(complaint("[[exclude]]\n"), ContainsSubstring("names nothing"));
  CHECK_THROWS_WITH(read_toml(folder.file("s.toml", "epochs = 3\nseed = \"0..3\"\n")),
                    ContainsSubstring("s.toml:2: seed is for a sweep (write: posenc sweep --config "));
}

TEST_CASE("every run is in exactly one shard, and shards are balanced", "[sweep]") {
  const Plan grid = plan({{"seq-len", "8..64:8"}, {"seed", "0..99"}, {"pos", "free"}});
  for (const std::int64_t shards : {1, 2, 3, 7}) {
    std::vector<int> times(grid.grid_size(), 0);
    double least = 1e300, most = 0;
    for (std::int64_t i = 1; i <= shards; ++i) {
      double cost = 0;
      for (const std::uint64_t place : grid.runs({i, shards})) {
        ++times[place];
        cost += run_cost(grid.at(place));
      }
      least = std::min(least, cost);
      most = std::max(most, cost);
    }
    for (const int count : times) REQUIRE(count == 1);
    CHECK(most / least < 1.02);
  }
}

TEST_CASE("a shard is i/n", "[sweep]") {
  CHECK(parse_shard("3/8").number == 3);
  CHECK(parse_shard("3/8").of == 8);
  for (const char* bad : {"", "0/3", "4/3", "1/0", "1", "/", "1/", "/2", "-1/2", "a/b", "1/2/3"})
    CHECK_THROWS_WITH(parse_shard(bad), StartsWith("--shard is not I/N (given '"));
}

TEST_CASE("a dearer run costs more", "[sweep]") {
  RunConfig base;
  for (const char* field : {"seq-len", "d-model", "ffn", "layers", "epochs", "train-size"}) {
    RunConfig dearer = base;
    const Field& axis = *find_field(field);
    axis.set(dearer, std::get<std::int64_t>(axis.get(base)) * 4);
    CHECK(run_cost(dearer) > run_cost(base));
  }
}

TEST_CASE("runs that differ in their seeds alone are one variant, with one cost", "[sweep]") {
  const Plan grid = plan({{"seq-len", "8,16"}, {"seed", "0..2"}, {"epochs", "1,2"}, {"pos", "free"}});
  CHECK(grid.variant_count() == 4);
  std::map<std::uint64_t, std::set<std::pair<std::int64_t, std::int64_t>>> shapes;
  for (const std::uint64_t index : grid.runs({}))
    shapes[grid.variant(index)].emplace(grid.at(index).seq_len, grid.at(index).epochs);
  REQUIRE(shapes.size() == 4);
  for (const auto& [variant, seen] : shapes) {
    CHECK(variant < 4);
    CHECK(seen.size() == 1);
  }
  const std::vector<double> costs = grid.costs(grid.runs({}));
  for (const std::uint64_t index : grid.runs({})) CHECK(costs[index] == run_cost(grid.at(index)));
  CHECK(plan({{"seed", "0..1999999"}, {"pos", "free"}}).variant_count() == 1);
}

TEST_CASE("where seeds may contradict each other every run is a variant, and checked", "[sweep]") {
  CHECK(plan({{"seed", "0..9"}, {"data-seed", "5"}}).variant_count() == 10);
  CHECK(plan({{"seed", "0..9"}, {"data-seed", "5"}, {"seeding", "single,paired"}}).variant_count() == 20);
  CHECK(plan({{"seed", "0..9"}, {"data-seed", "1..5"}, {"seeding", "paired"}}).variant_count() == 1);
  CHECK(plan({{"seed", "0..9"}, {"seeding", "single,paired"}}).variant_count() == 2);
}

TEST_CASE("a cursor reads the same runs in any order", "[sweep]") {
  for (const char* seeding : {"single", "paired"}) {
    const Plan grid = plan({{"seq-len", "8,16"}, {"seed", "3..5"}, {"lr", "0.1,0.2"}, {"seeding", seeding}});
    PlanCursor cursor(grid);
    for (std::uint64_t i = 0; i < 5 * grid.grid_size(); ++i) {
      const std::uint64_t index = i * 7 % grid.grid_size();
      const RunConfig& config = cursor.at(index);
      CHECK(run_id(config, plain_catalog()) == run_id(grid.at(index), plain_catalog()));
      CHECK(config.seed == 3 + static_cast<std::int64_t>(index % 3));
      CHECK((config.data_seed == config.seed && config.init_seed == config.seed));
    }
  }
}

TEST_CASE("a value that stands twice is found in lists of any order", "[sweep]") {
  CHECK_THROWS_WITH(plan({{"seed", "5,0..7"}}), "--seed: a value stands twice (given '5')");
  CHECK_THROWS_WITH(plan({{"seed", "0..3,3"}}), "--seed: a value stands twice (given '3')");
  CHECK_NOTHROW(plan({{"seed", "7,0..5"}}));
}

TEST_CASE("two sweeps have one definition when they were given the same", "[sweep]") {
  CHECK(plan({{"seed", "0..3"}, {"out", "a"}}).definition() == plan({{"seed", "0..3"}, {"out", "b"}}).definition());
  CHECK(plan({{"seed", "0..3"}}).definition() != plan({{"seed", "0..4"}}).definition());
}

TEST_CASE("each run of a sweep has the revisions of its own entries", "[sweep]") {
  const Plan mixed = plan({{"pos", "free,revised:kind=new"}, {"seed", "1,2"}});
  std::vector<std::string> revisions;
  for (const std::uint64_t index : mixed.runs({})) revisions.push_back(mixed.at(index).revisions);
  std::sort(revisions.begin(), revisions.end());
  CHECK(revisions == std::vector<std::string>{"", "", "revised=2", "revised=2"});
  CHECK(plan({{"pos", "revised:kind=new"}, {"seed", "1,2"}}).at(1).revisions == "revised=2");
}
