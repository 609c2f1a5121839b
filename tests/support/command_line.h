// posenc's command line inside the test's own process: as fast as a function call.
#pragma once

#include <string>
#include <vector>

namespace posenc {

struct Outcome {
  int exit_code;
  std::string data;  // stdout
  std::string talk;  // stderr
};

Outcome posenc_command(const std::vector<std::string>& arguments);

// The same from one string, split at spaces.
Outcome posenc_command(const std::string& arguments);

// Checks that posenc refuses `arguments`: exit 2, nothing on stdout, one line on stderr that contains `message`.
void refused(const std::vector<std::string>& arguments, const std::string& message);
void refused(const std::string& arguments, const std::string& message);

std::vector<std::string> words(const std::string& text);
std::vector<std::string> lines(const std::string& text);

}  // namespace posenc
