// Loaded before the C library (LD_PRELOAD), it makes flock fail as on a file system that has no locks.
#include <cerrno>

extern "C" int flock(int /*descriptor*/, int /*operation*/) {
  errno = ENOLCK;
  return -1;
}
