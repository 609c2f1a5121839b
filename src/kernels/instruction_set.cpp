#include "kernels/instruction_set.h"

#include <hwy/highway.h>

namespace posenc::kernels {
namespace {

struct Known {
  InstructionSet set;
  const char* name;
  std::int64_t target;  // Highway's bit, or 0 for what the compiler was told may be used
};

// Best first.
constexpr Known kKnown[] = {{InstructionSet::avx512, "AVX-512", HWY_AVX3},
                            {InstructionSet::avx2, "AVX2", HWY_AVX2},
                            {InstructionSet::sse4, "SSE4", HWY_SSE4},
                            {InstructionSet::scalar, "", 0}};

}  // namespace

std::string instruction_set_name() {
  const std::int64_t supported = hwy::SupportedTargets();
  for (const Known& known : kKnown)
    if ((supported & known.target) != 0) return known.name;
  const bool vectors = HWY_STATIC_TARGET != HWY_SCALAR && HWY_STATIC_TARGET != HWY_EMU128;
  return vectors ? hwy::TargetName(HWY_STATIC_TARGET) : "no vectors";
}

std::vector<InstructionSet> instruction_sets_here() {
  std::vector<InstructionSet> all;
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t supported = hwy::SupportedTargets();
  for (const Known& known : kKnown)
    if (known.target == 0 || (supported & known.target) != 0) all.push_back(known.set);
  return all;
}

void use_instruction_set(InstructionSet set) {
  for (const Known& known : kKnown)
    if (known.set == set) hwy::SetSupportedTargetsForTest(known.target == 0 ? HWY_STATIC_TARGET : known.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace posenc::kernels
