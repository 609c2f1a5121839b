// Ceilings against exhaustive enumeration, and against closed forms where the literature of parity gives them.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "config/choice.h"
#include "support/catch.h"
#include "tasks/enumeration.h"

using namespace posenc;

namespace {

struct NamedView {
  View view;
  const char* name;
  // What the view shows of a sequence.
  std::vector<std::int64_t> (*shown)(std::vector<std::int64_t>);
};

const NamedView kViews[] = {
    {View::up_to_reversal, "reversal",
     [](std::vector<std::int64_t> x) { return std::min(x, std::vector<std::int64_t>(x.rbegin(), x.rend())); }},
    {View::multiset, "multiset",
     [](std::vector<std::int64_t> x) {
       std::sort(x.begin(), x.end());
       return x;
     }},
    {View::first_and_multiset, "first and multiset",
     [](std::vector<std::int64_t> x) {
       std::sort(x.begin() + 1, x.end());
       return x;
     }},
    {View::last_and_multiset, "last and multiset",
     [](std::vector<std::int64_t> x) {
       std::sort(x.begin(), x.end() - 1);
       return x;
     }},
    {View::first_token, "first token", [](std::vector<std::int64_t> x) { return std::vector{x.front()}; }},
    {View::nothing, "nothing", [](std::vector<std::int64_t>) { return std::vector<std::int64_t>(); }},
};

// The sum over all that can be seen of the probability of its likeliest class.
double enumerated(const Drawn& drawn, const NamedView& view, std::int64_t classes) {
  std::map<std::vector<std::int64_t>, std::vector<double>> seen;
  for (std::size_t i = 0; i < drawn.sequences.size(); ++i) {
    std::vector<double>& mass = seen[view.shown(drawn.sequences[i])];
    mass.resize(static_cast<std::size_t>(classes), 0.0);
    mass[static_cast<std::size_t>(drawn.labels[i])] += drawn.probabilities[i];
  }
  double sum = 0;
  for (const auto& [key, mass] : seen) sum += *std::max_element(mass.begin(), mass.end());
  return sum;
}

// The tasks whose ceilings docs/CEILINGS.md gives: the names in the first column of its closed forms.
const std::set<std::string>& documented_tasks() {
  static const std::set<std::string> names = [] {
    std::ifstream page(std::string(POSENC_SOURCE_DIR) + "/docs/CEILINGS.md");
    std::set<std::string> all;
    bool in_section = false;
    for (std::string line; std::getline(page, line);) {
      if (line.starts_with("## ")) in_section = line == "## Closed forms";
      if (!in_section || !line.starts_with("| `")) continue;
      const std::string cell = line.substr(0, line.find('|', 1));
      const std::regex quoted("`([a-z-]+)`");
      for (std::sregex_iterator name(cell.begin(), cell.end(), quoted), end; name != end; ++name)
        all.insert((*name)[1]);
    }
    return all;
  }();
  return names;
}

void compare_with_enumeration(const TaskChoice& choice, int length, int vocab) {
  if (!exists(choice, length, vocab)) return;
  const auto task = choice.entry->make(choice.parameters);
  const Drawn drawn(choice, length, vocab);
  for (const NamedView& view : kViews) {
    INFO(canonical_choice(*choice.entry, choice.parameters)
         << ", length " << length << ", vocabulary " << vocab << ", " << view.name);
    const auto ceiling = task->ceiling(view.view, length, vocab);
    if (!ceiling) {
      if (documented_tasks().contains(choice.entry->name))
        FAIL_CHECK("docs/CEILINGS.md has a ceiling that is not counted");
      continue;
    }
    CHECK(*ceiling == Approx(enumerated(drawn, view, task->classes())).margin(1e-10));
  }
  CHECK(task->ceiling(View::everything, length, vocab) == 1.0);
}

}  // namespace

TEST_CASE("the page of ceilings speaks of tasks that there are", "[tasks]") {
  CHECK(documented_tasks().size() >= 13);
  for (const std::string& name : documented_tasks()) CHECK_NOTHROW(make_task(name));
}

TEST_CASE("a ceiling is that of enumeration, up to length 8 and vocabulary 5", "[tasks]") {
  for (const TaskChoice& choice : task_choices())
    for (const int vocab : {2, 3, 4, 5})
      for (int length = 2; length <= 8; ++length)
        if (std::pow(vocab, length) < 2e4 || (length == 8 && choice.entry->parameters.empty()))
          compare_with_enumeration(choice, length, vocab);
}

TEST_CASE("a ceiling of modular arithmetic is that of enumeration", "[tasks]") {
  for (const TaskChoice& choice : task_choices())
    if (choice.entry->name == "modular-arithmetic")
      for (const int length : {3, 5}) compare_with_enumeration(choice, length, static_cast<int>(choice.entry->vocab));
}

TEST_CASE("the published task without positions is bounded by the binomial closed form", "[tasks]") {
  // E max(p, 1-p), p = 2 k (n-k) / (n (n-1)), k ~ Bin(n, q): the sum over k with binomials by Pascal's triangle.
  const auto closed = [](int n, double q) {
    std::vector<double> row = {1};
    for (int i = 1; i <= n; ++i) {
      row.push_back(0);
      for (int k = i; k >= 0; --k)
        row[static_cast<std::size_t>(k)] =
            row[static_cast<std::size_t>(k)] * (1 - q) + (k > 0 ? row[static_cast<std::size_t>(k - 1)] * q : 0);
    }
    double sum = 0;
    for (int k = 0; k <= n; ++k) {
      const double p = 2.0 * k * (n - k) / (static_cast<double>(n) * (n - 1));
      sum += row[static_cast<std::size_t>(k)] * std::max(p, 1 - p);
    }
    return sum;
  };
  const auto task = make_task("first-last-parity");
  for (const int n : {2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 512}) {
    CHECK(*task->ceiling(View::multiset, n, 100) == Approx(closed(n, 0.5)).epsilon(1e-10));
    CHECK(*task->ceiling(View::multiset, n, 3) == Approx(closed(n, 1.0 / 3)).epsilon(1e-10));
  }
  const std::map<int, double> published = {{2, 1},       {3, 0.75},     {4, 0.625},   {6, 0.59375}, {8, 0.5703},
                                           {12, 0.5439}, {16, 0.53055}, {32, 0.5155}, {64, 0.5076}, {128, 0.5038}};
  for (const auto& [n, accuracy] : published)
    CHECK(*task->ceiling(View::multiset, n, 10) == Approx(accuracy).margin(6e-5));
  CHECK(*task->ceiling(View::multiset, 3, 3) == Approx(0.7778).margin(5e-5));
  CHECK(*task->ceiling(View::multiset, 4, 3) == Approx(0.6543).margin(5e-5));
  const std::map<int, double> first = {{3, 0.75}, {4, 0.75}, {6, 0.6875}, {8, 0.65625}};
  for (const auto& [n, accuracy] : first) CHECK(*task->ceiling(View::first_and_multiset, n, 2) == Approx(accuracy));
}

TEST_CASE("what is asked at a place is at most 75 % up to reversal", "[tasks]") {
  CHECK(*make_task("first")->ceiling(View::up_to_reversal, 16, 100) == Approx(0.75));
  CHECK(*make_task("last")->ceiling(View::up_to_reversal, 4096, 2) == Approx(0.75));
  CHECK(*make_task("kth:k=8")->ceiling(View::up_to_reversal, 15, 10) == Approx(1));  // the middle
}

TEST_CASE("long sequences and large vocabularies are counted, or said not to be", "[tasks]") {
  for (const TaskChoice& choice : task_choices())
    for (const std::int64_t length : {33, 129})
      for (const NamedView& view : kViews) {
        INFO(canonical_choice(*choice.entry, choice.parameters) << ", length " << length << ", " << view.name);
        const auto task = choice.entry->make(choice.parameters);
        const std::int64_t vocab = choice.entry->vocab != 0 ? choice.entry->vocab : 1000;
        const auto ceiling = task->ceiling(view.view, length, vocab);
        if (!ceiling) continue;
        CHECK(*ceiling <= 1 + 1e-9);
        CHECK(*ceiling >= task->majority_rate(length, vocab) - 1e-9);
      }
}
