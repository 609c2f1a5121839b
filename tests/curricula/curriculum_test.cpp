// Curricula by their definitions, and scores by hand.
#include "curricula/curriculum.h"

#include <cmath>

#include "config/curriculum_choice.h"
#include "posenc/error.h"
#include "posenc/run.h"
#include "support/catch.h"
#include "support/plain_catalog.h"

using namespace posenc;

namespace {

CurriculumChoice choice(const std::string& text) {
  return read_curriculum_choice(text, plain_catalog(), "--curriculum");
}

std::unique_ptr<Curriculum> make_curriculum(const std::string& text, const LengthRange& range) {
  const CurriculumChoice chosen = choice(text);
  return chosen.entry->make(chosen.parameters, range);
}

// The share of each length over evenly spaced draws.
std::vector<double> shares(const Curriculum& curriculum, const LengthRange& range) {
  constexpr int kDraws = 100000;
  std::vector<double> all(static_cast<std::size_t>(range.count()), 0.0);
  for (int i = 0; i < kDraws; ++i)
    all[static_cast<std::size_t>((curriculum.length(0, [&] { return (i + 0.5) / kDraws; }) - range.shortest) /
                                 range.step)] += 1.0 / kDraws;
  return all;
}

const auto kNever = []() -> double { throw Error("nothing is drawn"); };

LengthResult result(std::int64_t length, double accuracy) {
  LengthResult each;
  each.length = length;
  each.size = 1000;
  each.accuracy = accuracy;
  each.majority = 0.5;
  return each;
}

}  // namespace

TEST_CASE("uniform gives every length as often as any other", "[curricula]") {
  const LengthRange range{2, 9};
  for (const double share : shares(*make_curriculum("uniform", range), range))
    CHECK(share == Approx(1.0 / 8).margin(1e-4));
}

TEST_CASE("with a step only the lengths of the range come, whatever the curriculum", "[curricula]") {
  const LengthRange odd{3, 9, 2};
  for (const double share : shares(*make_curriculum("uniform", odd), odd)) CHECK(share == Approx(0.25).margin(1e-4));
  const auto falling = shares(*make_curriculum("reverse-exponential:tau=0.5", odd), odd);
  CHECK(falling[1] / falling[0] == Approx(0.25).margin(1e-3));  // two tokens longer
  const auto rising = make_curriculum("increase:by=1,every=10", odd);
  CHECK(rising->length(10, kNever) == 3);  // 4 is none of them
  CHECK(rising->length(20, kNever) == 5);
  CHECK(rising->length(1000, kNever) == 9);
  const auto earned = make_curriculum("on-success", odd);
  earned->validated({1, 0, 0, 0});
  CHECK(earned->length(1, kNever) == 5);
  CHECK(earned->follows_validation());
  CHECK_FALSE(rising->follows_validation());
}

TEST_CASE("reverse-exponential gives lengths in proportion to tau to their power", "[curricula]") {
  const LengthRange range{3, 8};
  const auto all = shares(*make_curriculum("reverse-exponential:tau=0.5", range), range);
  double whole = 0;
  for (int l = 3; l <= 8; ++l) whole += std::pow(0.5, l);
  for (int l = 3; l <= 8; ++l)
    CHECK(all[static_cast<std::size_t>(l - 3)] == Approx(std::pow(0.5, l) / whole).margin(1e-4));
}

TEST_CASE("increase goes up by so much after so many steps, and stays at the longest", "[curricula]") {
  const auto curriculum = make_curriculum("increase:by=2,every=10", {4, 9});
  CHECK(curriculum->length(0, kNever) == 4);
  CHECK(curriculum->length(9, kNever) == 4);
  CHECK(curriculum->length(10, kNever) == 6);
  CHECK(curriculum->length(29, kNever) == 8);
  CHECK(curriculum->length(1000, kNever) == 9);
}

TEST_CASE("on-success goes on when validation at this length reaches the threshold", "[curricula]") {
  const auto curriculum = make_curriculum("on-success:threshold=0.9", {4, 6});
  CHECK(curriculum->length(0, kNever) == 4);
  curriculum->validated({0.89, 1, 1});
  CHECK(curriculum->length(1, kNever) == 4);
  curriculum->validated({0.9, 0, 0});
  CHECK(curriculum->length(2, kNever) == 5);
  curriculum->validated({0, std::nan(""), 1});
  CHECK(curriculum->length(3, kNever) == 5);
  curriculum->validated({0, 1, 0});
  curriculum->validated({0, 1, 1});
  CHECK(curriculum->length(4, kNever) == 6);
}

TEST_CASE("an unknown curriculum lists the known ones", "[curricula]") {
  CHECK_THROWS_WITH(make_curriculum("increas", {2, 3}),
                    ContainsSubstring("known: uniform, increase, reverse-exponential, on-success, "
                                      "nearest: increase"));
  CHECK_THROWS_AS(make_curriculum("increase:by=0", {2, 3}), Error);
  CHECK_THROWS_AS(make_curriculum("reverse-exponential:tau=1", {2, 3}), Error);
  const CurriculumChoice increase = choice("increase:every=100,by=2");
  CHECK(canonical_choice(*increase.entry, increase.parameters) == "increase:by=2");
}

TEST_CASE("the score is the mean over tested lengths above the longest trained, both ends included", "[curricula]") {
  const std::vector<LengthResult> lengths = {result(8, 0.9), result(16, 1.0), result(17, 0.8), result(32, 0.7),
                                             result(64, 0.6)};
  const LengthScore score = score_of(lengths, 16, 0.95, 400);
  CHECK(*score.score == Approx((0.8 + 0.7 + 0.6) / 3));
  // Training reached 1.0, half of what guessing leaves is at 0.75.
  CHECK(*score.half_accuracy_length == 32);
  CHECK_FALSE(score_of(lengths, 64, 0.95, 400).score);
  CHECK(*score_of(lengths, 63, 0.95, 400).score == Approx(0.6));
  // Without a tested length that was trained, the validation accuracy stands for it.
  CHECK(*score_of({result(32, 0.8), result(64, 0.7)}, 16, 0.95, 400).half_accuracy_length == 64);
  CHECK_FALSE(score_of({result(32, 0.99), result(64, 0.98)}, 16, 1.0, 400).half_accuracy_length);
}

TEST_CASE("half of what guessing leaves is meant, which is another share at every length", "[curricula]") {
  LengthResult near = result(10, 1.0), far = result(20, 1.0);
  near.majority = 0.92;
  far.majority = 0.96;
  CHECK_FALSE(score_of({near, far}, 10, 1.0, 400).half_accuracy_length);
  far.accuracy = 0.979;  // less than half of the 0.04
  CHECK(score_of({near, far}, 10, 1.0, 400).half_accuracy_length == 20);
  far.majority = 1;
  CHECK_FALSE(score_of({near, far}, 10, 1.0, 400).half_accuracy_length);
}

TEST_CASE("what guesses has no half to lose", "[curricula]") {
  // 0.52 of 1,000 is within what guessing gives (0.469 to 0.531).
  const LengthScore score = score_of({result(16, 0.52), result(32, 0.40)}, 16, 0.9, 400);
  CHECK_FALSE(score.learned);
  CHECK_FALSE(score.half_accuracy_length);
  CHECK(*score.score == Approx(0.40));
  CHECK(score_of({result(16, 0.54), result(32, 0.40)}, 16, 0.9, 400).half_accuracy_length == 32);
}
