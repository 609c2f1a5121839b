#include "training/dataset.h"

#include "posenc/value.h"
#include "support/torch_catch.h"

using namespace posenc;

TEST_CASE("a uniform task draws what torch.randint draws", "[training]") {
  const auto task = make_task("first-last-parity");
  for (const int64_t vocab : {int64_t{2}, int64_t{100}, int64_t{12345}, kLargestInteger}) {
    auto ours = at::detail::createCPUGenerator(42), theirs = at::detail::createCPUGenerator(42);
    const Dataset data = draw_dataset(*task, 50, 7, vocab, ours);
    const torch::Tensor expected = torch::randint(0, vocab, {50, 7}, theirs, torch::kInt64);
    CHECK(torch::equal(data.tokens, expected));
    CHECK(torch::equal(data.labels, (expected.select(1, 0) + expected.select(1, 6)) % 2));
    CHECK(torch::equal(ours.get_state(), theirs.get_state()));
  }
}
