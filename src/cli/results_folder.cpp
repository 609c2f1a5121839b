#include "cli/results_folder.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/epoch_lines.h"
#include "cli/signals.h"
#include "config/identity.h"
#include "posenc/error.h"
#include "results/manifest.h"

namespace posenc {

void say_found(const Store& store, Console& console) {
  if (!store.lock_note().empty()) console.say("note: {}", one_line(store.lock_note()));
  for (const std::string& line : store.damage())
    console.say("warning: {}; moved to runs.jsonl.damaged, and its run counts as not done", one_line(line));
}

void say_without_model(const std::vector<std::string>& ids, const std::string& folder, Console& console) {
  constexpr std::size_t kNamed = 3;
  if (ids.empty()) return;
  std::vector<std::string> named = ids;
  named.resize(std::min(kNamed, ids.size()));
  if (named.size() < ids.size()) named.emplace_back("...");
  console.say("note: {} has the result but not the model of {} finished run{} ({}); --force runs {} again", folder,
              ids.size(), ids.size() == 1 ? "" : "s", fmt::join(named, ", "), ids.size() == 1 ? "it" : "them");
}

ResultsFolder::ResultsFolder(const std::vector<std::string>& arguments, const Resolved& resolved,
                             std::vector<RunConfig> plan, Console& console)
    : console_(console) {
  for (const RunConfig& config : plan) plan_.push_back(run_id(config, catalog()));
  if (resolved.config.out.empty()) return;
  store_.emplace(resolved.config.out, catalog());
  console_.keep_going();
  say_found(*store_, console_);
  invocation_ = describe_invocation(arguments, resolved, build_info());
}

ResultsFolder::~ResultsFolder() {
  if (!store_) return;
  try {
    // Also where nothing ran: an earlier invocation may have been killed before it came to this.
    store_->write_exports(plan_);
    if (!begun_) return;
    invocation_["ended"] = utc_now();
    store_->write_manifest(invocation_);
  } catch (const std::exception& error) {
    // runs.jsonl has everything; exports are written again by the next call.
    console_.say("warning: {}", one_line(error.what()));
  }
}

const RunRecord* ResultsFolder::stored(const RunConfig& config) const {
  if (!store_ || config.force) return nullptr;
  const RunRecord* record = store_->find(run_id(config, catalog()));
  return record != nullptr && record->result.status != RunResult::Status::failed ? record : nullptr;
}

std::vector<std::string> ResultsFolder::without_model() const {
  return store_ ? store_->without_model(plan_) : std::vector<std::string>();
}

RunResult ResultsFolder::run(const RunConfig& config) {
  if (store_ && !begun_) {
    store_->write_manifest(invocation_);
    begun_ = true;
  }
  const std::string id = run_id(config, catalog());
  RunObserver observer;
  observer.stop_requested = stop_requested;
  observer.on_epoch = [&](const EpochResult& epoch) { print_epoch(config, epoch, console_); };
  const auto keep = [&](const RunResult& result) {
    if (store_) store_->append({id, config, result, execution_now(result.seconds, result.engine)});
  };
  RunResult result;
  try {
    result = posenc::run(config, observer, store_ ? store_->model_path(id) : "");
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    // LibTorch gave up in the middle: that is an outcome of the run, too.
    result.status = RunResult::Status::failed;
    result.message = first_line(error.what());
    keep(result);
    throw;
  }
  keep(result);
  print_lengths(config, result, console_);
  if (!result.model_error.empty()) throw Error(result.model_error, Error::Kind::failure);
  return result;
}

}  // namespace posenc
