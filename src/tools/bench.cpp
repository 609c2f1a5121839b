#include "posenc/bench.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "kernels/gemm.h"
#include "posenc/run.h"
#include "training/machine.h"
#include "training/trainer.h"

namespace posenc {
namespace {

using torch::Tensor;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds that one call of `work` takes: the median of groups of calls that together last `seconds`.
template <typename Work>
double time_of(double seconds, const Work& work) {
  work();
  double begin = now();
  work();
  const double once = std::max(now() - begin, 1e-9);
  constexpr int kGroups = 15;
  const auto calls = static_cast<std::int64_t>(std::clamp(seconds / kGroups / once, 1.0, 1e7));
  std::vector<double> groups;
  const double end = now() + seconds;
  for (int group = 0; group < kGroups && (group < 3 || now() < end); ++group) {
    begin = now();
    for (std::int64_t i = 0; i < calls; ++i) work();
    groups.push_back((now() - begin) / static_cast<double>(calls));
  }
  return median(groups);
}

// Trains on the same batches over and over.
class Steps {
 public:
  explicit Steps(const RunConfig& config)
      : trainer_(config), batches_(torch::arange(trainer_.training_set().size()).split(config.batch_size)) {
    if (batches_.size() > 1 && batches_.back().numel() < config.batch_size) batches_.pop_back();
  }
  void step(StepTimes* times = nullptr) { trainer_.train_step(batches_[next_++ % batches_.size()], times); }
  Trainer& trainer() { return trainer_; }

 private:
  Trainer trainer_;
  std::vector<Tensor> batches_;
  std::size_t next_ = 0;
};

// One product of a step: how often it occurs, and how fast it can be.
struct Product {
  std::int64_t count, rows, columns, depth;
  bool a_transposed = false;

  double operations() const { return 2.0 * static_cast<double>(count * rows * columns * depth); }

  double seconds() const {
    const std::int64_t batch = std::min<std::int64_t>(count, 256);  // products of heads follow each other in memory
    at::Generator source = at::detail::createCPUGenerator(1);
    const Tensor a = torch::randn({batch, a_transposed ? depth : rows, a_transposed ? rows : depth}, source);
    const Tensor b = torch::randn({batch, depth, columns}, source);
    Tensor c = torch::empty({batch, rows, columns});
    constexpr double kSeconds = 0.05;
    const Tensor a_view = a_transposed ? a.transpose(1, 2) : a;
    const double library = time_of(kSeconds, [&] { at::bmm_out(c, a_view, b); });
    const double ours = time_of(kSeconds, [&] {
      for (std::int64_t i = 0; i < batch; ++i)
        kernels::matrix_product(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                                static_cast<std::size_t>(depth), a.const_data_ptr<float>() + i * rows * depth,
                                a_transposed, b.const_data_ptr<float>() + i * depth * columns,
                                c.mutable_data_ptr<float>() + i * rows * columns);
    });
    return std::min(library, ours) * static_cast<double>(count) / static_cast<double>(batch);
  }
};

// Forward, gradient to the input, gradient to the weight or the other factor.
std::vector<Product> products(const RunConfig& c) {
  const std::int64_t batch = std::min(c.batch_size, c.train_size), rows = batch * c.model_length(), d = c.d_model,
                     f = c.ffn;
  const std::int64_t heads = batch * c.heads, width = c.d_model / c.heads, length = c.model_length();
  std::vector<Product> all;
  const auto linear = [&](std::int64_t inputs, std::int64_t outputs) {
    all.push_back({c.layers, rows, outputs, inputs});
    all.push_back({c.layers, rows, inputs, outputs});
    all.push_back({c.layers, outputs, inputs, rows, true});
  };
  linear(d, 3 * d);
  linear(d, d);
  linear(d, f);
  linear(f, d);
  const std::int64_t all_heads = c.layers * heads;
  all.push_back({all_heads, length, length, width});  // scores, and the gradient of probabilities
  all.push_back({all_heads, length, length, width});
  all.push_back({all_heads, length, width, length});  // context, and the gradient of queries
  all.push_back({all_heads, length, width, length});
  all.push_back({all_heads, length, width, length, true});  // gradients of keys and of values
  all.push_back({all_heads, length, width, length, true});
  return all;
}

// Of all jobs together, over a stretch of time in which all of them train. Throws what ends one of them.
double steps_per_second(const RunConfig& config, std::int64_t jobs, double seconds) {
  std::atomic<std::int64_t> ready{0}, steps_done{0};
  std::atomic<bool> stop{false};
  std::vector<std::future<void>> workers;  // each waits for its thread where it is destroyed
  try {
    for (std::int64_t job = 0; job < jobs; ++job)
      workers.push_back(std::async(std::launch::async, [&] {
        use_threads(config.threads);
        Steps steps(config);
        steps.step();
        ++ready;
        while (!stop) {
          steps.step();
          ++steps_done;
        }
      }));
    const auto ended = [](const std::future<void>& worker) {
      return worker.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
    };
    while (ready < jobs)
      for (std::future<void>& worker : workers)
        if (ended(worker)) worker.get();
    const std::int64_t before = steps_done;
    const double begin = now();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const double rate = static_cast<double>(steps_done - before) / (now() - begin);
    stop = true;
    for (std::future<void>& worker : workers) worker.get();
    return rate;
  } catch (...) {
    stop = true;
    throw;
  }
}

}  // namespace

Bench bench(const RunConfig& config, std::int64_t most_jobs) {
  use_threads(config.threads);
  check_machine(config);
  Bench result;
  result.engine = engine_name(config);

  constexpr double kSeconds = 1.5;
  Steps steps(config);
  result.step_seconds = time_of(kSeconds, [&] { steps.step(); });
  StepTimes times;
  std::int64_t timed = 0;
  for (const double end = now() + kSeconds; timed < 3 || now() < end; ++timed) steps.step(&times);
  const auto part = [&](double seconds) { return seconds / static_cast<double>(timed); };
  result.parts = {{"batch", part(times.batch)},
                  {"forward", part(times.forward)},
                  {"backward", part(times.backward)},
                  {"optimizer", part(times.optimizer)}};
  result.mask_seconds = config.dropout > 0 ? time_of(0.3, [&] { steps.trainer().draw_masks(); }) : 0;

  double operations = 0;
  for (const Product& product : products(config)) {
    result.product_seconds += product.seconds();
    operations += product.operations();
  }
  result.product_gflops = operations / result.product_seconds / 1e9;
  result.peak_gflops = kernels::peak_gflops();

  RunConfig reference = config;
  reference.engine = "reference";
  Steps reference_steps(reference);
  result.reference_seconds = time_of(kSeconds, [&] { reference_steps.step(); });

  for (std::int64_t jobs = 1; jobs < most_jobs; jobs *= 2)
    result.jobs.push_back({jobs, steps_per_second(config, jobs, 0.7)});
  result.jobs.push_back({most_jobs, steps_per_second(config, most_jobs, 0.7)});
  return result;
}

}  // namespace posenc
