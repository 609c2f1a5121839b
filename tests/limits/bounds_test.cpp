// What a configuration's model can see, and the accuracy that follows.
#include "posenc/bounds.h"

#include "config/resolve.h"
#include "limits/view.h"
#include "support/catch.h"

using namespace posenc;

namespace {

RunConfig config_of(const std::string& pos, bool causal = false, const std::string& pool = "mean", int layers = 1) {
  RunConfig config;
  config.pos = pos;
  config.causal = causal;
  config.pool = pool;
  config.layers = layers;
  check(config, catalog());
  return config;
}

View view(const std::string& pos, bool causal = false, const std::string& pool = "mean", int layers = 1) {
  return view_of(config_of(pos, causal, pool, layers), catalog());
}

}  // namespace

TEST_CASE("a model without positions sees a multiset, and the token it pools", "[limits]") {
  CHECK(view("none") == View::multiset);
  CHECK(view("none+logn") == View::multiset);
  CHECK(view("none", false, "max", 3) == View::multiset);
  CHECK(view("none", false, "first") == View::first_and_multiset);
  CHECK(view("none", false, "last") == View::last_and_multiset);
}

TEST_CASE("a bias of distance alone hides the direction, if all positions are pooled and evenly spaced", "[limits]") {
  for (const char* pos : {"alibi", "kerple", "fire", "kerple:kind=power", "alibi+logn", "fire+offset", "alibi+random"})
    CHECK(view(pos) == View::up_to_reversal);
  CHECK(view("alibi", false, "first") == View::everything);
  CHECK(view("alibi:mode=split") == View::everything);
  CHECK(view("alibi+random:eval=random") == View::everything);
  CHECK(view("alibi", true) == View::everything);
  for (const char* pos : {"learnable", "fixed", "rope", "relative", "xl", "t5", "fox"})
    CHECK(view(pos) == View::everything);
}

TEST_CASE("causal attention shows the first position one token, and order to all but one layer's last", "[limits]") {
  CHECK(view("learnable", true, "first", 4) == View::first_token);
  CHECK(view("none", true, "last", 1) == View::last_and_multiset);
  CHECK(view("none", true, "last", 2) == View::everything);
  CHECK(view("none", true) == View::everything);
}

TEST_CASE("a BOS token adds nothing to a multiset, and takes away the symmetry of reversal", "[limits]") {
  const auto with_bos = [](const std::string& pos, bool causal, const std::string& pool, int layers = 1) {
    RunConfig config = config_of(pos, causal, pool, layers);
    config.bos = true;
    config.max_len = config.model_length();
    check(config, catalog());
    return view_of(config, catalog());
  };
  for (const char* pool : {"mean", "max", "first"}) CHECK(with_bos("none", false, pool, 2) == View::multiset);
  CHECK(with_bos("none", false, "last") == View::last_and_multiset);
  for (const char* pool : {"mean", "max", "first", "last"}) CHECK(with_bos("alibi", false, pool) == View::everything);
  CHECK(with_bos("learnable", false, "first") == View::everything);
  for (const char* pos : {"none", "learnable", "cope"}) CHECK(with_bos(pos, true, "first", 3) == View::nothing);
  CHECK(with_bos("none", true, "last") == View::last_and_multiset);
  CHECK(with_bos("none", true, "last", 2) == View::everything);
  CHECK(with_bos("none", true, "mean") == View::everything);
}

TEST_CASE("a model that sees nothing reaches what guessing does", "[limits]") {
  RunConfig config = config_of("learnable", true, "first");
  config.bos = true;
  config.max_len = 17;
  config.task = "majority";
  const Bounds bounds = bounds_of(config, catalog());
  CHECK(bounds.ceiling == bounds.majority);
  CHECK(bounds.reason == "nothing of the sequence");
  CHECK(bounds.hopeless());
}

TEST_CASE("bounds are the task's at the sizes of the run", "[limits]") {
  const Bounds none = bounds_of(config_of("none"), catalog());
  CHECK(none.majority == 0.5);
  CHECK(*none.ceiling == Approx(0.53055).margin(1e-5));
  CHECK(none.reason == "permutation");
  CHECK(none.guess_lower == Approx(0.45).margin(0.003));
  CHECK(none.guess_upper == Approx(0.55).margin(0.003));
  CHECK(none.hopeless());
  const Bounds learnable = bounds_of(config_of("learnable"), catalog());
  CHECK(learnable.ceiling == 1.0);
  CHECK(learnable.reason.empty());
  CHECK_FALSE(learnable.hopeless());
  RunConfig first = config_of("alibi");
  first.task = "first";
  CHECK(*bounds_of(first, catalog()).ceiling == Approx(0.75));
  CHECK_FALSE(bounds_of(first, catalog()).hopeless());
}
