#include "config/threads.h"

#include <atomic>
#include <barrier>

#include "support/catch.h"
#include "support/limits.h"

using namespace posenc;

TEST_CASE("work is done on as many threads at once as are asked for", "[config]") {
  for (const std::int64_t count : {1, 2, 5}) {
    std::barrier all(count);  // waits for ever where they follow each other
    std::atomic<std::int64_t> calls = 0;
    run_on_threads(count, [&] {
      all.arrive_and_wait();
      ++calls;
    });
    CHECK(calls == count);
  }
  CHECK(startable_threads(3) == 3);
}

TEST_CASE("no thread is no work", "[config]") {
  bool called = false;
  run_on_threads(0, [&] { called = true; });
  CHECK_FALSE(called);
  CHECK(startable_threads(0) == 0);
  CHECK(startable_threads(-1) == 0);
}

TEST_CASE("where the system starts no thread the calling one does the work", "[config]") {
  CHECK(in_child([] {
          allow_no_more_threads();
          int calls = 0;
          run_on_threads(5, [&] { ++calls; });
          return calls;
        }) == 1);
  CHECK(in_child([] {
          allow_no_more_threads();
          return static_cast<int>(startable_threads(5));
        }) == 0);
}
