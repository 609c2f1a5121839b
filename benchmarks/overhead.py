#!/usr/bin/env python3
"""What a sweep adds to a run, in milliseconds: its line, its model file, its share of the bookkeeping.

The same runs (0 epochs, 1 training and 1 validation sequence, the smallest model) are made by

  posenc compare   which keeps nothing: model construction, drawing and one evaluation, the run itself
  posenc sweep     with --jobs 1, into --folder, and into memory (/dev/shm), where syncing costs nothing

each in one process. What a process costs once (its start) is the time of the same command with one run, and is taken
off: (T(N) - T(1)) / (N - 1). Beside it stands what the disk alone takes for the same: a line appended and synced, and a
file of the model's size written, synced and renamed, in the same folder, from Python. The three take turns, and the
medians are printed. Where other processes' CPU time is not near 0, measure again.
"""
import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from timing import ROOT, timed

EMPTY = ["--epochs", "0", "--train-size", "1", "--val-size", "1", "--seq-len", "2", "--vocab", "2", "--d-model", "2", "--heads", "1",
         "--ffn", "2"]


def encodings(count):
    """`count` runs that differ in a number only, for commands that take lists of encodings."""
    return ",".join(f"learnable:std={i / 1000:g}" for i in range(1, count + 1))


def sync_milliseconds(folder, line_bytes, model_bytes, repetitions):
    """Medians of appending and syncing a line, and of writing, syncing and renaming a file with its folder."""
    line, model = b"x" * (line_bytes - 1) + b"\n", b"x" * model_bytes
    lines, models = [], []
    folder.mkdir()
    directory = os.open(folder, os.O_RDONLY)
    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for i in range(repetitions):
        begin = time.perf_counter()
        partial = os.open(folder / "partial", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        os.write(partial, model)
        os.fsync(partial)
        os.close(partial)
        os.rename(folder / "partial", folder / f"model-{i}")
        os.fsync(directory)
        middle = time.perf_counter()
        os.write(log, line)
        os.fsync(log)
        models.append(middle - begin)
        lines.append(time.perf_counter() - middle)
    os.close(log)
    os.close(directory)
    return 1e3 * statistics.median(lines), 1e3 * statistics.median(models)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--posenc", type=Path, default=ROOT / "build" / "posenc")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=ROOT / "results", help="on the disk to measure")
    a = parser.parse_args()
    a.posenc = a.posenc.resolve()
    a.folder.mkdir(exist_ok=True)
    memory = Path("/dev/shm")

    def command(words, count, out):
        line = [a.posenc, *words, *EMPTY, "--pos", encodings(count)]
        return line + (["--jobs", "1", "--out", out] if out else [])

    def each(words, where):
        """Milliseconds a run, and other processes' CPU seconds."""
        with tempfile.TemporaryDirectory(prefix="results-overhead-", dir=where or a.folder) as top:
            (one, one_others), (all_, all_others) = (timed(command(words, count, where and f"{top}/{count}"))
                                                     for count in (1, a.runs))
            sizes = None
            if where:
                lines = Path(top, str(a.runs), "runs.jsonl").read_bytes().splitlines(keepends=True)
                models = [path.stat().st_size for path in Path(top, str(a.runs), "models").glob("*.pt")]
                assert len(lines) == len(models) == a.runs
                sizes = round(statistics.mean(map(len, lines))), round(statistics.mean(models))
            return 1e3 * (all_ - one) / (a.runs - 1), one_others + all_others, sizes

    bare, kept, shm, lines, models = [], [], [], [], []
    for i in range(a.repetitions):
        alone, others_1, _ = each(["compare"], None)
        on_disk, others_2, sizes = each(["sweep"], a.folder)
        in_memory, others_3, _ = each(["sweep"], memory) if memory.is_dir() else (float("nan"), 0.0, None)
        with tempfile.TemporaryDirectory(prefix="results-overhead-", dir=a.folder) as top:
            line, model = sync_milliseconds(Path(top, "synced"), *sizes, min(a.runs, 500))
        for values, value in ((bare, alone), (kept, on_disk), (shm, in_memory), (lines, line), (models, model)):
            values.append(value)
        print(f"{i + 1}: a run alone {alone:.3f} ms, in a sweep {on_disk:.3f} ms, in a sweep in memory {in_memory:.3f} ms; "
              f"a line of {sizes[0]} bytes {line:.3f} ms, a model of {sizes[1]} bytes {model:.3f} ms; "
              f"other processes {others_1 + others_2 + others_3:.2f} s of CPU", flush=True)
    extra = [k - b for k, b in zip(kept, bare)]
    print(f"a sweep adds {statistics.median(extra):.3f} ms to a run (median of {len(extra)}, {min(extra):.3f} to {max(extra):.3f}; "
          f"{a.runs} runs each): {statistics.median(kept):.3f} ms in all, {statistics.median(bare):.3f} ms of them the run itself; "
          f"the disk takes {statistics.median(lines):.3f} ms for the line and {statistics.median(models):.3f} ms for the model, and "
          f"without a disk it is {statistics.median(shm) - statistics.median(bare):.3f} ms")


if __name__ == "__main__":
    main()
