// Optimizers against torch.optim in Python (scripts/golden/optimizers.py, tests/golden/optimizers.json).
#include "training/optimizer.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "config/schedule_choice.h"
#include "support/command_line.h"
#include "support/torch_catch.h"
#include "training/trainer.h"

using namespace posenc;
using nlohmann::json;
using torch::Tensor;

namespace {

json golden() { return json::parse(std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/golden/optimizers.json")); }

Tensor matrix(const json& rows) {
  std::vector<Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(torch::tensor(row.get<std::vector<float>>()));
  return torch::stack(tensors);
}

Tensor vector(const json& numbers) { return torch::tensor(numbers.get<std::vector<float>>()); }

RunConfig configuration(const json& run) {
  RunConfig config;
  config.optimizer = run["optimizer"];
  config.weight_decay = run["weight-decay"];
  config.momentum = run["momentum"];
  config.grad_clip = run["grad-clip"];
  return config;
}

RunConfig small() {
  RunConfig config;
  config.train_size = 200;
  config.val_size = 20;
  config.epochs = 2;
  return config;
}

}  // namespace

TEST_CASE("fifty steps of every optimizer are torch.optim's to 1e-6, clipped or not, under every schedule",
          "[training]") {
  const json all = golden();
  const Tensor inputs = matrix(all["inputs"]),
               labels = torch::tensor(all["labels"].get<std::vector<int64_t>>(), torch::kInt64);
  const std::int64_t steps = all["steps"];
  for (const auto& run : all["runs"])
    for (const auto engine : {OptimizerEngine::kernels, OptimizerEngine::operators, OptimizerEngine::library}) {
      INFO(run["optimizer"] << ", weight decay " << run["weight-decay"] << ", momentum " << run["momentum"] << ", clip "
                            << run["grad-clip"] << ", " << run["schedule"] << ", engine " << static_cast<int>(engine));
      Tensor weight = matrix(all["start"]["weight"]).requires_grad_(),
             bias = vector(all["start"]["bias"]).requires_grad_();
      const auto optimizer = make_optimizer(optimizer_settings(configuration(run)), {weight, bias}, engine);
      const ScheduleChoice schedule = read_schedule_choice(run["schedule"].get<std::string>(), catalog(), "--schedule");
      for (std::int64_t step = 0; step < steps; ++step) {
        torch::cross_entropy_loss(torch::linear(inputs, weight, bias), labels).backward();
        optimizer->step(all["lr"].get<double>() * schedule.factor(step, steps));
        optimizer->zero_grad();
      }
      CHECK(greatest_difference(weight, matrix(run["weight"])) < 1e-6);
      CHECK(greatest_difference(bias, vector(run["bias"])) < 1e-6);
    }
}

TEST_CASE("both engines train alike under every optimizer", "[training]") {
  for (const char* optimizer : {"adam", "adamw", "sgd"}) {
    INFO(optimizer);
    RunConfig config = small();
    config.optimizer = optimizer;
    config.weight_decay = 0.1;
    config.momentum = config.optimizer == "sgd" ? 0.9 : 0;
    config.grad_clip = 0.5;
    config.schedule = "cosine:warmup=3";
    config.lr = 1e-2;
    config.engine = "fused";
    Trainer fused(config);
    config.engine = "reference";
    Trainer reference(config);
    for (int epoch = 0; epoch < 2; ++epoch)
      CHECK(fused.train_epoch(nullptr) == Approx(reference.train_epoch(nullptr)).margin(1e-5));
  }
}

TEST_CASE("the last step of a cosine that ends at 0 changes nothing", "[training]") {
  RunConfig config = small();
  config.train_size = config.batch_size = 50;
  config.epochs = 3;
  config.schedule = "cosine";
  Trainer trainer(config);
  const auto weight = [&] { return trainer.model().named_parameters()["classifier.weight"].detach().clone(); };
  std::vector<Tensor> after = {weight()};
  for (int epoch = 0; epoch < 3; ++epoch) {
    trainer.train_epoch(nullptr);
    after.push_back(weight());
  }
  CHECK_FALSE(torch::equal(after[1], after[2]));
  CHECK(torch::equal(after[2], after[3]));
}

TEST_CASE("an optimizer that cannot be is one line and exit 2", "[training]") {
  refused("--momentum 0.9", "--momentum is of sgd alone (given 0.9 with --optimizer adam, allowed: 0)");
  refused("--momentum 0.9 --optimizer adamw", "--momentum is of sgd alone (given 0.9 with --optimizer adamw");
  refused("--momentum 1 --optimizer sgd", "--momentum is out of range (given '1', allowed: number in [0, 1))");
  refused("--optimizer lion", "--optimizer is unknown (given 'lion', allowed: adam, adamw, sgd");
  refused("--grad-clip -1", "--grad-clip is out of range (given '-1', allowed: number in [0, 1e38])");
  refused("--weight-decay 11", "--weight-decay is out of range (given '11', allowed: number in [0, 10])");
}
