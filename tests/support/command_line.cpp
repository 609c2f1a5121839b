#include "support/command_line.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "cli/app.h"
#include "support/catch.h"

namespace posenc {
namespace {

// What a FILE* was written, as a string.
class MemoryFile {
 public:
  MemoryFile() : file_(open_memstream(&text_, &size_)) {}
  ~MemoryFile() {
    std::fclose(file_);
    std::free(text_);
  }
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

}  // namespace

Outcome posenc_command(const std::vector<std::string>& arguments) {
  MemoryFile data, talk;
  const int exit_code = run_app(arguments, data.file(), talk.file());
  return {exit_code, data.text(), talk.text()};
}

Outcome posenc_command(const std::string& arguments) { return posenc_command(words(arguments)); }

void refused(const std::vector<std::string>& arguments, const std::string& message) {
  const Outcome outcome = posenc_command(arguments);
  INFO(outcome.talk);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.data == "");
  CHECK(lines(outcome.talk).size() == 1);
  CHECK_THAT(outcome.talk, StartsWith("posenc: error: ") && ContainsSubstring(message));
}

void refused(const std::string& arguments, const std::string& message) { refused(words(arguments), message); }

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

}  // namespace posenc
