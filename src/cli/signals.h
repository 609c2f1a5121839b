// Ctrl-C and SIGTERM: a request to stop that the work asks for between two steps.
#pragma once

#include <string>

namespace posenc {

// From here on a signal that is not ignored already is remembered. Work that does not notice it within a second is ended; a second signal ends it
// at once. Either way the exit code is 128 + signal.
void catch_signals();

bool stop_requested();

// "interrupted" or "terminated"
std::string stopped_by();

// 128 + the signal that was caught: 130 for Ctrl-C, 143 for SIGTERM.
int signal_exit_code();

}  // namespace posenc
