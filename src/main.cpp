// posenc: what a transformer's position encoding does to its training.
#include <cstdio>

#include "cli/app.h"
#include "cli/signals.h"

int main(int argc, char** argv) {
  posenc::catch_signals();
  return posenc::run_app({argv + 1, argv + argc}, stdout, stderr);
}
