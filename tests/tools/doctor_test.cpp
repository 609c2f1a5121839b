// That the doctor's checks fail where they must: on claims that are wrong.
#include "config/resolve.h"
#include "config/task_choice.h"
#include "posenc/task.h"
#include "support/torch_catch.h"
#include "tools/doctor/checks.h"

using namespace posenc;

namespace {

const EncodingEntry& entry_of(const std::string& name) { return find_entry(catalog().encodings, name, "", ""); }

RunConfig small(const std::string& pos) {
  RunConfig config;
  config.pos = pos;
  config.seq_len = 8;
  config.vocab = 10;
  check(config, catalog());
  return config;
}

Check::Outcome outcome_of(const std::vector<Check>& checks, const std::string& name) {
  for (const Check& check : checks)
    if (check.name == name) return check.outcome;
  FAIL(name);
  return {};
}

}  // namespace

TEST_CASE("claims of order that hold pass, and those that do not fail", "[tools]") {
  const auto good = order_checks(small("alibi"), entry_of("alibi"), Symmetry::reversal);
  for (const Check& check : good) CHECK(check.outcome == Check::Outcome::passed);
  const auto wrong = order_checks(small("rope"), entry_of("rope"), Symmetry::permutation);
  CHECK(outcome_of(wrong, "permutation") == Check::Outcome::failed);
  CHECK(outcome_of(wrong, "reversal") == Check::Outcome::failed);
  CHECK(outcome_of(wrong, "shift") == Check::Outcome::passed);
  EncodingEntry claims = entry_of("fixed");
  claims.relative = true;
  CHECK(outcome_of(order_checks(small("fixed"), claims, Symmetry::none), "shift") == Check::Outcome::failed);
  CHECK(outcome_of(order_checks(small("none"), entry_of("none"), Symmetry::none), "reversal") ==
        Check::Outcome::failed);
}

TEST_CASE("a label that is not the definition fails", "[tools]") {
  RunConfig config = small("none");
  config.task = "first";
  TaskEntry entry = find_entry(catalog().tasks, "first", "", "");
  const Parameters none;
  CHECK(outcome_of(task_checks(config, entry, none), "labels") == Check::Outcome::passed);
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) { return tokens.back() % 2; };
  CHECK(outcome_of(task_checks(config, entry, none), "labels") == Check::Outcome::failed);
}

TEST_CASE("classes that are drawn at other rates than said fail", "[tools]") {
  class Skewed : public Task {
   public:
    std::int64_t classes() const override { return 2; }
    std::int64_t label(std::span<const std::int64_t> tokens) const override { return tokens[0] < 4; }
    std::vector<double> class_rates(std::int64_t, std::int64_t) const override { return {0.5, 0.5}; }
  };
  TaskEntry entry;
  entry.make = [](const Parameters&) -> std::unique_ptr<Task> { return std::make_unique<Skewed>(); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    return tokens[0] < 4;
  };
  const auto checks = task_checks(small("none"), entry, {});
  CHECK(outcome_of(checks, "labels") == Check::Outcome::passed);
  CHECK(outcome_of(checks, "classes") == Check::Outcome::failed);
}

TEST_CASE("other threads than asked for fail", "[tools]") {
  RunConfig config = small("none");
  config.threads = 7;
  CHECK(outcome_of(machine_checks(config), "threads") == Check::Outcome::failed);
}
