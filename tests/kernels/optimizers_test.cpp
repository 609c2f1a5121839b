// The optimizers' kernels against their formulas in double precision, for gradients of any size.
#include <cmath>
#include <random>
#include <vector>

#include "kernels/adam.h"
#include "kernels/sgd.h"
#include "support/instruction_sets.h"

using namespace posenc::kernels;

namespace {

constexpr std::size_t kCount = 37;  // no multiple of any vector
constexpr int kSteps = 50;

// The gradients of a step: weight i's have the size 10^-18 to 10^18 all along.
std::vector<float> gradients(std::mt19937& source) {
  std::normal_distribution<double> normal;
  std::vector<float> all(kCount);
  for (std::size_t i = 0; i < kCount; ++i)
    all[i] = static_cast<float>(normal(source) * std::pow(10, static_cast<double>(i) - 18));
  return all;
}

std::vector<float> start(std::mt19937& source) {
  std::normal_distribution<float> normal;
  std::vector<float> all(kCount);
  for (float& x : all) x = normal(source);
  return all;
}

// Takes steps by `kernel`(step, gradient, weight, first, second) and by `formula`(step, gradient, w, first, second) for
// one weight in double precision, and compares: to 1e-6 of what the weight has moved, and of its size.
template <typename Kernel, typename Formula>
void check_steps(const Kernel& kernel, const Formula& formula) {
  std::mt19937 source(4);
  std::vector<float> weight = start(source), first(kCount), second(kCount);
  std::vector<double> w(weight.begin(), weight.end()), m(kCount), v(kCount), moved(kCount);
  for (int t = 1; t <= kSteps; ++t) {
    const std::vector<float> gradient = gradients(source);
    kernel(t, gradient.data(), weight.data(), first.data(), second.data());
    for (std::size_t i = 0; i < kCount; ++i) {
      const double before = w[i];
      formula(t, double(gradient[i]), w[i], m[i], v[i]);
      moved[i] += std::abs(w[i] - before);
      INFO("weight " << i << ", step " << t);
      CHECK(std::abs(double(weight[i]) - w[i]) <= 1e-6 * (moved[i] + std::abs(w[i])) + 1e-6);
    }
  }
}

}  // namespace

TEST_CASE("Adam and AdamW take the steps of their papers", "[kernels]") {
  for_each_instruction_set([] {
    for (const double decay : {0.0, 0.1})
      for (const bool decoupled : {false, true}) {
        const AdamSettings settings{.lr = 0.01, .weight_decay = decay, .decoupled = decoupled};
        INFO("weight decay " << decay << ", decoupled " << decoupled);
        check_steps([&](int t, const float* gradient, float* weight, float* first,
                        float* second) { adam_step(settings, t, kCount, gradient, weight, first, second); },
                    [&](int t, double g, double& w, double& m, double& v) {
                      if (decoupled) {
                        w -= 0.01 * decay * w;
                      } else {
                        g += decay * w;
                      }
                      m = 0.9 * m + 0.1 * g;
                      v = 0.999 * v + 0.001 * g * g;
                      w -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
                    });
      }
  });
}

TEST_CASE("gradient descent takes steps with momentum and weight decay", "[kernels]") {
  for (const double decay : {0.0, 0.1})
    for (const double momentum : {0.0, 0.9}) {
      INFO("weight decay " << decay << ", momentum " << momentum);
      check_steps(
          [&](int, const float* gradient, float* weight, float* first, float*) {
            sgd_step({.lr = 0.01, .momentum = momentum, .weight_decay = decay}, kCount, gradient, weight, first);
          },
          [&](int, double g, double& w, double& velocity, double&) {
            velocity = momentum * velocity + g + decay * w;
            w -= 0.01 * velocity;
          });
    }
}
