// posenc as a function: arguments in, data and talk out, exit code back. Never throws.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace posenc {

// `arguments` without the program's name. Exit codes: 0 good, 1 a run failed, diverged or missed an expectation,
// 2 usage or configuration, 130 interrupted, 143 terminated.
int run_app(const std::vector<std::string>& arguments, std::FILE* data, std::FILE* talk);

}  // namespace posenc
