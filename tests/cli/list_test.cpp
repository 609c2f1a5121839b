// That the registry, `posenc list`, the README, the golden files and the docs speak of the same encodings.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "posenc/catalog.h"
#include "support/catch.h"
#include "support/command_line.h"

using namespace posenc;

namespace {

const std::string kSource = POSENC_SOURCE_DIR;

std::string file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(kSource + "/" + path).rdbuf();
  return text.str();
}

// That `expected` follows the first line `marker` of `page`. A failure prints the one line that differs, not the page.
void check_page_shows(const std::string& page, const std::string& marker, const std::string& expected) {
  const std::vector<std::string> shown = lines(file(page)), wanted = lines(expected);
  auto line = std::find(shown.begin(), shown.end(), marker);
  if (line == shown.end()) FAIL(page << " has no line '" << marker << "'");
  for (const std::string& row : wanted) {
    ++line;
    const std::string found = line == shown.end() ? "" : *line;
    if (found != row)
      FAIL(page << ", line " << line - shown.begin() + 1 << "\nshould be: " << row << "\nbut is:    " << found);
  }
}

}  // namespace

TEST_CASE("list names every encoding and wrapper with formula, source, parameters and number of weights", "[cli]") {
  const Outcome outcome = posenc_command("list encodings");
  CHECK(outcome.exit_code == 0);
  const auto check = [&](const CatalogEntry& entry) {
    const auto check_listed = [&](const std::string& part) {
      if (outcome.data.find(part) == std::string::npos) FAIL_CHECK("list encodings lacks '" << part << "'");
    };
    for (const std::string& part : {"\n" + entry.name + " ", entry.formula, entry.source}) check_listed(part);
    for (const ParameterSpec& spec : entry.parameters)
      for (const std::string& part : {spec.key + "=" + to_text(spec.fallback), spec.help}) check_listed(part);
  };
  for (const EncodingEntry& entry : catalog().encodings) check(entry);
  for (const WrapperEntry& entry : catalog().wrappers) check(entry);
}

TEST_CASE("list --json says what the registry says, at the sizes given", "[cli]") {
  const auto list =
      nlohmann::json::parse(posenc_command("list encodings --json --d-model 24 --heads 6 --seq-len 10").data);
  const EncodingSizes sizes{.d_model = 24, .heads = 6, .layers = 1, .max_len = 10};
  REQUIRE(list["encodings"].size() == catalog().encodings.size());
  REQUIRE(list["wrappers"].size() == catalog().wrappers.size());
  for (std::size_t i = 0; i < catalog().encodings.size(); ++i) {
    const EncodingEntry& entry = catalog().encodings[i];
    const auto& object = list["encodings"][i];
    INFO(entry.name);
    CHECK(object["name"] == entry.name);
    CHECK(object["parameters"].size() == entry.parameters.size());
    CHECK(object["bound_to_table"] == entry.bound_to_table);
    CHECK(object["relative"] == entry.relative);
    CHECK(object["misfit"].is_null() == !entry.causal_only);
    Parameters defaults;
    for (const ParameterSpec& spec : entry.parameters) defaults.set(spec.key, spec.fallback);
    if (!entry.causal_only) CHECK(object["trained_numbers"] == entry.parameter_count(sizes, defaults));
  }
  const auto odd = nlohmann::json::parse(posenc_command("list encodings --json --d-model 15 --heads 3").data);
  const auto count = std::count_if(odd["encodings"].begin(), odd["encodings"].end(),
                                   [](const auto& object) { return !object["misfit"].is_null(); });
  CHECK(count >= 2);  // those that need --causal or an even head width
}

TEST_CASE("the README's tables are what list --markdown prints", "[cli]") {
  for (const std::string table : {"tasks", "encodings"})
    check_page_shows("README.md", "<!-- build/posenc list " + table + " --markdown -->",
                     posenc_command("list " + table + " --markdown").data);
}

TEST_CASE("every encoding and wrapper has its paragraph in docs/ENCODINGS.md", "[cli]") {
  const std::string page = file("docs/ENCODINGS.md");
  const auto check = [&](const std::string& name) {
    if (page.find("`" + name) == std::string::npos) FAIL_CHECK("docs/ENCODINGS.md has no `" << name);
  };
  for (const EncodingEntry& entry : catalog().encodings) check(entry.name + "`");
  for (const WrapperEntry& entry : catalog().wrappers) check("+" + entry.name);
}

TEST_CASE("docs/adding-an-encoding.md shows the file that it speaks of", "[cli]") {
  check_page_shows("docs/adding-an-encoding.md", "```cpp", file("src/encodings/kerple.cpp") + "```");
}

TEST_CASE("no encoding's or task's name is compared outside its own file and the tables", "[cli]") {
  std::vector<std::string> names;
  for (const EncodingEntry& entry : catalog().encodings) names.push_back(entry.name);
  for (const WrapperEntry& entry : catalog().wrappers) names.push_back(entry.name);
  for (const TaskEntry& entry : catalog().tasks) names.push_back(entry.name);
  for (const auto& item : std::filesystem::recursive_directory_iterator(kSource + "/src")) {
    if (item.path().extension() != ".cpp" && item.path().extension() != ".h") continue;
    std::string text = file(std::filesystem::relative(item.path(), kSource).string());
    // What is no comparison: the sizes' "none" of an enumeration is written without quotes, help texts have whole
    // phrases.
    text = std::regex_replace(text, std::regex("config.pool == \"\\w+\""), "");  // --pool has a first and a last too
    for (const std::string& name : names) {
      std::string stem = name;
      std::replace(stem.begin(), stem.end(), '-', '_');
      if (item.path().stem() == stem) continue;
      INFO(item.path().string() << " compares with \"" << name << "\"");
      const bool compared = std::regex_search(text, std::regex("[!=]=\\s*\"" + name + "\"|\"" + name + "\"\\s*[!=]="));
      CHECK_FALSE(compared);
    }
  }
}

TEST_CASE("what list is asked wrongly is said in a line", "[cli]") {
  refused("list", "nothing is named (allowed: encodings, tasks)");
  refused("list encoding", "list: unknown table (given 'encoding', known: encodings, tasks, nearest: encodings)");
  refused("list encodings --json --markdown", "two forms of one output");
  refused("list encodings --vocab 3", "list encodings does not read this option (given '--vocab')");
  refused("list encodings --epochs 3", "list does not read this option (given '--epochs')");
}
