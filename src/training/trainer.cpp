#include "training/trainer.h"

#include <fmt/format.h>

#include <chrono>

#include "config/resolve.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"
#include "posenc/error.h"
#include "training/length_test.h"

namespace posenc {
namespace {

// Validation sequences that go through the model at once: as many as keep the activations of a chunk small. Where
// positions are drawn for each chunk it is a training step's, whatever that takes.
int64_t validation_chunk(const RunConfig& config, bool draws_positions) {
  if (draws_positions) return std::min(config.batch_size, config.val_size);
  constexpr int64_t kChunkFloats = int64_t{1} << 24;
  return sequences_within(config, config.model_length(), kChunkFloats, config.val_size);
}

// The mean of losses over sequences. Summed on the device: reading every loss would make the host wait for each step of
// a GPU.
class MeanLoss {
 public:
  explicit MeanLoss(torch::Device device)
      : on_cpu_(device.is_cpu()), total_(torch::zeros({}, torch::TensorOptions(torch::kFloat64).device(device))) {}

  void add(const torch::Tensor& loss, int64_t sequences) {
    count_ += sequences;
    if (on_cpu_) {
      here_ += *loss.const_data_ptr<float>() * static_cast<double>(sequences);
    } else {
      total_.add_(loss, sequences);
    }
  }

  double value() const { return (here_ + total_.item<double>()) / static_cast<double>(count_); }

 private:
  bool on_cpu_;
  torch::Tensor total_;
  double here_ = 0;
  int64_t count_ = 0;
};

class Stopwatch {
 public:
  explicit Stopwatch(bool runs) : begin_(runs ? Clock::now() : Clock::time_point()) {}

  // Seconds since the last lap.
  double lap() {
    const auto end = Clock::now();
    return std::chrono::duration<double>(end - std::exchange(begin_, end)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
};

}  // namespace

void make_deterministic() {
  // cuBLAS reads this when it starts and never again.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/1);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  at::globalContext().setDeterministicCuDNN(true);
}

torch::Device open_device(const std::string& name) {
  const torch::Device device(name);
  if (device.is_cuda()) {
    const int present = static_cast<int>(torch::cuda::device_count());
    const int index = device.has_index() ? device.index() : 0;
    if (index >= present)
      throw Error(fmt::format("--device: no such CUDA device (given {}, {} here{})", name,
                              present == 0 ? std::string("none") : fmt::format("cuda:0..{}", present - 1),
                              build_info().cuda_linked ? "" : "; this build has no CUDA half"));
  }
  return device;
}

std::shared_ptr<TinyTransformer> make_model(const RunConfig& config) {
  return std::make_shared<TinyTransformer>(ModelSizes{.vocab = config.vocab,
                                                      .d_model = config.d_model,
                                                      .heads = config.heads,
                                                      .layers = config.layers,
                                                      .ffn = config.ffn,
                                                      .classes = make_task(config.task)->classes(),
                                                      .causal = config.causal,
                                                      .pool = pool_named(config.pool),
                                                      .norm = norm_named(config.norm),
                                                      .norm_eps = config.norm_eps,
                                                      .bos = config.bos},
                                           make_position_scheme(config.pos, encoding_sizes(config)));
}

Trainer::Trainer(const RunConfig& config)
    : config_(config),
      device_(open_device(config.device)),
      streams_(config_, device_),
      dropout_(config_.dropout, streams_[Stream::dropout]),
      places_(torch::arange(config_.model_length())),
      schedule_(read_schedule_choice(config_.schedule, catalog(), "--schedule")) {
  model_ = make_model(config_);
  model_->reset_parameters(streams_[Stream::shared_weights], streams_[Stream::encoding_weights]);
  data_.emplace(config_, streams_[Stream::data], device_);
  train_labels_ = data_->fixed() ? training_set().class_counts(data_->classes())
                                 : std::vector<int64_t>(static_cast<std::size_t>(data_->classes()), 0);
  model_->to(device_);
  if (uses_kernels(config_)) model_->use_kernels();
  optimizer_ = make_optimizer(optimizer_settings(config_), model_->parameters(),
                              optimizer_engine(device_, uses_kernels(config_)));
}

double Trainer::train_epoch(const std::function<bool()>& stop_requested) {
  MeanLoss mean(device_);
  for (int64_t i = 0; i < steps_of_round(config_) && !done(); ++i) {
    if (stop_requested && stop_requested()) throw Error("interrupted", Error::Kind::interrupted);
    const Dataset batch = next_batch();
    mean.add(train_on(batch, nullptr), batch.size());
  }
  return mean.value();
}

Dataset Trainer::next_batch() {
  if (!data_->fixed()) {
    const Dataset batch = data_->online_batch(step_);
    for (std::size_t c = 0; const int64_t count : batch.class_counts(data_->classes())) train_labels_[c++] += count;
    return batch.to(device_);
  }
  const int64_t size = training_set().size();
  if (place_ == 0) order_ = torch::randperm(size, streams_[Stream::batch_order], torch::kInt64).to(device_);
  const int64_t count = std::min(config_.batch_size, size - place_);
  const torch::Tensor rows = order_.narrow(/*dim=*/0, place_, count);
  place_ = (place_ + count) % size;
  return training_set().rows(rows);
}

torch::Tensor Trainer::train_step(const torch::Tensor& batch, StepTimes* times) {
  Stopwatch watch(times != nullptr);
  const Dataset some = training_set().rows(batch);
  if (times != nullptr) times->batch += watch.lap();
  return train_on(some, times);
}

torch::Tensor Trainer::train_on(const Dataset& some, StepTimes* times) {
  Stopwatch watch(times != nullptr);
  const Wrapper& wrapper = *model_->scheme().positions;
  const int64_t length = model_->length_of(some.tokens);
  const torch::Tensor positions = wrapper.draws_in_training()
                                      ? wrapper.training_positions(length, streams_[Stream::positions])
                                  : length == places_.numel() ? places_
                                                              : places(length);
  const torch::Tensor loss = model_->loss(some.tokens, some.labels, positions, dropout_);
  if (times != nullptr) times->forward += watch.lap();
  loss.backward();
  if (times != nullptr) times->backward += watch.lap();
  optimizer_->step(config_.lr * schedule_.factor(step_, steps_of(config_)));
  optimizer_->zero_grad();
  if (times != nullptr) times->optimizer += watch.lap();
  ++step_;
  ++steps_at_[some.length()];
  return loss.detach();
}

void Trainer::draw_masks() {
  const int64_t batch = std::min(config_.batch_size, config_.train_size), length = config_.model_length(),
                rows = batch * length;
  for (int64_t layer = 0; layer < config_.layers; ++layer)
    for (const auto& [count, columns] : {std::pair(rows * config_.heads, length), std::pair(rows, config_.d_model),
                                         std::pair(rows, config_.ffn), std::pair(rows, config_.d_model)}) {
      if (uses_kernels(config_)) {
        std::vector<uint32_t> bits(static_cast<std::size_t>(count) *
                                   kernels::words_in_row(static_cast<std::size_t>(columns)));
        dropout_.bits(count, columns, bits.data());
      } else {
        dropout_(torch::ones({count, columns}, device_));
      }
    }
}

double Trainer::validate() {
  const bool draws = model_->scheme().positions->draws_at_evaluation();
  std::vector<double> accuracies;
  double right = 0;
  for (const Dataset& set : data_->validation_sets()) {
    accuracies.push_back(accuracy(*model_, set, validation_chunk(config_, draws), evaluation_generator(config_)));
    right += accuracies.back() * static_cast<double>(set.size());
  }
  data_->validated(accuracies);
  return accuracies.size() == 1 ? accuracies.front() : right / static_cast<double>(config_.val_size);
}

std::vector<LengthResult> Trainer::test_lengths(const std::vector<int64_t>& trained,
                                                const std::function<bool()>& stop_requested) {
  return posenc::test_lengths(*model_, *data_, config_, trained, device_, stop_requested);
}

std::string Trainer::weight_not_finite() const {
  for (const auto& parameter : model_->named_parameters())
    if (!parameter.value().isfinite().all().item<bool>()) return parameter.key();
  return "";
}

std::vector<LengthSteps> Trainer::steps_at() const {
  std::vector<LengthSteps> all;
  for (const auto& [length, steps] : steps_at_) all.push_back({length, steps});
  return all;
}

}  // namespace posenc
