// Every task against an independent definition, and what every entry of the table must have.
#include <map>
#include <random>
#include <vector>

#include "posenc/error.h"
#include "posenc/task.h"
#include "support/catch.h"
#include "tasks/registry.h"

using namespace posenc;

namespace {

// Calls `visit` with every sequence of `length` tokens below `vocab`.
template <typename Visit>
void every_sequence(int length, int vocab, Visit visit) {
  std::vector<std::int64_t> tokens(length, 0);
  for (;;) {
    visit(tokens);
    int i = 0;
    while (i < length && ++tokens[i] == vocab) tokens[i++] = 0;
    if (i == length) return;
  }
}

class TestSampler : public Sampler {
 public:
  std::int64_t below(std::int64_t bound) override {
    return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_{1};
};

}  // namespace

TEST_CASE("first-last-parity is the last bit of first plus last", "[tasks]") {
  const auto task = make_task("first-last-parity");
  every_sequence(5, 4, [&](const std::vector<std::int64_t>& tokens) {
    CHECK(task->label(tokens) == ((tokens[0] & 1) ^ (tokens[4] & 1)));
  });
}

TEST_CASE("every task of the table keeps its promises", "[tasks]") {
  TestSampler sampler;
  for (const TaskEntry& entry : all_tasks()) {
    INFO(entry.name);
    CHECK_FALSE(entry.formula.empty());
    CHECK_FALSE(entry.source.empty());
    const auto task = make_task(entry.name);
    for (const int vocab : {2, 3, 4, 5}) {
      const int length = static_cast<int>(std::max<std::int64_t>(entry.least_length, 4));
      // Exact share of the largest class, by enumeration.
      std::map<std::int64_t, double> count;
      double total = 0;
      every_sequence(length, vocab, [&](const std::vector<std::int64_t>& tokens) {
        const std::int64_t label = task->label(tokens);
        REQUIRE((label >= 0 && label < task->classes()));
        ++count[label];
        ++total;
      });
      double most = 0;
      for (const auto& [label, times] : count) most = std::max(most, times);
      CHECK(task->majority_rate(length, vocab) == Approx(most / total));

      std::vector<std::int64_t> row(length);
      for (int i = 0; i < 100; ++i) {
        task->draw(sampler, vocab, row);
        for (const std::int64_t token : row) REQUIRE((token >= 0 && token < vocab));
      }
    }
  }
}

TEST_CASE("an unknown task lists the known ones", "[tasks]") {
  CHECK_THROWS_WITH(
      make_task("first-last-party"),
      "--task: unknown task (given 'first-last-party', known: first-last-parity, nearest: first-last-parity)");
  CHECK_THROWS_AS(make_task("first-last-parity:k=1"), Error);
}
