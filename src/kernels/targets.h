// Which instruction sets the kernels are compiled for; the best one is chosen when the program runs. Others that
// Highway knows would only make the program larger.
#pragma once

#include <hwy/detect_targets.h>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS HWY_SSSE3
