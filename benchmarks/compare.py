#!/usr/bin/env python3
"""Time of a training step, of each peer over posenc's, at several shapes: one Markdown table of ratios.

Peers are the files of peers/, and `libtorch`, posenc's own engine of LibTorch operators. A ratio is taken within a
repetition, in which all take turns on one core with one thread; the table has the median and the range over the
repetitions. Its last column says what share of a core other processes took meanwhile: where it is not near 0, measure
again. `start` is what a peer's first epoch, which is not timed, took beyond another one in its first measurement, before
anything is cached; compilation, where it is much.

With --encodings it is posenc alone: the time of each encoding over that of `none`. run.sh makes the environment that
the peers need.
"""
import argparse
import dataclasses
import functools
import json
import os
import statistics
import tempfile
from pathlib import Path

from steps import Shape, in_turns, peer_seconds_per_step, posenc_seconds_per_step
from timing import ROOT, measured, peer_python

WIDE = {"d_model": 128, "heads": 8, "ffn": 256}
ROWS = {"published": Shape(), "L64": Shape(seq_len=64, train=512), "L256": Shape(seq_len=256, train=256), "D128": Shape(train=512, **WIDE),
        "L64-D128": Shape(seq_len=64, train=256, **WIDE), "4-layers": Shape(layers=4, train=512), "no-dropout": Shape(dropout=0.0)}
PEERS = ["torch_script", "torch_fused_adam", "torch_compile", "jax_vmap", "libtorch"]


def chosen(allowed):
    """A parser of comma-separated names."""
    def parse(text):
        names = text.split(",")
        for name in names:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"no such name (given {name}, allowed: {', '.join(allowed)})")
        return names
    return parse


def peer_contenders(shape, a):
    ours = functools.partial(posenc_seconds_per_step, shape, core=a.core, posenc=a.posenc)
    contenders = {"posenc": ours}
    for peer in a.peers:
        contenders[peer] = (functools.partial(ours, extra=["--engine", "reference"]) if peer == "libtorch" else
                            functools.partial(peer_seconds_per_step, peer, shape, core=a.core, python=a.python))
    return contenders, {peer: "posenc" for peer in a.peers}


def encoding_contenders(shape, a):
    """Encodings that need causal attention are compared with `none` under causal attention."""
    contenders, base = {}, {}
    listed = json.loads(measured([a.posenc, "list", "encodings", "--json"]).stdout)["encodings"]
    for name, causal in [("none", False), *((entry["name"], entry["causal_only"]) for entry in listed if entry["name"] != "none")]:
        for each in ["none", name] if causal else [name]:
            label = f"{each} --causal" if causal else each
            contenders[label] = functools.partial(posenc_seconds_per_step, dataclasses.replace(shape, pos=each), core=a.core,
                                                  posenc=a.posenc, extra=["--causal"] * causal)
        if name != "none":
            base[label] = "none --causal" if causal else "none"
    return contenders, base


def table_row(row, name, base, results, start):
    if name not in results or base not in results:
        return f"| {row} | {name} | failed | | | |"
    ratios = [theirs.seconds_per_step / ours.seconds_per_step for theirs, ours in zip(results[name], results[base])]
    both = results[name] + results[base]
    share = sum(m.others for m in both) / sum(m.wall for m in both)
    return (f"| {row} | {name} | {statistics.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} | "
            f"{f'{start:.1f} s' if start else ''} | {100 * share:.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=chosen(ROWS), help=f"of {','.join(ROWS)}; default all, with --encodings published")
    parser.add_argument("--peers", type=chosen(PEERS), default=PEERS, help=f"of {','.join(PEERS)}; default all")
    parser.add_argument("--encodings", action="store_true", help="posenc with every encoding, relative to none")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="that a measurement is to take; default 3")
    parser.add_argument("--core", default="0")
    parser.add_argument("--posenc", type=Path, default=ROOT / "build" / "posenc")
    parser.add_argument("--python", default=peer_python(), help="a Python with the peers' packages; default the one that run.sh makes")
    parser.add_argument("--json", type=Path, help="write every measurement to this file, a line each; repetition 0 is the first, short one")
    a = parser.parse_args()
    raw = a.json.open("w") if a.json else None

    print(" / ".join(measured([a.posenc, "--version"]).stdout.splitlines()) + f"; {a.repetitions} repetitions\n")
    print(f"| shape | {'encoding' if a.encodings else 'peer'} | time over {'none' if a.encodings else 'posenc'}'s, median | range | start | "
          "other processes |\n|---|---|---|---|---|---|", flush=True)
    # A cache of compiled code of its own, so that the first compilation of each shape is a whole one.
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
        for row in a.rows or (["published"] if a.encodings else ROWS):
            starts = {}

            def log(name, repetition, measurement):
                starts.setdefault(name, measurement.start_seconds)
                if raw:
                    print(json.dumps({"row": row, "name": name, "repetition": repetition, **vars(measurement)}), file=raw, flush=True)

            contenders, base = (encoding_contenders if a.encodings else peer_contenders)(ROWS[row], a)
            results = in_turns(contenders, a.repetitions, a.seconds, log)
            for name in base:
                print(table_row(row, name, base[name], results, starts.get(name)), flush=True)


if __name__ == "__main__":
    main()
