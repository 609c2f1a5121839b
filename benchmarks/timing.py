"""What the benchmarks here share: whole processes, what they took, and what else the machine did meanwhile."""
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1",
              "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}


def peer_python():
    """The Python of the environment that run.sh makes for the peers."""
    return str(Path(os.environ.get("POSENC_BENCH_ENV", ROOT / ".bench-env")) / "bin" / "python")


class CommandFailed(SystemExit):
    """Ends a benchmark with the command's last words, unless caught."""


@dataclass
class Process:
    seconds: float  # wall
    others: float  # CPU seconds that other processes took meanwhile
    peak: int  # bytes of memory: of it or its greatest descendant, not of all together
    stdout: str


def busy_seconds():
    """CPU seconds that all processes of this machine have taken since it started."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def measured(command):
    """Runs `command` with one thread to its end; raises CommandFailed unless it exits 0."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin, busy = time.monotonic(), busy_seconds()
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env={**os.environ, **ONE_THREAD})
        except OSError as error:
            raise CommandFailed(f"{command[0]}: {error.strerror}")
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.terminate()
            raise
        took, busy = time.monotonic() - begin, busy_seconds() - busy
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        if child.returncode != 0:
            raise CommandFailed(f"{' '.join(map(str, command))[:300]}\nexited {child.returncode}: {err.read().strip()[-2000:]}")
        return Process(took, max(0.0, busy - usage.ru_utime - usage.ru_stime), usage.ru_maxrss * 1024, out.read())


def timed(command):
    """Wall seconds of `command`, and the CPU seconds that other processes took meanwhile."""
    process = measured(command)
    return process.seconds, process.others
