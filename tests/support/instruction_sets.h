// Runs a test's work once for each instruction set of this processor.
#pragma once

#include "kernels/instruction_set.h"
#include "support/catch.h"

template <typename Work>
void for_each_instruction_set(const Work& work) {
  for (const posenc::kernels::InstructionSet set : posenc::kernels::instruction_sets_here()) {
    posenc::kernels::use_instruction_set(set);
    INFO(posenc::kernels::instruction_set_name());
    work();
  }
  posenc::kernels::use_instruction_set(posenc::kernels::instruction_sets_here().front());
}
