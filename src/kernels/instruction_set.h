// Which of the instruction sets that the kernels are compiled for is used: the best of this processor, unless told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace posenc::kernels {

enum class InstructionSet { avx512, avx2, sse4, scalar };

// "AVX-512", "AVX2", "SSE4", "no vectors", "NEON"
std::string instruction_set_name();

// Those that run on this processor, best first.
std::vector<InstructionSet> instruction_sets_here();

// For tests: all kernels of the process take this one from here on.
void use_instruction_set(InstructionSet set);

}  // namespace posenc::kernels
