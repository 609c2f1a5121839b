// posenc: what a transformer's position encoding does to its training.
#include <cstdio>

#include "cli/app.h"
#include "cli/process_start.h"
#include "cli/signals.h"

// The dynamic linker calls what stands in this section before the constructors of the libraries.
[[gnu::section(".preinit_array"), gnu::used]] static void (*const before_libraries)() = posenc::prepare_process;

int main(int argc, char** argv) {
  posenc::return_to_working_directory();
  posenc::catch_signals();
  return posenc::run_app({argv + 1, argv + argc}, stdout, stderr);
}
