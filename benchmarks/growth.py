#!/usr/bin/env python3
"""How the time of a training step grows with length, width, layers and runs at a time, for both engines of posenc.

One size grows, the others stay published; with the width D grow the heads, D / 8, and the feed-forward width, 2 D. All
points take turns, on one core but for the runs at a time, whose time is that of a step over all runs. An exponent e
says that doubling the size takes 2^e of the time; it is fitted by least squares of the logarithms over the upper half
of the sizes. Milliseconds are medians and drift with the machine; the exponents and the engines' ratio do much less.
"""
import argparse
import functools
import json
import math
import os
import statistics
import tempfile
from pathlib import Path

from figure import Panel, log_log_svg
from steps import Measurement, Shape, in_turns, posenc_seconds_per_step
from timing import ROOT, measured

ENGINES = {"posenc": [], "LibTorch operators": ["--engine", "reference"]}
AXES = {"L": "sequence length, tokens", "D": "model width, numbers a token", "layers": "encoder layers", "jobs": "runs at a time"}


def sizes(axis):
    if axis == "jobs":
        return [n for n in (1, 2, 4, 8, 16, 32, 64) if n < os.cpu_count()] + [os.cpu_count()]
    return {"L": [8, 16, 32, 64, 128, 256, 512], "D": [16, 32, 64, 128, 256], "layers": [1, 2, 3, 4, 6, 8]}[axis]


def shape_at(axis, size):
    work = size * {"L": 32, "D": 16, "layers": 512, "jobs": 0}[axis]  # L x D x layers
    train = 2048 if work <= 2048 else 256
    if axis == "D":
        return Shape(d_model=size, heads=size // 8, ffn=2 * size, train=train)
    return Shape(train=train, **{"L": {"seq_len": size}, "layers": {"layers": size}, "jobs": {}}[axis])


def seconds_with_jobs(jobs, epochs, posenc, extra):
    """As posenc_seconds_per_step(), of a sweep of `jobs` runs that all go on at once; the slowest counts."""
    shape = shape_at("jobs", jobs)
    slowest, others, wall = [], 0.0, 0.0
    for count in (1, 1 + epochs):
        with tempfile.TemporaryDirectory() as out:
            process = measured([posenc, "sweep", *shape.posenc_flags(), *extra, "--val-size", "1", "--epochs", str(count),
                                "--seed", f"1..{jobs}", "--jobs", str(jobs), "--out", out])
            slowest.append(max(json.loads(line)["execution"]["seconds"] for line in Path(out, "runs.jsonl").read_text().splitlines()))
        others, wall = others + process.others, wall + process.seconds
    seconds = slowest[1] - slowest[0]
    return Measurement(seconds / (epochs * shape.steps() * jobs), seconds / epochs, others, wall)


def contender(axis, size, extra, a):
    if axis == "jobs":
        return functools.partial(seconds_with_jobs, size, posenc=a.posenc, extra=extra)
    return functools.partial(posenc_seconds_per_step, shape_at(axis, size), core=a.core, posenc=a.posenc, extra=extra)


def exponent(points):
    """Of the upper half, but of two points at least; None of one."""
    upper = points[min(len(points) // 2, max(0, len(points) - 2)):]
    if len(upper) < 2:
        return None
    xs, ys = ([math.log(value) for value in column] for column in zip(*upper))
    return statistics.linear_regression(xs, ys).slope


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--axes", default=",".join(AXES), help="of L,D,layers,jobs; default all")
    parser.add_argument("--most", type=int, default=512, help="leave out greater sizes")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5, help="that a measurement is to take")
    parser.add_argument("--core", default="0")
    parser.add_argument("--posenc", type=Path, default=ROOT / "build" / "posenc")
    parser.add_argument("--svg", type=Path, help="draw the figure into this file, such as docs/growth.svg")
    a = parser.parse_args()

    contenders = {(axis, engine, size): contender(axis, size, extra, a) for axis in a.axes.split(",") for engine, extra in ENGINES.items()
                  for size in sizes(axis) if size <= a.most}
    results = in_turns(contenders, a.repetitions, a.seconds)
    print("| what grows | engine | exponent | milliseconds a step, by size | other processes |\n|---|---|---|---|---|")
    panels = []
    for axis in a.axes.split(","):
        panels.append(Panel(AXES[axis], "milliseconds a step" + (" and run" if axis == "jobs" else "")))
        for engine in ENGINES:
            measurements = {key[2]: of_size for key, of_size in results.items() if key[:2] == (axis, engine)}
            if not measurements:
                continue
            points = [(size, 1e3 * statistics.median(m.seconds_per_step for m in of_size)) for size, of_size in measurements.items()]
            panels[-1].curves[engine] = points
            every = [m for of_size in measurements.values() for m in of_size]
            slope = exponent(points)
            panels[-1].notes[engine] = "" if slope is None else f"exponent {slope:.2f}"
            print(f"| {axis} | {engine} | {'' if slope is None else f'{slope:.2f}'} | "
                  f"{', '.join(f'{size}: {ms:.3g}' for size, ms in points)} | "
                  f"{100 * sum(m.others for m in every) / sum(m.wall for m in every):.0f} % |")
    if a.svg:
        a.svg.write_text(log_log_svg(panels, "Time of a training step, both axes logarithmic; exponents fitted over the upper half"))


if __name__ == "__main__":
    main()
