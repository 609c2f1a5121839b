#!/usr/bin/env python3
"""Time of the published 30-epoch run, posenc against scripts/reference.py, as one ratio.

Both run as whole processes, in turn, pinned to one core with one thread; the ratio is taken pair by pair, since a
machine's speed drifts. CPU time that other processes took meanwhile is printed beside: where it is not near 0,
measure again. Needs build/posenc, and a Python with torch 2.11.0 for the reference: `benchmarks/run.sh against_reference.py`
makes one.
"""
import argparse
import statistics

from timing import ROOT, peer_python, timed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=peer_python(), help="a Python with torch 2.11.0; default the one that run.sh makes")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--core", default="0")
    a = parser.parse_args()

    pin = ["taskset", "-c", a.core]
    ours = pin + [str(ROOT / "build" / "posenc"), "--pos", "learnable"]
    theirs = pin + [a.python, str(ROOT / "scripts" / "reference.py"), "--pos", "learnable"]
    timed(ours), timed(theirs)  # warm the caches
    ratios = []
    for i in range(a.repetitions):
        (our_time, our_others), (their_time, their_others) = timed(ours), timed(theirs)
        ratios.append(our_time / their_time)
        print(f"{i + 1}: posenc {our_time:.2f} s, reference.py {their_time:.2f} s, ratio {ratios[-1]:.3f}, "
              f"other processes {our_others + their_others:.2f} s of CPU", flush=True)
    print(f"posenc takes {statistics.median(ratios):.3f} of reference.py's time "
          f"(median of {len(ratios)}, {min(ratios):.3f} to {max(ratios):.3f})")


if __name__ == "__main__":
    main()
