#include "config/identity.h"

#include <fmt/format.h>

#include <charconv>
#include <regex>
#include <set>

#include "config/fields.h"
#include "config/resolve.h"
#include "support/catch.h"
#include "support/small_catalog.h"

using namespace posenc;

namespace {

std::string id_of(const std::string& identity_text) { return fmt::format("r{:016x}", fnv1a(identity_text)); }

}  // namespace

TEST_CASE("the hash is FNV-1a of 64 bits", "[config]") {
  // Test vectors of the algorithm's authors.
  CHECK(fnv1a("") == 0xcbf29ce484222325);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8c);
  CHECK(fnv1a("foobar") == 0x85944171f73967e8);
}

TEST_CASE("a run id is pinned: results of today are found tomorrow", "[config]") {
  CHECK(run_id(RunConfig{}, small_catalog()) == id_of("posenc run, schema 2\n"));
  RunConfig config;
  config.vocab = 4;
  config.lr = 3e-3;
  CHECK(run_id(config, small_catalog()) == id_of("posenc run, schema 2\nlr=0.003\nvocab=4\n"));
}

TEST_CASE("no reader of tables takes a run id for a number", "[config]") {
  // The digits of the first are a number with an exponent, which is infinite in double precision; those of the second
  // are an integer.
  for (const auto& [seed, digits] :
       {std::pair(13, "68345546914e4179"), std::pair(2640, "5769105038827091"), std::pair(42, "")}) {
    RunConfig config;
    config.seed = config.data_seed = config.init_seed = seed;
    const std::string id = run_id(config, small_catalog());
    CHECK_THAT(id, StartsWith(std::string("r") + digits));
    CHECK(std::regex_match(id, std::regex("r[0-9a-f]{16}")));
    double number = 0;
    CHECK(std::from_chars(id.data(), id.data() + id.size(), number).ec == std::errc::invalid_argument);
  }
}

TEST_CASE("both forms of a run id are one id, and nothing else is one", "[config]") {
  for (const char* id : {"r2505e49383024723", "2505e49383024723"}) {
    CHECK(is_run_id(id));
    CHECK(normal_run_id(id) == "r2505e49383024723");
    CHECK(former_run_id(id) == "2505e49383024723");
  }
  for (const char* text : {"", "r", "r2505e4938302472", "2505e493830247233", "2505E49383024723", "../../../x.......",
                           "s2505e49383024723", "r2505e4938302472g", "2505e4938302472 "})
    CHECK_FALSE(is_run_id(text));
}

TEST_CASE("every identity field changes the run id and no other does", "[config]") {
  RunConfig all;  // in which every field decides something
  all.steps = 3;
  all.eval_len = "20";
  std::set<std::string> ids = {run_id(all, small_catalog())};
  for (const Field& field : fields()) {
    RunConfig config = all;
    switch (field.type.kind) {
      case ValueType::Kind::flag:
        field.set(config, true);
        break;
      case ValueType::Kind::integer:
        field.set(config, std::int64_t{77});
        break;
      case ValueType::Kind::real:
        field.set(config, 0.0625);
        break;
      case ValueType::Kind::text:
        field.set(config, std::string("other"));
        break;
    }
    INFO(field.name);
    CHECK(ids.insert(run_id(config, small_catalog())).second == field.identity);
  }
}

TEST_CASE("a default that follows from another field is compared after it was resolved", "[config]") {
  RunConfig config;
  config.seq_len = config.max_len = 32;
  CHECK(run_id(config, small_catalog()) == id_of("posenc run, schema 2\nseq_len=32\n"));
  config.max_len = 40;
  CHECK(run_id(config, small_catalog()) == id_of("posenc run, schema 2\nmax_len=40\nseq_len=32\n"));
}

TEST_CASE("the index of a device is not identity, its kind is", "[config]") {
  RunConfig cpu, first, second;
  first.device = "cuda";
  second.device = "cuda:1";
  CHECK(run_id(first, small_catalog()) == run_id(second, small_catalog()));
  CHECK(run_id(first, small_catalog()) != run_id(cpu, small_catalog()));
}

TEST_CASE("a share of pairs that earlier releases counted otherwise has another run id", "[config]") {
  const auto resolved = [](const char* share, const char* vocab) {
    return resolve(flags({{"holdout-pairs", share}, {"vocab", vocab}}), small_catalog()).config;
  };
  CHECK(resolved("0.29", "10").revisions == "holdout-pairs=2");  // 29 of 100, 28 before
  CHECK(resolved("0.25", "10").revisions.empty());
  CHECK(resolved("0.3", "10").revisions.empty());
}

TEST_CASE("an entry whose meaning was revised has another run id, and no other entry has", "[config]") {
  const auto resolved = [](const char* pos) { return resolve(flags({{"pos", pos}}), small_catalog()).config; };
  CHECK(resolved("revised").revisions.empty());
  CHECK(run_id(resolved("revised"), small_catalog()) == id_of("posenc run, schema 2\npos=revised\n"));
  CHECK(resolved("revised:kind=new").revisions == "revised=2");
  CHECK(run_id(resolved("revised:kind=new"), small_catalog()) ==
        id_of("posenc run, schema 2\npos=revised:kind=new\nrevisions=revised=2\n"));
}
