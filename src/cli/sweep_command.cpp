// posenc sweep: every combination of the lists given, kept in a folder that can be gone on with at any time.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "base/json.h"
#include "cli/ceilings.h"
#include "cli/command.h"
#include "cli/jobs.h"
#include "cli/progress.h"
#include "cli/results_folder.h"
#include "cli/signals.h"
#include "config/cores.h"
#include "config/identity.h"
#include "config/lengths.h"
#include "config/memory.h"
#include "posenc/error.h"
#include "results/manifest.h"
#include "sweep/cost.h"
#include "sweep/executor.h"

namespace posenc {
namespace {

using Places = std::vector<std::uint64_t>;

template <typename T>
T extra_or(const ParsedOptions& options, const std::string& name, T fallback) {
  return read_extra<T>(sweep_options(), options, name).value_or(fallback);
}

// Calls `work` with each place; `done`, as "checked", is what the progress says of those that it was called with.
template <typename Work>
void for_each(const Places& places, const char* done, const Work& work, Console& console) {
  PlanningProgress progress(console, done, places.size());
  for (const std::uint64_t place : places) {
    work(place);
    progress.step();
  }
}

std::string runs_text(std::uint64_t count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

// Every combination is consistent, and this machine has what the largest need that may go on at once. Returns how many
// of `jobs` may.
std::int64_t check_all(const Plan& plan, const Places& places, std::int64_t jobs, Console& console) {
  std::vector<std::optional<double>> needs_of_variants(plan.variant_count());  // bytes; 0 on a device
  std::vector<double> needs;
  std::set<std::pair<std::string, std::int64_t>> machines;
  std::int64_t threads = 1;
  const auto check = [&](std::uint64_t place) {
    std::optional<double>& need = needs_of_variants[plan.variant(place)];
    if (!need) {
      plan.check_at(place);
      const RunConfig config = plan.at(place);
      need = config.device == "cpu" ? memory_needed(config, catalog()) : 0;
      if (machines.emplace(config.device, config.threads).second) check_machine(config);
      threads = std::max(threads, config.threads);
    }
    if (*need > 0) needs.push_back(*need);
  };
  for_each(places, "checked", check, console);
  const auto at_once = std::min<std::int64_t>(jobs, std::max<std::int64_t>(1, std::ssize(places)));
  if (const std::int64_t started = startable_jobs(at_once, threads, console); started < at_once) jobs = started;
  check_memory_at_once(std::move(needs), jobs);
  return jobs;
}

// A key that a sweep does not read would promise what it does not do.
void check_keys(const SweepSettings& given) {
  for (const auto& [name, setting] : given.settings)
    if (setting.origin.source == Origin::Source::file && !read_by_sweep(*find_field(name)))
      throw Error(fmt::format("{} is not for a sweep (allowed: options that decide what is computed, out, force, json)",
                              setting.origin.describe(name)));
}

void print_plan(const Plan& plan, const Places& places, Console& console) {
  std::vector<bool> checked(plan.variant_count());
  const auto check = [&](std::uint64_t place) {
    if (const std::uint64_t variant = plan.variant(place); !checked[variant]) {
      plan.check_at(place);
      checked[variant] = true;
    }
  };
  for_each(places, "checked", check, console);
  PlanCursor cursor(plan);
  const auto print = [&](std::uint64_t place) {
    const RunConfig& config = cursor.at(place);
    nlohmann::ordered_json line{{"run_id", run_id(config, catalog())}};
    for (const auto& [name, value] : identity(config)) line["config"][name] = json_value(value);
    console.print("{}", json_line(line));
  };
  if (isatty(STDOUT_FILENO) == 1) {
    std::for_each(places.begin(), places.end(), print);  // the lines themselves show that it goes on
  } else {
    for_each(places, "printed", print, console);
  }
}

// Seconds that one unit of run_cost() takes here, from training the run of median cost for a second.
double measured_rate(const Plan& plan, const Places& places) {
  const RunConfig config = plan.at(plan.dearest_first(places)[places.size() / 2]);
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  std::int64_t steps = 0;
  RunObserver observer;
  observer.stop_requested = [&] { return ++steps > 1 && elapsed() > 1; };
  try {
    run(config, observer);
    return elapsed() / run_cost(config);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::interrupted) throw;
  }
  const double share = static_cast<double>(steps - 1) / static_cast<double>(steps_of(config));
  return elapsed() / (run_cost(config) * share);
}

void print_dry_run(const Plan& plan, const Places& places, std::size_t done, std::int64_t jobs, Console& console) {
  console.print("{} of a grid of {}{}", runs_text(places.size() + done), plan.grid_size(),
                done == 0 ? "" : fmt::format(", {} of them done already", done));
  if (places.empty()) return;  // a shard of a sweep with fewer runs than shards
  console.print("first: {}", plan.describe(plan.at(places.front())));
  console.print("last: {}", plan.describe(plan.at(places.back())));
  const std::vector<double> costs = plan.costs(places);
  const double cost = std::accumulate(costs.begin(), costs.end(), 0.0);
  const double seconds = cost * measured_rate(plan, places) /
                         static_cast<double>(std::min<std::uint64_t>(static_cast<std::uint64_t>(jobs), places.size()));
  console.print("about {} with --jobs {}, from a second of training here", duration_text(seconds), jobs);
}

// Those of `places` that the folder `out` has no line of; it may not exist.
Places not_done(const Plan& plan, const Places& places, const std::string& out, Console& console) {
  RunRecords done;
  if (std::error_code error; std::filesystem::exists(out + "/runs.jsonl", error))
    done = read_runs(out, catalog()).records;
  if (done.all().empty()) return places;
  Places open;
  PlanCursor cursor(plan);
  const auto look = [&](std::uint64_t place) {
    if (done.find(run_id(cursor.at(place), catalog())) == nullptr) open.push_back(place);
  };
  for_each(places, "looked for", look, console);
  return open;
}

std::string last_text(const Plan& plan, const RunRecord& record) {
  const std::string what = plan.describe(record.config);
  if (record.result.status != RunResult::Status::finished)
    return fmt::format("{}: {} ({})", what, status_name(record.result.status), one_line(record.result.message));
  return fmt::format("{}: accuracy {:.4f}", what, record.result.last().val_acc);
}

// Runs of this plan that the folder has, by status.
struct Tally {
  std::uint64_t total = 0, finished = 0, diverged = 0, failed = 0;
};

Tally tally(const std::vector<std::string>& ids, const Store& store) {
  Tally all{.total = ids.size()};
  for (const std::string& id : ids) {
    const RunRecord* record = store.find(id);
    if (record == nullptr) continue;
    all.finished += record->result.status == RunResult::Status::finished;
    all.diverged += record->result.status == RunResult::Status::diverged;
    all.failed += record->result.status == RunResult::Status::failed;
  }
  return all;
}

void print_tally(const Tally& all, const std::string& out, bool json, Console& console) {
  const std::uint64_t open = all.total - all.finished - all.diverged - all.failed;
  if (json) {
    console.print("{}", json_line({{"runs", all.total},
                                   {"finished", all.finished},
                                   {"diverged", all.diverged},
                                   {"failed", all.failed},
                                   {"not_run", open},
                                   {"out", out}}));
  } else {
    console.print("{} of {} finished, {} diverged, {} failed, {} not run; results in {}", all.finished,
                  runs_text(all.total), all.diverged, all.failed, open, out);
  }
}

}  // namespace

// A sweep expects nothing of its runs.
bool read_by_sweep(const Field& field) { return field.name != "expect-val-acc"; }

const std::vector<ExtraOption>& sweep_options() {
  static const std::vector<ExtraOption> options = {
      {"jobs", "N", "runs at a time; default: the cores that this process may use", ValueType::integer(1, 4096)},
      {"shard", "I/N", "run only the I-th of N parts, from 1, each with its own --out", ValueType::text()},
      {"max-runs", "N", "run at most N of those that are not done", ValueType::integer(0)},
      {"timeout-per-run", "S", "seconds after which a run is given up, asked between its steps",
       ValueType::real("(0, 1e9]")},
      {.name = "retry-failed", .help = "run again what failed"},
      {.name = "fail-fast", .help = "stop after the first run that failed or diverged"},
      {.name = "dry-run", .help = "say what would run and about how long it would take, and train for one second only"},
      {.name = "plan", .help = "print one JSON object a run and train nothing"},
  };
  return options;
}

int sweep_command(const ParsedOptions& options, Console& console) {
  const SweepSettings given = gather_sweep(options.settings);
  check_keys(given);
  const Plan plan(given, catalog());
  const auto shard_text = extra_or<std::string>(options, "shard", "1/1");
  ExecutorOptions how{.jobs = extra_or<std::int64_t>(options, "jobs", usable_cores()),
                      .timeout = options.extras.contains("timeout-per-run")
                                     ? std::optional(extra_or<double>(options, "timeout-per-run", 0.0))
                                     : std::nullopt,
                      .fail_fast = extra_or(options, "fail-fast", false)};
  const std::int64_t max_runs = extra_or<std::int64_t>(options, "max-runs", kLargestInteger);
  const bool retry_failed = extra_or(options, "retry-failed", false);
  const RunConfig& base = plan.base().config;

  const Shard shard = parse_shard(shard_text);
  const Places places = plan.runs(shard);
  if (extra_or(options, "plan", false)) {
    print_plan(plan, places, console);
    return 0;
  }
  if (places.empty() && shard.of == 1) throw Error("the sweep has no runs (every combination is excluded)");
  how.jobs = check_all(plan, places, how.jobs, console);
  for (const std::string& where : plan.idle_exclusions())
    console.say("note: the [[exclude]] at {} names a value that no run has, and leaves nothing out", where);
  if (extra_or(options, "dry-run", false)) {
    const Places open = not_done(plan, places, base.out, console);
    print_dry_run(plan, open, places.size() - open.size(), how.jobs, console);
    return 0;
  }
  if (base.out.empty()) throw Error("a sweep needs a folder for its results (write: --out DIR)");

  Store store(base.out, catalog());
  console.keep_going();
  say_found(store, console);
  const std::string definition = plan.definition();
  if (store.defined_otherwise(definition))
    console.say("note: {} holds a sweep that was defined differently; this one's runs are added to it", base.out);

  std::vector<std::string> ids;
  Places open;
  PlanCursor cursor(plan);
  const auto look = [&](std::uint64_t place) {
    ids.push_back(run_id(cursor.at(place), catalog()));
    const RunRecord* record = base.force ? nullptr : store.find(ids.back());
    const bool again = record != nullptr && record->result.status == RunResult::Status::failed && retry_failed;
    if (record == nullptr || again) open.push_back(place);
  };
  for_each(places, "looked for", look, console);
  const Tally before = tally(ids, store);
  if (open.size() < places.size())
    console.say("note: {} of {} are done already{}", places.size() - open.size(), runs_text(places.size()),
                before.failed > 0 && !retry_failed
                    ? fmt::format(", {} of them failed (--retry-failed runs those again)", before.failed)
                    : "");
  if (!base.force) say_without_model(store.without_model(ids), base.out, console);
  say_hopeless(
      open.size(), [&](std::uint64_t i) { return cursor.at(open[i]); }, console);
  if (open.size() > static_cast<std::uint64_t>(max_runs)) open.resize(static_cast<std::size_t>(max_runs));

  nlohmann::ordered_json invocation = describe_invocation(options.arguments, plan.base(), build_info());
  invocation["sweep"] = definition;
  invocation["shard"] = shard_text;
  invocation["jobs"] = how.jobs;
  store.write_manifest(invocation);
  const auto finish = [&] {
    store.write_exports(ids);
    invocation["ended"] = utc_now();
    store.write_manifest(invocation);
  };
  try {
    Progress progress(console, open.size());
    execute(plan, open, store, how, run, stop_requested, [&](const RunRecord& record, const SweepCounts& counts) {
      progress.update(last_text(plan, record), counts);
    });
  } catch (const Error&) {
    finish();  // of the runs that were kept
    throw;
  }
  finish();

  const Tally all = tally(ids, store);
  if (stop_requested()) {
    console.say("{} of {} are kept in {}; the same command goes on", all.finished + all.diverged + all.failed,
                runs_text(all.total), base.out);
    throw Error("interrupted", Error::Kind::interrupted);
  }
  print_tally(all, base.out, base.json, console);
  return all.diverged + all.failed > 0 ? 1 : 0;
}

}  // namespace posenc
