// posenc bench: how fast a configuration trains here, and where its time goes.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/jobs.h"
#include "cli/progress.h"
#include "config/cores.h"
#include "config/memory.h"
#include "config/resolve.h"
#include "posenc/bench.h"
#include "posenc/run.h"

namespace posenc {
namespace {

nlohmann::ordered_json to_json(const RunConfig& config, const Bench& b) {
  nlohmann::ordered_json json{{"pos", config.pos}, {"engine", b.engine}, {"step_seconds", b.step_seconds}};
  for (const BenchPart& part : b.parts) json["parts"][part.name] = part.seconds;
  json["mask_seconds"] = b.mask_seconds;
  json["product_seconds"] = b.product_seconds;
  json["product_gflops"] = b.product_gflops;
  json["peak_gflops"] = b.peak_gflops;
  json["reference_seconds"] = b.reference_seconds;
  for (const Bench::Jobs& jobs : b.jobs)
    json["jobs"].push_back({{"jobs", jobs.jobs}, {"steps_per_second", jobs.steps_per_second}});
  return json;
}

}  // namespace

const std::vector<ExtraOption>& bench_options() {
  static const std::vector<ExtraOption> options = {
      {"jobs", "N", "measure 1, 2, 4, ... and N runs at a time; default: the cores of this machine",
       ValueType::integer(1, 4096)}};
  return options;
}

int bench_command(const ParsedOptions& options, Console& console) {
  const auto jobs_given = read_extra<std::int64_t>(bench_options(), options, "jobs");
  const RunConfig config = resolve(gather(options.settings), catalog()).config;
  check_machine(config);
  const std::int64_t most_jobs = startable_jobs(jobs_given.value_or(usable_cores()), config.threads, console);
  if (config.device == "cpu")
    check_memory_at_once(std::vector(static_cast<std::size_t>(most_jobs), memory_needed(config, catalog())), most_jobs);
  const Bench b = bench(config, most_jobs);
  if (config.json) {
    console.print("{}", to_json(config, b).dump());
    return 0;
  }
  const double steps =
      static_cast<double>((config.train_size + config.batch_size - 1) / config.batch_size * config.epochs);
  console.print("{}: length {}, width {}, {} head{}, ffn {}, {} layer{}, batch {}, dropout {}", config.pos,
                config.seq_len, config.d_model, config.heads, config.heads == 1 ? "" : "s", config.ffn, config.layers,
                config.layers == 1 ? "" : "s", std::min(config.batch_size, config.train_size), config.dropout);
  console.print("engine {}: {:.3f} ms a step, {:.0f} steps a second; {} epochs of {} sequences take {}", b.engine,
                1e3 * b.step_seconds, 1 / b.step_seconds, config.epochs, config.train_size,
                duration_text(steps * b.step_seconds));
  double sum = 0;
  for (const BenchPart& part : b.parts) sum += part.seconds;
  for (const BenchPart& part : b.parts)
    console.print("  {:<10} {:4.0f} %{}", part.name, 100 * part.seconds / sum,
                  part.name == "forward" && b.mask_seconds > 0
                      ? fmt::format("   of which {:.0f} % of the step for dropout masks", 100 * b.mask_seconds / sum)
                      : "");
  console.print("its matrix products alone: {:.3f} ms, {:.2f} of the step, at {:.0f} GFLOP/s of a peak of {:.0f}",
                1e3 * b.product_seconds, b.product_seconds / b.step_seconds, b.product_gflops, b.peak_gflops);
  console.print("LibTorch's operators: {:.3f} ms a step, {:.2f} times as long", 1e3 * b.reference_seconds,
                b.reference_seconds / b.step_seconds);
  for (const Bench::Jobs& jobs : b.jobs)
    console.print("--jobs {:<3} {:.0f} steps a second, {:.2f} times one", jobs.jobs, jobs.steps_per_second,
                  jobs.steps_per_second / b.jobs.front().steps_per_second);
  return 0;
}

}  // namespace posenc
