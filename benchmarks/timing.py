"""What the benchmarks here share: wall time of whole processes, and what else the machine did meanwhile."""
import os
import resource
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def busy_seconds():
    """CPU seconds that all processes of this machine have taken since it started."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def child_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command):
    """Wall seconds of `command`, and the CPU seconds that other processes took meanwhile."""
    begin, busy, own = time.monotonic(), busy_seconds(), child_seconds()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    took = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))[:300]}\nexited {done.returncode}: {done.stderr.strip()}")
    return took, max(0.0, busy_seconds() - busy - (child_seconds() - own))
