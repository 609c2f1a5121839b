#!/usr/bin/env python3
"""Runs per minute of a sweep with two workers against one, as one ratio.

The same sweep runs as a whole process with --jobs 1 and with --jobs 2, each time into a new folder; the ratio is taken
pair by pair, and which of the two comes first alternates, since a machine's speed drifts. CPU time that other
processes took meanwhile is printed beside: where it is not near 0, measure again. The rates include the start of the
process and the exports at its end.
"""
import argparse
import statistics
import tempfile
from pathlib import Path

from timing import ROOT, timed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--posenc", type=Path, default=ROOT / "build" / "posenc")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2, help="workers to compare with one")
    parser.add_argument("--runs", type=int, default=24, help="runs of the sweep, an even number")
    parser.add_argument("--epochs", type=int, default=5, help="of each run, at the published sizes")
    parser.add_argument("--folder", type=Path, default=ROOT / "results", help="where the folders of results are made and removed")
    a = parser.parse_args()
    a.posenc = a.posenc.resolve()
    a.folder.mkdir(exist_ok=True)

    count = a.runs // 2 * 2
    sweep = [a.posenc, "sweep", "--pos", "learnable,fixed", "--seed", f"1..{count // 2}", "--seeding", "paired", "--epochs",
             str(a.epochs)]
    with tempfile.TemporaryDirectory(prefix="results-workers-", dir=a.folder) as top:
        def runs_a_minute(jobs, name):
            seconds, others = timed([*sweep, "--jobs", str(jobs), "--out", f"{top}/{name}"])
            return 60 * count / seconds, others

        runs_a_minute(a.jobs, "warm-up")
        ratios = []
        for i in range(a.pairs):
            order = (1, a.jobs) if i % 2 == 0 else (a.jobs, 1)
            measured = {jobs: runs_a_minute(jobs, f"{i}-{jobs}") for jobs in order}
            (one, one_others), (many, many_others) = measured[1], measured[a.jobs]
            ratios.append(many / one)
            print(f"{i + 1}: one worker {one:.1f} runs a minute, {a.jobs} workers {many:.1f}, ratio {ratios[-1]:.3f}, "
                  f"other processes {one_others + many_others:.2f} s of CPU", flush=True)
    print(f"{a.jobs} workers make {statistics.median(ratios):.3f} times the runs of one "
          f"(median of {len(ratios)} pairs, {min(ratios):.3f} to {max(ratios):.3f})")


if __name__ == "__main__":
    main()
