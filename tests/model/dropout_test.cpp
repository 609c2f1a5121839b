#include "model/dropout.h"

#include "support/torch_catch.h"

using namespace posenc;

namespace {

at::Generator generator(uint64_t seed) { return at::detail::createCPUGenerator(seed); }

}  // namespace

TEST_CASE("dropout without probability or in evaluation changes and draws nothing", "[model]") {
  auto source = generator(1);
  const torch::Tensor before = source.get_state(), x = torch::ones({2, 3, 4});
  CHECK(torch::equal(Dropout(0, source)(x), x));
  CHECK(torch::equal(Dropout()(x), x));
  CHECK(torch::equal(Dropout().length_first(x), x));
  CHECK(torch::equal(source.get_state(), before));
}

TEST_CASE("the masks are those of torch's own dropout", "[model]") {
  const torch::Tensor x = torch::rand({5, 4, 9}, generator(9));
  torch::manual_seed(3);
  const torch::Tensor expected = torch::dropout(x, 0.3, /*train=*/true);
  CHECK(greatest_difference(Dropout(0.3, generator(3))(x), expected) < 1e-6);
  torch::manual_seed(3);
  const torch::Tensor transposed = torch::dropout(x.transpose(0, 1).contiguous(), 0.3, true).transpose(0, 1);
  CHECK(greatest_difference(Dropout(0.3, generator(3)).length_first(x), transposed) < 1e-6);
}
