// posenc predict MODEL.pt: the class and the probabilities that a saved model gives to sequences.
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
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
  std::int64_t number = 0;
  for (std::string line; std::getline(std::cin, line);)
    answer(line, fmt::format("line {} of standard input", ++number));
  if (number == 0)
    throw Error("no sequences (standard input is empty; allowed: a sequence a line, or --tokens 3,1,4,1)");
  return 0;
}

}  // namespace posenc
