// posenc eval MODEL.pt: the accuracy of a saved model on a validation set.
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/epoch_lines.h"
#include "cli/saved_model.h"
#include "posenc/error.h"
#include "posenc/saved_model.h"

namespace posenc {

int eval_command(const ParsedOptions& options, Console& console) {
  const std::string model = model_argument(options);
  const auto [config, steps_at, data_seed] = saved_model(model, options.settings, /*tested=*/true);
  if (config.holdout_pairs > 0 && config.data_seed != data_seed)
    throw Error(fmt::format(
        "another data seed holds out other pairs, and this model was trained on them (given {}, allowed: {})",
        config.data_seed, data_seed));
  console.keep_going();  // the exit code is a result
  const RunResult result = evaluate(config, model, steps_at);
  const double accuracy = result.last().val_acc;
  if (config.json) {
    console.print("{}", nlohmann::ordered_json{{"val_acc", accuracy}, {"sequences", config.val_size}}.dump());
  } else {
    console.print("Val Acc: {:.4f} ({} sequences)", accuracy, config.val_size);
  }
  print_lengths(config, result, console);
  return judge_accuracy(config, accuracy, console);
}

}  // namespace posenc
