#include "training/random_streams.h"

#include "support/torch_catch.h"
#include "training/trainer.h"

using namespace posenc;

namespace {

RunConfig paired(const std::string& pos, int64_t data_seed = 42, int64_t init_seed = 42) {
  RunConfig config;
  config.seeding = "paired";
  config.pos = pos;
  config.train_size = 200;
  config.val_size = 50;
  config.data_seed = data_seed;
  config.init_seed = init_seed;
  return config;
}

torch::Tensor numbers(RandomStreams& streams, Stream stream) { return torch::rand({1000}, streams[stream]); }

bool same_shared_weights(Trainer& a, Trainer& b) {
  const auto theirs = b.model().named_parameters();
  for (const auto& parameter : a.model().named_parameters())
    if (!parameter.key().starts_with("pos_enc.") && !torch::equal(parameter.value(), theirs[parameter.key()]))
      return false;
  return true;
}

bool same_data(const Trainer& a, const Trainer& b) {
  return torch::equal(a.training_set().tokens, b.training_set().tokens) &&
         torch::equal(a.validation_set().tokens, b.validation_set().tokens);
}

}  // namespace

TEST_CASE("under paired seeding two encodings meet the same data, shared weights, order and masks", "[training]") {
  Trainer learnable(paired("learnable")), fixed(paired("fixed"));
  CHECK(same_data(learnable, fixed));
  CHECK(same_shared_weights(learnable, fixed));
  RandomStreams a(paired("learnable"), torch::kCPU), b(paired("fixed"), torch::kCPU);
  numbers(a, Stream::encoding_weights);  // one encoding draws more weights than the other
  for (const Stream stream : {Stream::data, Stream::shared_weights, Stream::batch_order, Stream::dropout})
    CHECK(torch::equal(numbers(a, stream), numbers(b, stream)));
}

TEST_CASE("under single seeding they do not", "[training]") {
  RunConfig learnable = paired("learnable"), fixed = paired("fixed");
  learnable.seeding = fixed.seeding = "single";
  const Trainer a(learnable), b(fixed);
  CHECK_FALSE(same_data(a, b));
}

TEST_CASE("the data seed changes the data alone, the init seed the weights alone", "[training]") {
  Trainer base(paired("learnable")), other_data(paired("learnable", 7)), other_init(paired("learnable", 42, 7));
  CHECK_FALSE(same_data(base, other_data));
  CHECK(same_shared_weights(base, other_data));
  CHECK(same_data(base, other_init));
  CHECK_FALSE(same_shared_weights(base, other_init));
  RandomStreams a(paired("learnable"), torch::kCPU), b(paired("learnable", 7, 8), torch::kCPU);
  for (const Stream stream : {Stream::batch_order, Stream::dropout})
    CHECK(torch::equal(numbers(a, stream), numbers(b, stream)));
}

TEST_CASE("the streams of one run are independent of each other and uniform", "[training]") {
  RandomStreams streams(paired("learnable"), torch::kCPU);
  std::vector<torch::Tensor> drawn;
  for (const Stream stream :
       {Stream::data, Stream::shared_weights, Stream::encoding_weights, Stream::batch_order, Stream::dropout}) {
    const torch::Tensor values = torch::rand({100000}, streams[stream]);
    CHECK(values.mean().item<double>() == Approx(0.5).margin(0.004));  // 4.4 standard errors
    for (const torch::Tensor& other : drawn) {
      const double correlation = ((values - 0.5) * (other - 0.5)).mean().item<double>() * 12;
      CHECK(std::abs(correlation) < 0.015);  // 4.7 standard errors
    }
    drawn.push_back(values);
  }
}
