// posenc eval MODEL.pt: the accuracy of a saved model on a validation set.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/epoch_lines.h"
#include "cli/saved_model.h"
#include "posenc/error.h"
#include "posenc/saved_model.h"

namespace posenc {

int eval_command(const ParsedOptions& options, Console& console) {
  const std::string model = model_argument(options);
  const auto [config, trained, data_seed] = saved_model(model, options.settings, /*tested=*/true);
  if (config.holdout_pairs > 0 && config.data_seed != data_seed)
    throw Error(fmt::format(
        "another data seed holds out other pairs, and this model was trained on them (given {}, allowed: {})",
        config.data_seed, data_seed));
  const double accuracy = evaluate(config, model);
  if (config.json) {
    console.print("{}", nlohmann::ordered_json{{"val_acc", accuracy}, {"sequences", config.val_size}}.dump());
  } else {
    console.print("Val Acc: {:.4f} ({} sequences)", accuracy, config.val_size);
  }
  if (!config.eval_len.empty()) {
    RunResult result;
    result.epochs.push_back({config.epochs, std::nan(""), accuracy});
    for (const std::int64_t length : trained) result.steps_at.push_back({length, 0});
    result.lengths = test_lengths(config, model, trained);
    print_lengths(config, result, console);
  }
  return judge_accuracy(config, accuracy, console);
}

}  // namespace posenc
