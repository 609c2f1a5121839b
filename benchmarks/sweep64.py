#!/usr/bin/env python3
"""A sweep of 64 short runs on all cores, start-up and memory: posenc against its peers, as ratios of whole processes.

The sweep trains seeds 1 to 64 at the published sizes, for a few epochs, by

  posenc    posenc sweep --jobs N
  script    GNU parallel, N processes at a time of scripts/reference.py, one a run
  jax_vmap  GNU parallel, N processes that train their share of 8 groups of 8 seeds, each compiling once

From start to end, all that a user waits for. posenc validates after every epoch and keeps results and models, the
script validates every fifth epoch, jax_vmap never. The three take turns. Start-up is measured on one core. Memory is
the greatest resident size of one process, times the processes that run at once.
"""
import argparse
import os
import statistics
import tempfile
from pathlib import Path

from steps import PEERS
from timing import ROOT, CommandFailed, measured, peer_python

RUNS, GROUP = 64, 8


def sweeps(a, out):
    """{name: (command, processes at a time)}"""
    parallel = ["parallel", "--plain", "--will-cite", "--jobs", str(a.jobs), "--halt", "soon,fail=1"]
    workers = min(a.jobs, RUNS // GROUP)
    groups = [len(range(i, RUNS // GROUP, workers)) for i in range(workers)]
    first_seeds = [1 + GROUP * sum(groups[:i]) for i in range(workers)]
    epochs = ["--epochs", str(a.epochs)]
    return {"posenc": ([a.posenc, "sweep", "--seed", f"1..{RUNS}", *epochs, "--jobs", str(a.jobs), "--out", out], 1),
            "script": ([*parallel, a.python, ROOT / "scripts" / "reference.py", *epochs, "--seed", "{}", ":::",
                        *map(str, range(1, RUNS + 1))], a.jobs),
            "jax_vmap": ([*parallel, a.python, PEERS / "jax_vmap.py", *epochs, "--seed", "{1}", "--groups", "{2}", ":::",
                          *map(str, first_seeds), ":::+", *map(str, groups)], workers)}


def starts(a, out):
    """[(what, posenc's command, the peer's)]"""
    step = ["--epochs", "1", "--seq-len", "16"]
    script = [a.python, ROOT / "scripts" / "reference.py", *step, "--train", "64", "--val", "1"]
    posenc = [a.posenc, *step, "--train-size", "64", "--val-size", "1"]
    return [("`posenc --version` over `python -c 'import torch'`", [a.posenc, "--version"], [a.python, "-c", "import torch"]),
            ("one training step over the script's", posenc, script),
            ("one training step, kept with --out, over the script's", [*posenc, "--out", out], script)]


def summary(ratios):
    return f"{statistics.median(ratios):.3f} | {min(ratios):.3f} to {max(ratios):.3f}"


def share(processes):
    return f"{100 * sum(p.others for p in processes) / sum(p.seconds for p in processes):.0f} %"


def measure_starts(a):
    print("| start-up, whole process on one core | time of posenc over the peer's | range | memory, MB | other processes |\n"
          "|---|---|---|---|---|")
    pin = ["taskset", "-c", a.core]
    for what in range(len(starts(a, ""))):
        pairs = []
        for i in range(a.repetitions + 1):  # the first warms the caches
            with tempfile.TemporaryDirectory() as out:
                name, ours, theirs = starts(a, out)[what]
                pairs.append((measured(pin + ours), measured(pin + theirs)))
        pairs = pairs[1:]
        our_peak, their_peak = (max(side) / 1e6 for side in zip(*((o.peak, t.peak) for o, t in pairs)))
        print(f"| {name} | {summary([o.seconds / t.seconds for o, t in pairs])} | {our_peak:.0f} against {their_peak:.0f} | "
              f"{share(sum(pairs, ()))} |", flush=True)


def measure_sweeps(a):
    results = {}
    with tempfile.TemporaryDirectory() as home:
        os.environ["PARALLEL_HOME"] = home
        for i in range(a.repetitions):
            with tempfile.TemporaryDirectory() as out:
                commands = list(sweeps(a, out).items())
                for name, (command, _) in commands[i % 3:] + commands[:i % 3]:
                    try:
                        results.setdefault(name, []).append(measured(command))
                    except CommandFailed as failure:
                        raise SystemExit(f"the sweep by {name} failed: {failure}")
    print(f"\n| sweep of {RUNS} runs, {a.epochs} epochs, {a.jobs} at a time | time over posenc's | range | memory, MB | other processes |\n"
          "|---|---|---|---|---|")
    for name, (_, at_once) in sweeps(a, "").items():
        ratios = [theirs.seconds / ours.seconds for theirs, ours in zip(results[name], results["posenc"])]
        memory = at_once * max(p.peak for p in results[name]) / 1e6
        print(f"| {name} | {summary(ratios)} | {memory:.0f} | {share(results[name])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time; default the cores")
    parser.add_argument("--epochs", type=int, default=5, help="of each run")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--core", default="0", help="that start-up is measured on")
    parser.add_argument("--posenc", type=Path, default=ROOT / "build" / "posenc")
    parser.add_argument("--python", default=peer_python(), help="a Python with the peers' packages; default the one that run.sh makes")
    a = parser.parse_args()
    measure_starts(a)
    measure_sweeps(a)


if __name__ == "__main__":
    main()
