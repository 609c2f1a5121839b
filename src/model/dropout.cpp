#include "model/dropout.h"

#include <ATen/CPUGeneratorImpl.h>

#include <mutex>

#include "kernels/dropout_bits.h"

namespace posenc {
namespace {

using kernels::words_in_row;

kernels::Mt19937 state_of(const at::CPUGeneratorImpl& generator) {
  const at::mt19937_data_pod data = const_cast<at::CPUGeneratorImpl&>(generator).engine().data();
  kernels::Mt19937 state{.left = data.left_, .next = data.next_};
  std::copy(data.state_.begin(), data.state_.end(), state.words.begin());
  return state;
}

void set_state(at::CPUGeneratorImpl& generator, const kernels::Mt19937& state) {
  at::mt19937 engine = generator.engine();
  at::mt19937_data_pod data = engine.data();
  data.left_ = state.left;
  data.next_ = state.next;
  std::copy(state.words.begin(), state.words.end(), data.state_.begin());
  engine.set_data(data);
  generator.set_engine(engine);
}

void draw_in_bulk(double keep, int64_t rows, int64_t columns, at::Generator& generator, uint32_t* bits) {
  auto* cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
  const std::lock_guard<std::mutex> lock(cpu->mutex_);
  kernels::Mt19937 state = state_of(*cpu);
  kernels::draw_bits(state, keep, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), bits);
  set_state(*cpu, state);
}

// The same by torch's own operator.
void draw_by_torch(double keep, int64_t rows, int64_t columns, at::Generator& generator, uint32_t* bits) {
  const torch::Tensor mask = torch::empty({rows, columns}).bernoulli_(keep, generator);
  const float* values = mask.const_data_ptr<float>();
  const std::size_t row_words = words_in_row(static_cast<std::size_t>(columns));
  std::fill_n(bits, static_cast<std::size_t>(rows) * row_words, 0u);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (values[i * columns + j] != 0)
        bits[static_cast<std::size_t>(i) * row_words + static_cast<std::size_t>(j / 32)] |= 1u << (j % 32);
}

}  // namespace

bool bulk_masks_equal_torch() {
  static const bool equal = [] {
    constexpr int64_t kRows = 37,
                      kColumns = 45;  // 3,330 words: several of the engine's blocks, and no whole number of them
    constexpr double kKeep = 0.7;
    at::Generator ours = at::detail::createCPUGenerator(123), torchs = at::detail::createCPUGenerator(123);
    std::vector<uint32_t> a(kRows * words_in_row(kColumns)), b(a.size());
    draw_in_bulk(kKeep, kRows, kColumns, ours, a.data());
    draw_by_torch(kKeep, kRows, kColumns, torchs, b.data());
    return a == b && torch::equal(torch::rand({3}, ours), torch::rand({3}, torchs));
  }();
  return equal;
}

void Dropout::bits(int64_t rows, int64_t columns, uint32_t* bits) const {
  at::Generator generator = *generator_;
  (bulk_masks_equal_torch() ? draw_in_bulk : draw_by_torch)(1 - probability_, rows, columns, generator, bits);
}

}  // namespace posenc
