// Every task against its slow definition, other programs' labels, and exhaustive enumeration.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "config/choice.h"
#include "config/task_choice.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "tasks/enumeration.h"
#include "tasks/registry.h"

using namespace posenc;

namespace {

class TestSampler : public Sampler {
 public:
  std::int64_t below(std::int64_t bound) override {
    return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_{1};
};

}  // namespace

TEST_CASE("a label is the task's definition, on every short sequence", "[tasks]") {
  for (const TaskChoice& choice : task_choices()) {
    const auto task = choice.entry->make(choice.parameters);
    for (const int vocab : {2, 3, 4, 5})
      for (int length = 2; length <= 6; ++length) {
        if (!exists(choice, length, vocab)) continue;
        INFO(canonical_choice(*choice.entry, choice.parameters) << ", length " << length << ", vocabulary " << vocab);
        std::int64_t different = 0;
        every_sequence(choice, length, vocab, [&](const std::vector<std::int64_t>& tokens) {
          const std::int64_t label = task->label(tokens);
          different += label != choice.entry->definition(choice.parameters, tokens);
          REQUIRE((label >= 0 && label < task->classes()));
        });
        CHECK(different == 0);
      }
  }
}

TEST_CASE("a label is the task's definition, on 100,000 drawn long sequences", "[tasks]") {
  TestSampler sampler;
  for (const TaskChoice& choice : task_choices()) {
    const auto task = choice.entry->make(choice.parameters);
    const std::int64_t vocab = choice.entry->vocab != 0 ? choice.entry->vocab : 100;
    const std::int64_t length = choice.entry->odd_length ? 63 : 64;
    INFO(canonical_choice(*choice.entry, choice.parameters));
    std::vector<std::int64_t> tokens(static_cast<std::size_t>(length));
    std::vector<double> labels(static_cast<std::size_t>(task->classes()), 0.0);
    std::int64_t different = 0;
    constexpr int kCount = 100000;
    for (int i = 0; i < kCount; ++i) {
      task->draw(sampler, vocab, tokens);
      for (const std::int64_t token : tokens) different += token < 0 || token >= vocab;
      const std::int64_t label = task->label(tokens);
      different += label != choice.entry->definition(choice.parameters, tokens);
      ++labels[static_cast<std::size_t>(label)];
    }
    CHECK(different == 0);
    // And classes are drawn as often as class_rates() says: within 5 standard errors.
    const std::vector<double> rates = task->class_rates(length, vocab);
    for (std::size_t c = 0; c < rates.size(); ++c)
      CHECK(std::abs(labels[c] / kCount - rates[c]) <= 5 * std::sqrt(rates[c] * (1 - rates[c]) / kCount) + 1e-12);
  }
}

TEST_CASE("labels are those of an implementation in Python", "[tasks]") {
  std::ifstream file(std::string(POSENC_SOURCE_DIR) + "/tests/golden/tasks.json");
  const auto golden = nlohmann::json::parse(file);
  std::set<std::string> seen;
  for (const auto& item : golden) {
    const std::string name = item["task"];
    seen.insert(name.substr(0, name.find(':')));
    const auto task = make_task(name);
    INFO(name);
    for (const auto& sequence : item["sequences"]) {
      const auto tokens = sequence["tokens"].get<std::vector<std::int64_t>>();
      CHECK(task->label(tokens) == sequence["label"]);
    }
  }
  for (const TaskEntry& entry : all_tasks())
    if (!seen.contains(entry.name))
      FAIL_CHECK("tests/golden/tasks.json has no labels of " << entry.name
                                                             << ": define them in scripts/golden/tasks.py, and run "
                                                                "python3 scripts/make_golden.py tasks "
                                                             << entry.name);
}

TEST_CASE("every sequence of a class is drawn as often as any other", "[tasks]") {
  TestSampler sampler;
  for (const TaskChoice& choice : task_choices()) {
    const int vocab = choice.entry->vocab != 0 ? static_cast<int>(choice.entry->vocab) : 3;
    const int length = choice.entry->odd_length ? 3 : 5;
    if (!exists(choice, length, vocab)) continue;
    INFO(canonical_choice(*choice.entry, choice.parameters));
    std::map<std::vector<std::int64_t>, double> probability;
    const auto task = choice.entry->make(choice.parameters);
    const Drawn drawn(choice, length, vocab);
    for (std::size_t i = 0; i < drawn.sequences.size(); ++i) probability[drawn.sequences[i]] = drawn.probabilities[i];
    std::map<std::vector<std::int64_t>, int> count;
    std::vector<std::int64_t> tokens(static_cast<std::size_t>(length));
    constexpr int kCount = 60000;
    for (int i = 0; i < kCount; ++i) {
      task->draw(sampler, vocab, tokens);
      ++count[tokens];
    }
    double chi_square = 0;
    for (const auto& [sequence, p] : probability)
      chi_square += std::pow(count[sequence] - kCount * p, 2) / (kCount * p);
    CHECK(count.size() == probability.size());
    // Of n cells it has mean n and variance 2 n, nearly.
    const double cells = static_cast<double>(probability.size());
    CHECK(std::abs(chi_square - cells) < 5 * std::sqrt(2 * cells));
  }
}

TEST_CASE("class rates are those of enumeration", "[tasks]") {
  for (const TaskChoice& choice : task_choices())
    for (const int vocab : {2, 3, 4, 5})
      for (int length = 2; length <= 7; ++length) {
        if (!exists(choice, length, vocab)) continue;
        const auto task = choice.entry->make(choice.parameters);
        std::vector<double> expected(static_cast<std::size_t>(task->classes()), 0.0);
        const Drawn drawn(choice, length, vocab);
        for (std::size_t i = 0; i < drawn.sequences.size(); ++i)
          expected[static_cast<std::size_t>(drawn.labels[i])] += drawn.probabilities[i];
        INFO(canonical_choice(*choice.entry, choice.parameters) << ", length " << length << ", vocabulary " << vocab);
        const std::vector<double> rates = task->class_rates(length, vocab);
        REQUIRE(rates.size() == expected.size());
        for (std::size_t c = 0; c < rates.size(); ++c) CHECK(rates[c] == Approx(expected[c]).margin(1e-12));
      }
}

TEST_CASE("what the table says of a task is there", "[tasks]") {
  for (const TaskEntry& entry : all_tasks()) {
    INFO(entry.name);
    CHECK_FALSE(entry.formula.empty());
    CHECK_FALSE(entry.source.empty());
    CHECK(entry.definition != nullptr);
    for (const ParameterSpec& spec : entry.parameters) CHECK_FALSE(spec.help.empty());
  }
}

TEST_CASE("an unknown task lists the known ones", "[tasks]") {
  std::string known;  // the lines of the table, as names
  std::ifstream table(std::string(POSENC_SOURCE_DIR) + "/src/tasks/tasks.def");
  for (std::string line; std::getline(table, line);)
    if (line.starts_with("POSENC_TASK(")) known += (known.empty() ? "" : ", ") + line.substr(12, line.find(')') - 12);
  std::replace(known.begin(), known.end(), '_', '-');
  CHECK_THROWS_WITH(make_task("first-last-party"), "--task: unknown task (given 'first-last-party', known: " + known +
                                                       ", nearest: first-last-parity)");
  CHECK_THROWS_AS(make_task("first-last-parity:k=1"), Error);
  for (const char* wrong : {"contains:w=", "contains:w=1-", "contains:w=-1", "contains:w=01-2", "contains:w=a",
                            "contains:w=1-99999999999", "kth:k=0", "kth:k=1.5", "mod-sum:m=1", "repeat-at:k=x"})
    CHECK_THROWS_AS(make_task(wrong), Error);
}
