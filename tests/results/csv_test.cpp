#include "results/csv.h"

#include <cmath>

#include "support/catch.h"
#include "support/some_record.h"

using namespace posenc;

TEST_CASE("a CSV field is quoted when it must be and is never a formula", "[results]") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"hi\"\n") == "\"say \"\"hi\"\"\n\"");
  CHECK(csv_field("=1+1") == "'=1+1");
  CHECK(csv_field("") == "");
}

TEST_CASE("a row has as many fields as the header", "[results]") {
  RunRecord record = some_record(1);
  record.result.status = RunResult::Status::diverged;
  record.result.epochs.push_back({3, std::nan(""), std::nan("")});
  const std::string csv = runs_csv({&record});
  const auto end = csv.find('\n');
  const auto commas = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  CHECK(commas(csv.substr(0, end)) == commas(csv.substr(end + 1)));
  CHECK_THAT(csv, StartsWith("run_id,pos,d_model,heads,"));
  CHECK_THAT(csv, ContainsSubstring(",diverged,,,,0.9525,2,,,0.5,0.45,0.55,0.53,permutation,1012 988,205 195,1.25\n"));
}
