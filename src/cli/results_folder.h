// --out: runs that leave something behind, and results that are there already.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "config/resolve.h"
#include "results/store.h"

namespace posenc {

// Says which lines opening `store` found damaged, what became of them, and what stands in for a lock that it lacks.
void say_found(const Store& store, Console& console);

// Says of which stored runs, if any, the model is not there. `ids` are theirs, `folder` that of the results.
void say_without_model(const std::vector<std::string>& ids, const std::string& folder, Console& console);

class ResultsFolder {
 public:
  // Opens the folder of --out, if there is one, for the runs of `plan`; says what was damaged in it.
  // `arguments` and `resolved` go into the manifest. Throws Error as Store does.
  ResultsFolder(const std::vector<std::string>& arguments, const Resolved& resolved, std::vector<RunConfig> plan,
                Console& console);
  ~ResultsFolder();  // where anything was run: writes the exports and ends the manifest's entry
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // What the folder already has of `config`, unless --force or it failed.
  const RunRecord* stored(const RunConfig& config) const;

  // Those of the plan's finished runs whose model is not there.
  std::vector<std::string> without_model() const;

  // Trains `config`, printing its epochs, and keeps the result.
  RunResult run(const RunConfig& config);

 private:
  Console& console_;
  std::optional<Store> store_;
  std::vector<std::string> plan_;  // run ids
  nlohmann::ordered_json invocation_;
  bool begun_ = false;  // a run was begun, and the manifest says so
};

}  // namespace posenc
