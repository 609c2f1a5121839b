#include "sweep/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <set>

#include "config/identity.h"
#include "config/threads.h"
#include "posenc/error.h"

namespace posenc {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool on_cuda(const RunConfig& config) { return config.device.starts_with("cuda"); }

// One run at a time on each CUDA device, and none on a device that was lost: an error there is final for the process.
class Devices {
 public:
  std::unique_lock<std::mutex> take(const std::string& device) {
    std::lock_guard guard(mutex_);
    return std::unique_lock(gates_[device], std::defer_lock);
  }
  bool lost(const std::string& device) {
    std::lock_guard guard(mutex_);
    return lost_.contains(device);
  }
  void lose(const std::string& device) {
    std::lock_guard guard(mutex_);
    lost_.insert(device);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::mutex> gates_;
  std::set<std::string> lost_;
};

class ParallelRuns {
 public:
  ParallelRuns(const Plan& plan, std::vector<std::uint64_t> places, Store& store, const ExecutorOptions& options,
               const Runner& runner, const std::function<bool()>& stop_requested,
               const std::function<void(const RunRecord&, const SweepCounts&)>& on_result)
      : plan_(plan),
        places_(std::move(places)),
        store_(store),
        options_(options),
        runner_(runner),
        stop_requested_(stop_requested),
        on_result_(on_result) {
    counts_.total = places_.size();
  }

  SweepCounts all() {
    // At most as many threads as runs; the first in the line are the dearest, so that none is left alone at the end.
    const auto jobs = std::min<std::uint64_t>(static_cast<std::uint64_t>(options_.jobs), places_.size());
    run_on_threads(static_cast<std::int64_t>(jobs), [this] { work(); });
    if (error_) std::rethrow_exception(error_);
    return counts_;
  }

 private:
  bool stopping() const { return stop_ || stop_requested_(); }

  void work() {
    try {
      while (!stopping()) {
        const std::size_t next = next_++;
        if (next >= places_.size()) return;
        const RunConfig config = plan_.at(places_[next]);
        if (const auto result = attempt(config)) keep(config, *result);
      }
    } catch (...) {
      const std::lock_guard guard(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
  }

  // Nothing when the run was dropped because the sweep stops.
  std::optional<RunResult> attempt(const RunConfig& config) {
    auto gate = on_cuda(config) ? devices_.take(config.device) : std::unique_lock<std::mutex>();
    if (on_cuda(config)) gate.lock();
    const auto begin = std::chrono::steady_clock::now();
    bool too_long = false;
    RunResult partial;
    RunObserver observer;
    observer.on_epoch = [&](const EpochResult& epoch) { partial.epochs.push_back(epoch); };
    observer.stop_requested = [&] {
      too_long = options_.timeout && seconds_since(begin) > *options_.timeout;
      return too_long || stopping();
    };
    try {
      if (on_cuda(config) && devices_.lost(config.device))
        throw Error(fmt::format("{} was lost to an earlier run's error", config.device));
      return runner_(config, observer, store_.model_path(run_id(config, plan_.catalog())));
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::interrupted && !too_long) return std::nullopt;
      if (error.kind() == Error::Kind::failure) throw;  // the disk's fault, not the run's: nothing more can be kept
      partial.message =
          too_long ? fmt::format("took longer than --timeout-per-run {} s", *options_.timeout) : error.what();
    } catch (const std::exception& error) {
      const std::string text = error.what();
      partial.message = first_line(text);
      if (on_cuda(config) && text.find("CUDA error") != std::string::npos) devices_.lose(config.device);
    }
    partial.status = RunResult::Status::failed;
    partial.seconds = seconds_since(begin);
    return partial;
  }

  void keep(const RunConfig& config, const RunResult& result) {
    const std::lock_guard guard(mutex_);
    const RunRecord record{run_id(config, plan_.catalog()), config, result,
                           execution_now(result.seconds, result.engine)};
    store_.append(record);
    switch (result.status) {
      case RunResult::Status::finished:
        ++counts_.finished;
        break;
      case RunResult::Status::diverged:
        ++counts_.diverged;
        break;
      case RunResult::Status::failed:
        ++counts_.failed;
        break;
    }
    if (options_.fail_fast && result.status != RunResult::Status::finished) stop_ = true;
    on_result_(record, counts_);
    if (!result.model_error.empty())
      throw Error(result.model_error, Error::Kind::failure);  // nor can the next be saved
  }

  const Plan& plan_;
  const std::vector<std::uint64_t> places_;
  Store& store_;
  const ExecutorOptions& options_;
  const Runner& runner_;
  const std::function<bool()>& stop_requested_;
  const std::function<void(const RunRecord&, const SweepCounts&)>& on_result_;

  Devices devices_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of all that follows, and of the store
  SweepCounts counts_;
  std::exception_ptr error_;
};

}  // namespace

SweepCounts execute(const Plan& plan, const std::vector<std::uint64_t>& places, Store& store,
                    const ExecutorOptions& options, const Runner& runner, const std::function<bool()>& stop_requested,
                    const std::function<void(const RunRecord&, const SweepCounts&)>& on_result) {
  return ParallelRuns(plan, plan.dearest_first(places), store, options, runner, stop_requested, on_result).all();
}

}  // namespace posenc
