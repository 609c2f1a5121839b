// Every kernel by itself, with its GFLOP/s where it has any beside the peak that this core reached in the same process.
// Built with -DPOSENC_BENCHMARKS=ON; run it pinned to a core: taskset -c 1 build/posenc_benchmarks
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/adam.h"
#include "kernels/dropout_bits.h"
#include "kernels/gates.h"
#include "kernels/gemm.h"
#include "kernels/head.h"
#include "kernels/instruction_set.h"
#include "kernels/layer.h"
#include "kernels/lookup.h"

using namespace posenc::kernels;

namespace {

constexpr std::size_t kBatch = 64;

std::vector<float> some(std::size_t count, float scale = 1) {
  static std::mt19937 source(1);
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> all(count);
  for (float& x : all) x = normal(source);
  return all;
}

void report(benchmark::State& state, double operations) {
  static const double peak = peak_gflops();
  state.counters["GFLOP"] = benchmark::Counter(operations / 1e9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["peak"] = peak;
}

Mt19937 engine() {
  Mt19937 state;
  std::mt19937 source(1);
  for (std::uint32_t& word : state.words) word = static_cast<std::uint32_t>(source());
  return state;
}

// A layer with everything that a training step of it needs.
struct Layer {
  Layer(std::size_t length, std::size_t d, std::size_t heads, std::size_t ffn)
      : sizes{kBatch, length, d, heads, ffn, false, 1 / std::sqrt(static_cast<float>(d / heads))} {
    for (const std::size_t count : {3 * d * d, 3 * d, d * d, d, ffn * d, ffn, d * ffn, d, d, d, d, d}) {
      weights.push_back(some(count, 0.2f));
      gradients.emplace_back(count);
    }
    const std::size_t rows = sizes.rows();
    for (const std::size_t count :
         {rows * 3 * d, kBatch * heads * padded(length), rows * d, rows * d, rows, rows * ffn, rows * d, rows})
      record.emplace_back(count);
    Mt19937 source = engine();
    for (const auto& [count, columns] :
         {std::pair(rows * heads, length), std::pair(rows, d), std::pair(rows, ffn), std::pair(rows, d)}) {
      bits.emplace_back(count * words_in_row(columns));
      draw_bits(source, 0.9, count, columns, bits.back().data());
    }
    x = some(rows * d);
    d_out = some(rows * d);
    out.resize(rows * d);
    dx.resize(rows * d);
  }

  template <typename Number, typename Vectors>
  static LayerWeights<Number> pointers(Vectors& v) {
    return {v[0].data(), v[1].data(), v[2].data(), v[3].data(), v[4].data(),  v[5].data(),
            v[6].data(), v[7].data(), v[8].data(), v[9].data(), v[10].data(), v[11].data()};
  }
  LayerMasks masks() const { return {bits[0].data(), bits[1].data(), bits[2].data(), bits[3].data(), 1 / 0.9f}; }
  LayerRecord kept() {
    return {record[0].data(), record[1].data(), record[2].data(), record[3].data(),
            record[4].data(), record[5].data(), record[6].data(), record[7].data()};
  }
  void forward() {
    layer_forward(sizes, pointers<const float>(weights), {x.data()}, {}, masks(), kept(), out.data(), workspace);
  }
  void backward() {
    layer_backward(sizes, pointers<const float>(weights), {x.data()}, {}, masks(), kept(), d_out.data(), {dx.data()},
                   pointers<float>(gradients), nullptr, workspace);
  }
  double forward_operations() const {
    const auto d = static_cast<double>(sizes.d_model), f = static_cast<double>(sizes.ffn),
               rows = static_cast<double>(sizes.rows());
    return rows * (8 * d * d + 4 * d * f + 4 * static_cast<double>(sizes.length) * d);
  }

  LayerSizes sizes;
  std::vector<std::vector<float>> weights, gradients, record;
  std::vector<std::vector<std::uint32_t>> bits;
  std::vector<float> x, d_out, out, dx;
  Workspace workspace;
};

Layer layer_of(const benchmark::State& state) {
  const auto at = [&](int i) { return static_cast<std::size_t>(state.range(i)); };
  return {at(0), at(1), at(2), at(3)};
}

void layer_forward_pass(benchmark::State& state) {
  Layer layer = layer_of(state);
  for (auto _ : state) layer.forward();
  report(state, layer.forward_operations());
}

void layer_backward_pass(benchmark::State& state) {
  Layer layer = layer_of(state);
  layer.forward();
  for (auto _ : state) layer.backward();
  report(state, 2 * layer.forward_operations());  // what a step needs; scores that are computed again do not count
}

void product(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1)),
             depth = static_cast<std::size_t>(state.range(2));
  const auto a = some(rows * depth), b = some(depth * columns);
  std::vector<float> c(rows * columns);
  for (auto _ : state) {
    matrix_product(rows, columns, depth, a.data(), false, b.data(), c.data());
    benchmark::ClobberMemory();
  }
  report(state, 2.0 * static_cast<double>(rows * columns * depth));
}

void dropout_bits(benchmark::State& state) {
  const auto columns = static_cast<std::size_t>(state.range(0));
  Mt19937 source = engine();
  std::vector<std::uint32_t> bits(4096 * words_in_row(columns));
  for (auto _ : state) draw_bits(source, 0.9, 4096, columns, bits.data());
  state.SetItemsProcessed(state.iterations() * 4096 * static_cast<std::int64_t>(columns));
}

void adam(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const auto gradient = some(count);
  auto weight = some(count);
  std::vector<float> first(count), second(count);
  std::int64_t step = 0;
  for (auto _ : state) adam_step({}, ++step, count, gradient.data(), weight.data(), first.data(), second.data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void embedding(benchmark::State& state) {
  const EmbeddingSizes sizes{kBatch, 16, 32};
  std::vector<std::int64_t> tokens(kBatch * 16);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::int64_t>(i * 7 % 100);
  const auto weight = some(100 * 32), added = some(16 * 32);
  std::vector<float> out(kBatch * 16 * 32), d_weight(100 * 32), d_added(16 * 32);
  for (auto _ : state) {
    embedding_forward(sizes, tokens.data(), weight.data(), added.data(), out.data());
    embedding_backward(sizes, tokens.data(), out.data(), d_weight.data(), d_added.data());
  }
}

void head(benchmark::State& state) {
  const HeadSizes sizes{kBatch, 16, 32, 2};
  const auto x = some(kBatch * 16 * 32), weight = some(2 * 32), bias = some(2);
  const std::vector<std::int64_t> labels(kBatch, 1);
  std::vector<float> pooled(kBatch * 32), logits(kBatch * 2), probabilities(kBatch * 2), dx(x.size()), d_weight(64),
      d_bias(2);
  for (auto _ : state) {
    head_logits(sizes, x.data(), weight.data(), bias.data(), pooled.data(), logits.data());
    benchmark::DoNotOptimize(head_loss(sizes, logits.data(), labels.data(), probabilities.data()));
    head_backward(sizes, x.data(), weight.data(), pooled.data(), probabilities.data(), labels.data(), 1, dx.data(),
                  d_weight.data(), d_bias.data());
  }
}

void lookups(benchmark::State& state) {
  constexpr std::size_t kLength = 16, kEntries = 33, kHeads = kBatch * 4;
  const auto scores = some(kHeads * kLength * kEntries);
  std::vector<std::int64_t> index(kLength * kLength);
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::int64_t>(i % kEntries);
  std::vector<float> places(kHeads * kLength * kLength, 2.5f), out(places.size()), d_scores(scores.size()),
      d_places(places.size());
  for (auto _ : state) {
    pick_forward(kHeads, kLength, kEntries, kLength, scores.data(), index.data(), out.data());
    pick_backward(kHeads, kLength, kEntries, kLength, index.data(), out.data(), d_scores.data());
    interpolate_forward(kHeads * kLength, kEntries, kLength, scores.data(), places.data(), out.data());
    interpolate_backward(kHeads * kLength, kEntries, kLength, scores.data(), places.data(), out.data(), d_scores.data(),
                         d_places.data());
  }
}

void gates(benchmark::State& state) {
  constexpr std::size_t kLength = 16, kHeads = kBatch * 4;
  const auto scores = some(kHeads * kLength * kLength);
  std::vector<float> kept(scores.size()), places(scores.size()), d_scores(scores.size());
  for (auto _ : state) {
    count_gates_forward(kHeads, kLength, 63, scores.data(), kept.data(), places.data());
    count_gates_backward(kHeads, kLength, 63, kept.data(), places.data(), places.data(), d_scores.data());
  }
}

// Length, width, heads, feed-forward width.
void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({16, 32, 4, 64})
      ->Args({64, 32, 4, 64})
      ->Args({256, 32, 4, 64})
      ->Args({16, 128, 8, 256})
      ->Args({64, 128, 8, 256});
  benchmark->Unit(benchmark::kMicrosecond);
}

BENCHMARK(layer_forward_pass)->Apply(shapes);
BENCHMARK(layer_backward_pass)->Apply(shapes);
BENCHMARK(product)
    ->Args({128, 96, 32})
    ->Args({128, 32, 32})
    ->Args({128, 32, 64})
    ->Args({16, 16, 8})
    ->Args({8, 16, 16})
    ->Args({1024, 384, 128});
BENCHMARK(dropout_bits)->Arg(16)->Arg(20)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK(adam)->Arg(12000)->Unit(benchmark::kMicrosecond);
BENCHMARK(embedding)->Unit(benchmark::kMicrosecond);
BENCHMARK(head)->Unit(benchmark::kMicrosecond);
BENCHMARK(lookups)->Unit(benchmark::kMicrosecond);
BENCHMARK(gates)->Unit(benchmark::kMicrosecond);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("instruction set", instruction_set_name());
  benchmark::RunSpecifiedBenchmarks();
}
