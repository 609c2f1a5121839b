#include "posenc/sample.h"

#include "posenc/run.h"
#include "training/trainer.h"

namespace posenc {

std::vector<LabelledSequence> sample(const RunConfig& given, std::int64_t count) {
  // Sequences are drawn one after the other, so that the first of them do not depend on how many follow.
  RunConfig config = given;
  if (config.data != "online") config.train_size = count;
  config.val_size = 1;
  config.device = "cpu";
  check_machine(config);
  const Trainer trainer(config);
  std::vector<LabelledSequence> sequences;
  for (int64_t step = 0; static_cast<int64_t>(sequences.size()) < count; ++step) {
    const Dataset data = trainer.data().fixed() ? trainer.training_set() : trainer.data().online_batch(step);
    for (int64_t i = 0; i < data.size() && static_cast<int64_t>(sequences.size()) < count; ++i) {
      const int64_t* tokens = data.tokens.const_data_ptr<int64_t>() + i * data.length();
      sequences.push_back({{tokens, tokens + data.length()}, data.labels.const_data_ptr<int64_t>()[i]});
    }
  }
  return sequences;
}

}  // namespace posenc
