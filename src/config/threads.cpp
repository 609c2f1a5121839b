#include "config/threads.h"

#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace posenc {
namespace {

// Adds up to `count` threads that call `work`.
void start_threads(std::vector<std::thread>& threads, std::int64_t count, const std::function<void()>& work) {
  if (count <= 0) return;
  threads.reserve(static_cast<std::size_t>(count));  // so that only starting a thread can fail
  try {
    for (std::int64_t i = 0; i < count; ++i) threads.emplace_back([&work] { work(); });
  } catch (const std::system_error&) {
    // EAGAIN: the system has no more of them.
  }
}

}  // namespace

std::int64_t startable_threads(std::int64_t wanted) {
  std::latch all_are_counted(1);
  const std::function<void()> wait = [&] { all_are_counted.wait(); };
  std::vector<std::thread> threads;
  start_threads(threads, wanted, wait);
  all_are_counted.count_down();
  for (std::thread& thread : threads) thread.join();
  return static_cast<std::int64_t>(threads.size());
}

void run_on_threads(std::int64_t count, const std::function<void()>& work) {
  if (count <= 0) return;
  std::vector<std::thread> others;
  start_threads(others, count - 1, work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace posenc
