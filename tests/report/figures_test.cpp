#include "report/figures/figures.h"

#include <cmath>
#include <regex>
#include <set>

#include "plot/chart.h"
#include "report/report_html.h"
#include "support/catch.h"
#include "support/small_catalog.h"
#include "support/some_runs.h"

using namespace posenc;

namespace {

std::vector<RunRecord> lengths_and_encodings() {
  std::vector<RunRecord> runs;
  for (const char* pos : {"table", "free", "deaf"})
    for (const std::int64_t length : {8, 32})
      for (int seed = 1; seed <= 8; ++seed) {
        runs.push_back(run_with(pos, seed, 0.6 + 0.04 * seed));
        set_length(runs.back(), length);
      }
  return runs;
}

// A reader of tags: every one that opens is closed, and in its turn.
bool is_well_formed(const std::string& text) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\"[^\"]*\"|[^\">])*?)(/?)>");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), tag); it != std::sregex_iterator(); ++it) {
    if ((*it)[4] == "/") continue;
    if ((*it)[1] != "/") {
      open.push_back((*it)[2]);
    } else if (open.empty() || open.back() != (*it)[2]) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

}  // namespace

TEST_CASE("ticks are round numbers within the axis", "[report]") {
  CHECK(nice_ticks(0, 1) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  for (const auto& [low, high] : {std::pair(0.0, 30.0), std::pair(0.47, 0.53), std::pair(-3.0, 1e6)}) {
    const auto ticks = nice_ticks(low, high);
    CHECK(ticks.size() >= 3);
    CHECK(ticks.size() <= 8);
    for (const double tick : ticks) CHECK((tick >= low - 1e-9 && tick <= high + 1e-9));
  }
}

TEST_CASE("every figure is well-formed, says n, and has no nan", "[report]") {
  auto runs = lengths_and_encodings();
  runs.push_back(failed(run_with("free", 9, 0), "x"));
  runs.back().config.seq_len = runs.back().config.max_len = 8;
  const Grouping grouping = group_runs(runs, {}, small_catalog());
  const Report report = build_report(grouping, metrics().front(), runs);
  const auto groups = report_figures(grouping, report);
  std::set<std::string> kinds;
  for (const FigureGroup& group : groups)
    for (const Figure& figure : group.figures) {
      INFO(figure.name);
      kinds.insert(figure.name.substr(0, figure.name.find_last_of('-')));
      CHECK(is_well_formed(figure.svg.substr(figure.svg.find("<svg"))));
      CHECK(figure.svg.find("nan") == std::string::npos);
      CHECK(figure.svg.find("inf\"") == std::string::npos);
      CHECK_THAT(figure.caption, ContainsSubstring("n = "));
    }
  CHECK(kinds == std::set<std::string>{"by-length", "outcomes", "success", "differences", "accuracy-by-epoch",
                                       "loss-by-epoch", "loss-by-seconds"});
}

TEST_CASE("of many settings the first are drawn, and that is said", "[report]") {
  const auto runs = lengths_and_encodings();
  const Grouping grouping = group_runs(runs, {}, small_catalog());
  const Report report = build_report(grouping, metrics().front(), runs);
  for (const FigureGroup& group : report_figures(grouping, report, 1)) {
    CHECK(group.figures.size() == 1);
    if (group.title.find("By length") == std::string::npos) CHECK(group.note == "The first 1 of 2 settings are drawn.");
  }
}

TEST_CASE("the page escapes what runs and users wrote, and loads nothing", "[report]") {
  auto runs = lengths_and_encodings();
  runs.push_back(failed(run_with("free", 9, 0), "<script>alert('x')</script> & more"));
  const Grouping grouping = group_runs(runs, {}, small_catalog());
  Report report = build_report(grouping, metrics().front(), runs);
  report.folders = {"a<b>&\"c"};
  const std::string page = report_html(report, report_figures(grouping, report));
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("a<b>") == std::string::npos);
  CHECK_THAT(page, ContainsSubstring("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; more"));
  CHECK_THAT(page, ContainsSubstring("default-src 'none'"));
  for (const char* loads : {" src=", " href=", "url(", "@import"}) CHECK(page.find(loads) == std::string::npos);
  CHECK(page.find("nan") == std::string::npos);
}
