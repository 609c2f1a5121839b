// Threads where the system may refuse more of them: a limit on processes, on a control group's, or on memory.
#pragma once

#include <cstdint>
#include <functional>

namespace posenc {

// How many of `wanted` threads can run at once beside those that run now. It starts and ends them.
std::int64_t startable_threads(std::int64_t wanted);

// Calls `work` on `count` threads at once, or on as many as can be started; the calling one is among them. Returns when
// all calls have. `work` must not throw.
void run_on_threads(std::int64_t count, const std::function<void()>& work);

}  // namespace posenc
