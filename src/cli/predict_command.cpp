// posenc predict MODEL.pt: the class and the probabilities that a saved model gives to sequences.
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/saved_model.h"
#include "cli/tokens.h"
#include "posenc/error.h"
#include "posenc/saved_model.h"

namespace posenc {
namespace {

void print(const Prediction& prediction, const std::vector<std::int64_t>& tokens, bool json, Console& console) {
  if (json) {
    nlohmann::ordered_json line{{"tokens", tokens}, {"class", prediction.label}};
    line["probabilities"] = prediction.probabilities;
    console.print("{}", line.dump());
  } else {
    console.print("class {} (probabilities {:.4f})", prediction.label, fmt::join(prediction.probabilities, ", "));
  }
}

// The next line of standard input; false at its end. Throws Error: it cannot be read, or goes on for ever.
bool next_line(std::string& line, std::int64_t number) {
  constexpr std::size_t kMost = 1 << 24;  // bytes; a sequence of millions of tokens
  line.clear();
  int c = 0;
  errno = 0;
  while ((c = std::getc(stdin)) != EOF && c != '\n') {
    if (line.size() == kMost)
      throw Error(fmt::format("line {} of standard input is too long (allowed: up to {} bytes)", number, kMost));
    line.push_back(static_cast<char>(c));
  }
  if (std::ferror(stdin) != 0)
    throw Error(fmt::format("cannot read standard input ({})", std::strerror(errno)), Error::Kind::failure);
  return c != EOF || !line.empty();
}

}  // namespace

int predict_command(const ParsedOptions& options, Console& console) {
  const std::string model = model_argument(options);
  const SavedModel saved = saved_model(model, options.settings);
  const Predictor predictor(saved.config, model, saved.trained());
  const auto answer = [&](const std::string& text, const std::string& what) {
    const auto tokens = parse_tokens(text, saved.config, what);
    print(predictor.predict(tokens), tokens, saved.config.json, console);
  };
  if (const auto tokens = options.extras.find("tokens"); tokens != options.extras.end()) {
    answer(tokens->second, "--tokens");
    return 0;
  }
  if (isatty(STDIN_FILENO)) console.say("reading sequences from standard input: one a line, as 3,1,4,1");
  std::int64_t number = 1;
  for (std::string line; next_line(line, number); ++number)
    answer(line.find('\0') == std::string::npos ? line : one_line(line),
           fmt::format("line {} of standard input", number));
  if (number == 1)
    throw Error("no sequences (standard input is empty; allowed: a sequence a line, or --tokens 3,1,4,1)");
  return 0;
}

}  // namespace posenc
