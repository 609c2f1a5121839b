// posenc predict MODEL.pt: the class and the probabilities that a saved model gives to sequences.
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/saved_model.h"
#include "config/choice.h"
#include "posenc/error.h"
#include "posenc/saved_model.h"

namespace posenc {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::int64_t> parse_tokens(const std::string& text, const RunConfig& config, const std::string& what) {
  const ValueType type = ValueType::integer(0, config.vocab - 1);
  std::vector<std::int64_t> tokens;
  for (const std::string& piece : split(text, ','))
    tokens.push_back(std::get<std::int64_t>(parse_value(type, trimmed(piece), what)));
  return tokens;
}

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
  const RunConfig config = resolve(settings_for_model(model, options.settings), catalog()).config;
  const Predictor predictor(config, model);
  const auto answer = [&](const std::string& text, const std::string& what) {
    const auto tokens = parse_tokens(text, config, what);
    print(predictor.predict(tokens), tokens, config.json, console);
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
