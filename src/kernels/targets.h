// Which instruction sets the kernels are compiled for; the best one is chosen when the program runs. SSSE3 would only
// make the program larger. A vector of ARM's SVE has no size that the compiler knows, so that it cannot be an element of
// an array, and the tiles of gemm-inl.h are arrays of vectors: ARM processors take NEON.
#pragma once

#include <hwy/detect_targets.h>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
