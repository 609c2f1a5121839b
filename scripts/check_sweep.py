#!/usr/bin/env python3
"""Checks what posenc promises of its sweeps (docs/RESULTS.md, `posenc sweep --help`).

  check_sweep.py [--posenc build/posenc] [--quick] [--only kill,disk,...] [--keep DIR]

Each promise is one line, `ok ...` or `FAILED ...`, with what was measured; a check that cannot be made here says
`skipped ...`. Exits 1 if any failed. Shares no code with posenc. The checks of full and read-only disks mount small
tmpfs and need root on Linux; those of pandas and duckdb need these packages. Takes some minutes; --quick about one.
"""
import argparse
import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SLACK = 1.0  # seconds beyond a promised time, for a machine that has other work too
TINY = ["--epochs", "0", "--train-size", "1", "--val-size", "1", "--seq-len", "2", "--vocab", "2", "--d-model", "2",
        "--heads", "1", "--ffn", "2"]
failures = 0


def say(ok, name, figures=""):
    global failures
    failures += not ok
    print(f"{'ok' if ok else 'FAILED'} {name}{': ' if figures else ''}{figures}", flush=True)


def skip(name, why):
    print(f"skipped {name}: {why}", flush=True)


# --- posenc and its folders ------------------------------------------------------------------------------------------

class Posenc:
    def __init__(self, path):
        self.path = str(path)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("POSENC_")}

    def start(self, *words, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
        return subprocess.Popen([self.path, *map(str, words)], env=self.environment, **how)

    def run(self, *words, limit=300, **how):
        process = self.start(*words, **how)
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise RuntimeError(f"posenc {' '.join(map(str, words))} took more than {limit} s")
        return subprocess.CompletedProcess(words, process.returncode, out or "", err or "")


def line_is_whole(line):
    """Whether the CRC-32 at the end of a line is that of the rest (docs/RESULTS.md)."""
    found = re.fullmatch(r'(.*),"crc":"([0-9a-f]{8})"\}', line, re.DOTALL)
    return bool(found) and f"{zlib.crc32((found[1] + '}').encode()):08x}" == found[2]


def sealed(record):
    """The record as a line of runs.jsonl, with the CRC-32 of what it holds now."""
    rest = json.dumps({k: v for k, v in record.items() if k != "crc"}, separators=(",", ":"), ensure_ascii=False)
    return f'{rest[:-1]},"crc":"{zlib.crc32(rest.encode()):08x}"}}'


def lines_of(folder):
    path = Path(folder) / "runs.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def records(folder):
    """All lines of runs.jsonl, of which none may be damaged."""
    lines = lines_of(folder)
    for number, line in enumerate(lines, 1):
        if not line_is_whole(line):
            raise RuntimeError(f"{folder}/runs.jsonl:{number} is damaged")
    return [json.loads(line) for line in lines]


def count_whole(folder):
    return sum(map(line_is_whole, lines_of(folder)))


def results(folder):
    """run_id -> all that may not differ between two repeats."""
    return {r["run_id"]: {k: v for k, v in r.items() if k not in ("execution", "crc")} for r in records(folder)}


def statuses(folder):
    latest = {r["run_id"]: r["status"] for r in records(folder)}
    return {status: list(latest.values()).count(status) for status in set(latest.values())}


def rows(folder, name, without=()):
    """Rows of an export by run, in the order that each run has them."""
    by_run = {}
    with open(Path(folder) / name, newline="") as file:
        for row in csv.DictReader(file):
            by_run.setdefault(row["run_id"], []).append({k: v for k, v in row.items() if k not in without})
    return by_run


def one_error(result, codes, *needles):
    """Whether it ended with one of `codes` and one line, after notes and progress, that says all of `needles`."""
    errors = [line for line in result.stderr.splitlines() if line.startswith("posenc: error: ")]
    return (result.returncode in codes and len(errors) == 1 and result.stderr.splitlines()[-1] == errors[0]
            and all(needle in errors[0] for needle in needles))


def ending(result):
    last = result.stderr.splitlines()[-1] if result.stderr else "nothing on stderr"
    return f"exit {result.returncode}, {last[:230]!r}"


def wait_for(condition, limit=60.0, pause=0.01):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError("waited too long")
        time.sleep(pause)


def resident_megabytes(process, key="VmRSS"):
    try:
        text = Path(f"/proc/{process.pid}/status").read_text()
    except FileNotFoundError:
        return None
    found = re.search(rf"^{key}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1000 if found else None


class Tmpfs:
    """A small file system of its own at `folder`."""

    def __init__(self, folder, size):
        self.folder, self.size = Path(folder), size

    @staticmethod
    def possible():
        return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount") is not None

    def __enter__(self):
        self.folder.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.size}", "tmpfs", self.folder], check=True)
        return self

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", self.folder], check=True)

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.folder], check=True)


# --- the checks --------------------------------------------------------------------------------------------------------

def grid(a):
    """A sweep of 60 runs of some tenths of a second each; of 20 short ones under --quick."""
    sizes = ["--train-size", "500", "--epochs", "3"] if a.quick else ["--train-size", "1000", "--epochs", "4"]
    seeds, count = ("1..2", 20) if a.quick else ("1..6", 60)
    return ["--pos", "learnable,fixed", "--seq-len", "8,12,16,20,24", "--seed", seeds, "--val-size", "100", *sizes], count


def undisturbed(a, posenc, top):
    """The results of grid() with --jobs 1."""
    if not hasattr(a, "reference"):
        options, count = grid(a)
        done = posenc.run("sweep", *options, "--jobs", 1, "--out", top / "undisturbed")
        assert done.returncode == 0 and len(records(top / "undisturbed")) == count, ending(done)
        a.reference = results(top / "undisturbed")
    return a.reference


def check_kill(a, posenc, top):
    options, count = grid(a)
    want = undisturbed(a, posenc, top)
    kills = 3 if a.quick else 10
    rng = random.Random(a.seed)
    out, at, damaged = top / "killed", [], 0
    for kill in range(kills):
        process = posenc.start("sweep", *options, "--jobs", 2, "--out", out)
        if kill % 3 != 0:  # spread over the sweep; every third dies somewhere in its first 0.3 s
            least = rng.uniform(0.8, 1) * 0.85 * count * kill / kills
            wait_for(lambda: len(lines_of(out)) >= least)
        time.sleep(rng.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        _, err = process.communicate()
        if process.returncode != -signal.SIGKILL:
            raise RuntimeError(f"exit {process.returncode} before it was killed: {err[-200:]!r}")
        damaged += err.count("moved to runs.jsonl.damaged")
        at.append(count_whole(out))
    done = posenc.run("sweep", *options, "--jobs", 2, "--out", out)
    have, ids = results(out), [r["run_id"] for r in records(out)]
    different = sum(have.get(run) != result for run, result in want.items())
    say(done.returncode == 0 and not different and len(ids) == len(set(ids)) == count == len(want),
        f"kill -9 at {len(at)} random moments and going on gives what an undisturbed sweep gives",
        f"killed with {at} of {count} done; {len(ids)} lines, {len(set(ids))} runs, {different} differ or miss, "
        f"{damaged} half-written lines found; {ending(done) if done.returncode else 'exit 0'}")
    left = [p.name for p in out.rglob("*") if "partial" in p.name]
    models = {p.stem for p in (out / "models").glob("*.pt")}
    say(not left and models == set(ids), "kill -9 leaves nothing half-written behind, and each run has its model",
        f"{len(models)} models, left over: {left}")

    lines = (out / "runs.jsonl").read_bytes().splitlines(keepends=True)
    for name, text in (("cut in half", lines[-1][:len(lines[-1]) // 2]), ("without its end", lines[-1][:-1]),
                       ("of zeros", bytes(200))):
        (out / "runs.jsonl").write_bytes(b"".join(lines[:-1]) + text)
        done = posenc.run("sweep", *options, "--jobs", 2, "--out", out)
        lost = "runs.jsonl.damaged" in done.stderr
        say(done.returncode == 0 and results(out) == want and len(records(out)) == count and lost != name.startswith("without"),
            f"a last line {name}, as a power cut may leave it, is noticed and its run made good",
            f"{len(records(out))} lines; {done.stderr.splitlines()[0][:150]!r}")


def check_jobs(a, posenc, top):
    options, count = grid(a)
    want = undisturbed(a, posenc, top)
    for jobs in (2, 4):
        done = posenc.run("sweep", *options, "--jobs", jobs, "--out", top / f"jobs{jobs}")
        different = sum(results(top / f"jobs{jobs}").get(run) != result for run, result in want.items())
        # the exports are in the order of the grid, whatever finished first
        same = all(rows(top / "undisturbed", name, ["seconds"]) == rows(top / f"jobs{jobs}", name, ["seconds"])
                   and list(rows(top / "undisturbed", name)) == list(rows(top / f"jobs{jobs}", name))
                   for name in ("runs.csv", "epochs.csv"))
        say(done.returncode == 0 and not different and same, f"--jobs {jobs} gives what --jobs 1 gives",
            f"{different} of {count} runs differ, exports are {'equal and in equal order' if same else 'different'}")


def check_signals(a, posenc, top):
    many = ["--seed", "1..200", "--epochs", "3", "--train-size", "300", "--val-size", "100"]
    slow_operator = ["--seed", "1..2", "--epochs", "3", "--train-size", "4000", "--batch-size", "4000", "--seq-len", "64",
                     "--val-size", "1"]
    for name, number, code, options, jobs, least in (
            ("SIGINT", signal.SIGINT, 130, many, 2, 6), ("SIGTERM", signal.SIGTERM, 143, many, 2, 6),
            ("SIGINT while one operator takes long", signal.SIGINT, 130, slow_operator, 1, 0)):
        out = top / ("stopped-" + name.replace(" ", "-"))
        process = posenc.start("sweep", *options, "--jobs", jobs, "--out", out)
        wait_for(lambda: len(lines_of(out)) >= least and (out / "runs.jsonl").exists())
        if least == 0:
            time.sleep(0.7)
        before, begin = count_whole(out), time.monotonic()
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        took, after = time.monotonic() - begin, len(records(out))
        last = err.splitlines()[-1] if err else ""
        say(process.returncode == code and took <= 1 + SLACK and after >= before and last.startswith("posenc: "),
            f"{name} ends a sweep within a second and keeps what is finished",
            f"exit {process.returncode} after {took:.2f} s, {before} runs before, {after} after, {last!r}")
        if least:
            going_on = posenc.run("sweep", *options, "--jobs", 2, "--max-runs", 1, "--out", out)
            say(going_on.returncode == 0 and len(records(out)) == after + 1, f"it goes on after {name}",
                f"{after + 1} runs; {going_on.stdout.strip()[:120]!r}")
    out = top / "twice"
    process = posenc.start("sweep", *slow_operator, "--jobs", 1, "--out", out)
    wait_for(lambda: (out / "runs.jsonl").exists())
    time.sleep(0.7)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    took = time.monotonic() - begin
    say(process.returncode == 130 and took < 0.3 + SLACK, "a second SIGINT ends it at once",
        f"exit {process.returncode} after {took:.2f} s")


def check_disk(a, posenc, top):
    if not Tmpfs.possible():
        return skip("full disk", "mounting a tmpfs needs root on Linux")
    options = ["--pos", "learnable,fixed", "--seed", "1..15", "--seq-len", "4,6", "--epochs", "1", "--train-size", "300",
               "--val-size", "50", "--jobs", "2"]
    whole = posenc.run("sweep", *options, "--out", top / "roomy")
    assert whole.returncode == 0, ending(whole)
    want = results(top / "roomy")
    for size in ("4k", "16k", "64k", "300k", "1m"):
        with Tmpfs(top / f"disk-{size}", size) as disk:
            out = disk.folder / "out"
            full = posenc.run("sweep", *options, "--out", out)
            done = count_whole(out)
            blamed = sum(r["status"] == "failed" for r in map(json.loads, filter(line_is_whole, lines_of(out))))
            damaged = len(lines_of(out)) - done
            say(one_error(full, [1], "No space left"), f"a disk of {size} that fills up is one clear error, exit 1",
                f"{done - blamed} runs finished; {ending(full)}")
            say(damaged == 0 and blamed == 0, f"the full disk of {size} damages no result and is no run's fault",
                f"{damaged} damaged lines, {blamed} runs kept as failed")
            disk.remount("size=40m")
            more = posenc.run("sweep", *options, "--out", out)
            different = sum(results(out).get(run) != result for run, result in want.items())
            say(more.returncode == 0 and different == 0, f"the sweep on the disk of {size} is completed once there is space",
                f"{different} of {len(want)} runs differ or miss; {ending(more)}")


def check_folder(a, posenc, top):
    one = [*TINY, "--seed", "1..3", "--jobs", "1"]
    if Tmpfs.possible():
        with Tmpfs(top / "read-only", "8m") as disk:
            assert posenc.run("sweep", *one, "--out", disk.folder / "old").returncode == 0
            disk.remount("ro")
            for name, folder in (("a new folder", "new"), ("results", "old")):
                refused = posenc.run("sweep", *one, "--force", "--out", disk.folder / folder)
                say(one_error(refused, [1, 2], "Read-only"), f"{name} on a read-only disk is one clear error", ending(refused))
            refused = posenc.run("merge", disk.folder / "old", "--out", top / "from-read-only")
            say(refused.returncode == 0, "results on a read-only disk can be merged from", ending(refused))
    else:
        skip("read-only folders", "mounting a tmpfs needs root on Linux")
    (top / "a-file").write_text("")
    for name, folder in (("a file", top / "a-file"), ("below a file", top / "a-file" / "x"), ("foreign", top)):
        (top / "foreign").write_text("")
        refused = posenc.run("sweep", *one, "--out", folder)
        say(one_error(refused, [2], "--out"), f"--out that is {name} is one clear error, exit 2", ending(refused))

    for name, remove in (("deleted", lambda path: shutil.rmtree(path, ignore_errors=True)),
                         ("moved away", lambda path: path.rename(top / "elsewhere"))):
        out = top / "vanishing"
        total = 400
        process = posenc.start("sweep", "--seed", f"1..{total}", "--epochs", "1", "--train-size", "600", "--val-size", "100",
                               "--jobs", "2", "--out", out)
        wait_for(lambda: len(lines_of(out)) >= 5)
        begin = time.monotonic()
        remove(out)
        try:
            stdout, err = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            say(False, f"a folder that is {name} midway ends the sweep", "it went on for 10 s as if nothing had happened")
        else:
            ended = subprocess.CompletedProcess([], process.returncode, stdout, err)
            took = time.monotonic() - begin
            say(one_error(ended, [1, 2]) and took < 3 + SLACK, f"a folder that is {name} midway ends the sweep with a clear error",
                f"after {took:.1f} s; {ending(ended)}")
        shutil.rmtree(out, ignore_errors=True)


def check_lock(a, posenc, top):
    out = top / "held"
    process = posenc.start("sweep", "--seed", "1..50", "--epochs", "20", "--jobs", "1", "--out", out)
    wait_for(lambda: (out / "runs.jsonl").exists() and (out / "lock").read_text())
    before = lines_of(out)
    for words in (["sweep", *TINY, "--out", out], ["--epochs", "0", "--out", out], ["merge", top / "some", "--out", out]):
        if words[0] == "merge":
            assert posenc.run("sweep", *TINY, "--out", top / "some").returncode == 0
        second = posenc.run(*words)
        say(one_error(second, [2], "in use", str(process.pid)),
            f"a second process ({words[0] if words[0].isalpha() else 'a single run'}) on one folder names the holder, exit 2",
            ending(second))
    still = process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    after = posenc.run("sweep", *TINY, "--out", out)
    say(still and lines_of(out)[:len(before)] == before and after.returncode == 0,
        "the first goes on undisturbed, and its end frees the folder", ending(after) if after.returncode else "exit 0")


def check_memory(a, posenc, top):
    total, first = (400, 100) if a.quick else (2000, 100)
    out = top / "memory"
    process = posenc.start("sweep", "--seed", f"1..{total // 4}", "--epochs", "0,1", "--pos", "learnable,fixed", "--train-size", "64",
                           "--val-size", "16", "--jobs", "2", "--out", out, stderr=subprocess.DEVNULL)
    at_first, most, last = None, 0.0, 0.0
    position = done = 0
    while process.poll() is None:
        time.sleep(0.05)
        try:
            with open(out / "runs.jsonl", "rb") as file:
                file.seek(position)
                text = file.read()
                position += len(text)
                done += text.count(b"\n")
        except FileNotFoundError:
            continue
        now = resident_megabytes(process)
        if now is None or done < first:
            continue
        at_first = at_first or (done, now)
        if done < total:  # the exports that follow are of all runs at once
            last = now
        most = max(most, now)
    process.communicate()
    say(process.returncode == 0 and at_first is not None and most - at_first[1] <= 20,
        f"memory is flat over {total} runs",
        f"{at_first[1]:.0f} MB after {at_first[0]} runs, {last:.0f} MB with the last, {most:.0f} MB at most")


def check_plan(a, posenc, top):
    options = ["sweep", "--seed", "0..9999", "--seq-len", "10..109", "--shard", "1/8", "--plan"]
    process = posenc.start(*options, stderr=subprocess.DEVNULL)
    begin = time.monotonic()
    first = process.stdout.readline()
    took = time.monotonic() - begin
    count = 1
    peak = 0.0
    for count, line in enumerate(process.stdout, 2):
        if count % 2000 == 0:
            peak = max(peak, resident_megabytes(process, "VmHWM") or 0)
    process.wait()
    say(process.returncode == 0 and took < 2 + SLACK and json.loads(first) and json.loads(line) and peak < 500 and
        count == 125_000, "--plan --shard 1/8 of 1,000,000 combinations: first line within 2 s, under 500 MB",
        f"first line after {took:.2f} s, {count} lines after {time.monotonic() - begin:.1f} s, {peak:.0f} MB at most")
    head = subprocess.run(f"'{posenc.path}' {' '.join(options)} | head -n 1; echo ${{PIPESTATUS[0]}}", shell=True,
                          executable="/bin/bash", capture_output=True, text=True)
    say(head.stdout.splitlines()[-1] == "0" and not head.stderr, "its reader may go away", repr(head.stderr))
    # A grid near the greatest allowed is answered, not swapped to death: 4 GB of address space suffice.
    large = subprocess.run(f"ulimit -v 4000000; '{posenc.path}' sweep --seed 0..999999 --seq-len 2..1000 --plan | head -n 1",
                           shell=True, executable="/bin/bash", capture_output=True, text=True, timeout=120)
    say(large.stdout.startswith("{") or "combinations" in large.stderr,
        "--plan of 999,000,000 combinations prints or is refused for its size", repr((large.stdout[:40] + large.stderr)[:160]))


def check_limits(a, posenc, top):
    # Three short runs and two that take seconds.
    options = ["--seed", "1..2", "--train-size", "64,20000", "--epochs", "1", "--val-size", "50", "--jobs", "2"]
    out = top / "timeout"
    done = posenc.run("sweep", *options, "--timeout-per-run", "0.2", "--out", out)
    failed = [r for r in records(out) if r["status"] == "failed"]
    long = [r for r in failed if r["config"]["train_size"] == 20000]
    say(done.returncode == 1 and len(long) == len(failed) == 2 and all("timeout" in r["message"] for r in failed)
        and statuses(out).get("finished") == 2,
        "--timeout-per-run 0.2 gives up long runs with a message, and others finish",
        f"exit {done.returncode}, {statuses(out)}, {failed[0]['message'] if failed else ''!r}, "
        f"after {max((r['execution']['seconds'] for r in failed), default=0):.2f} s")
    again = posenc.run("sweep", *options, "--out", out)
    say(again.returncode == 1 and len(records(out)) == 4, "without --retry-failed they stay failed",
        f"exit {again.returncode}, {len(records(out))} lines")
    again = posenc.run("sweep", *options, "--retry-failed", "--out", out)
    say(again.returncode == 0 and len(records(out)) == 6 and statuses(out) == {"finished": 4},
        "--retry-failed runs them, and only them, again", f"exit {again.returncode}, {len(records(out))} lines, {statuses(out)}")
    with open(out / "runs.csv", newline="") as file:
        exported = list(csv.DictReader(file))
    say(len(exported) == 4 and {row["status"] for row in exported} == {"finished"}, "the export has the later line of a run",
        f"{len(exported)} rows")

    out = top / "fail-fast"
    stopped = posenc.run("sweep", "--epochs", "1", "--train-size", "20000", "--val-size", "20", "--seed", "1..8", "--jobs", "1",
                         "--timeout-per-run", "0.05", "--fail-fast", "--out", out)
    say(stopped.returncode == 1 and len(records(out)) == 1 and statuses(out) == {"failed": 1},
        "--fail-fast stops after the first failure", f"exit {stopped.returncode}, {statuses(out)} of 8, {stopped.stdout.strip()!r}")

    out = top / "some-at-a-time"
    counts = []
    for most in (0, 3, 3, 3, 3):
        done = posenc.run("sweep", *TINY, "--seed", "1..10", "--max-runs", most, "--jobs", "2", "--out", out)
        counts.append((done.returncode, len(records(out))))
    say(counts == [(0, 0), (0, 3), (0, 6), (0, 9), (0, 10)], "--max-runs runs so many of those that are not done", f"{counts}")


def check_shards(a, posenc, top):
    options, count = grid(a)
    want = undisturbed(a, posenc, top)
    parts = [top / f"part{i}" for i in (1, 2, 3)]
    for i, part in enumerate(parts, 1):
        done = posenc.run("sweep", *options, "--jobs", 2, "--shard", f"{i}/3", "--out", part)
        assert done.returncode == 0, ending(done)
    sizes = [len(results(part)) for part in parts]
    union = set().union(*(results(part) for part in parts))
    plans = [line for i in (1, 2, 3)
             for line in posenc.run("sweep", *options, "--shard", f"{i}/3", "--plan").stdout.splitlines()]
    whole_plan = posenc.run("sweep", *options, "--plan").stdout.splitlines()
    say(sum(sizes) == count and union == set(want) and sorted(plans) == sorted(whole_plan),
        "every run is in exactly one of 3 shards", f"{sizes} of {count}; --plan says the same")
    merged = top / "merged"
    done = posenc.run("merge", *parts, "--out", merged)
    equal = {name: rows(merged, name, ["seconds"]) == rows(top / "undisturbed", name, ["seconds"])
             for name in ("runs.csv", "epochs.csv")}
    models = len(list((merged / "models").glob("*.pt")))
    say(done.returncode == 0 and results(merged) == want and all(equal.values()) and models == count,
        "the shards merged are the whole", f"{done.stdout.strip()!r}; {equal}, {models} models")
    order = [list(rows(merged, "runs.csv")) == list(rows(top / "undisturbed", "runs.csv"))]
    again = posenc.run("merge", *parts, "--out", merged)
    say(again.returncode == 0 and len(records(merged)) == count, "merging again adds nothing", again.stdout.strip())
    going_on = posenc.run("sweep", *options, "--out", merged)
    say(going_on.returncode == 0 and len(records(merged)) == count, "a sweep goes on in a merged folder",
        f"{going_on.stderr.strip()[:100]!r}, rows were {'' if order[0] else 'not '}in the order of the grid before")

    liar = top / "liar"
    shutil.copytree(parts[0], liar)
    lines = lines_of(liar)
    record = json.loads(lines[0])
    same = sealed(record) == lines[0]
    record["curve"]["val_acc"][-1] = 0.125
    (liar / "runs.jsonl").write_text("\n".join([sealed(record), *lines[1:]]) + "\n")
    refused = posenc.run("merge", parts[0], liar, "--out", top / "conflict")
    say(same and one_error(refused, [1, 2], record["run_id"]), "duplicates that differ are refused, and named", ending(refused))
    kept = lines_of(merged)
    refused = posenc.run("merge", liar, "--out", merged)
    say(one_error(refused, [1, 2], record["run_id"]) and lines_of(merged) == kept,
        "so are those that differ from what is merged already, which stays", ending(refused))

    lines[0] = lines[0].replace('"train_loss":[0', '"train_loss":[1', 1)
    (liar / "runs.jsonl").write_text("\n".join(lines) + "\n")
    damaged = posenc.run("merge", liar, "--out", top / "from-damaged")
    say(damaged.returncode == 1 and ":1: " in damaged.stderr and len(records(top / "from-damaged")) == sizes[0] - 1,
        "a damaged line is left out and named, exit 1", ending(damaged))

    # A run that failed in one place and was run again in another is no contradiction.
    long = ["--train-size", "20000", "--epochs", "1", "--val-size", "20"]
    first = posenc.run("sweep", *long, "--timeout-per-run", "0.2", "--out", top / "failed-here")
    assert first.returncode == 1, ending(first)
    shutil.copytree(top / "failed-here", top / "then-finished")
    assert posenc.run("sweep", *long, "--retry-failed", "--out", top / "then-finished").returncode == 0
    done = posenc.run("merge", top / "failed-here", top / "then-finished", "--out", top / "both")
    say(done.returncode == 0 and statuses(top / "both") == {"finished": 1},
        "a run that failed in one folder and finished in another is merged as finished", ending(done))
    assert posenc.run("merge", top / "failed-here", "--out", top / "nightly").returncode == 0
    done = posenc.run("merge", top / "then-finished", "--out", top / "nightly")
    say(done.returncode == 0 and statuses(top / "nightly") == {"finished": 1},
        "a folder merged before its failed run was run again takes it up when merged again", ending(done))


def check_readers(a, posenc, top):
    out = top / "read"
    posenc.run("sweep", "--pos", "learnable:std=0.5,fixed", "--train-size", "64,20000", "--seed", "1..3", "--epochs", "1",
               "--val-size", "20", "--timeout-per-run", "0.2", "--out", out)
    lines = {r["run_id"]: r for r in records(out)}
    try:
        import pandas
    except ImportError:
        skip("pandas", "not installed for this Python")
    else:
        runs, epochs = pandas.read_csv(out / "runs.csv"), pandas.read_csv(out / "epochs.csv")
        from_lines = pandas.read_json(out / "runs.jsonl", lines=True)
        same = all(row.final_val_acc == lines[row.run_id]["curve"]["val_acc"][-1] for row in runs.itertuples()
                   if row.status == "finished")
        say(len(runs) == len(from_lines) == 12 and same and runs.seed.dtype == "int64" and runs.final_val_acc.dtype == "float64"
            and set(epochs.columns) == {"run_id", "epoch", "train_loss", "val_acc"},
            f"pandas {pandas.__version__} reads runs.csv, epochs.csv and runs.jsonl",
            f"{len(runs)} runs, {len(epochs)} epochs, {dict(runs.status.value_counts())}")
    try:
        import duckdb
    except ImportError:
        skip("duckdb", "not installed for this Python")
    else:
        found = duckdb.sql(f"select status, count(*), avg(final_val_acc), typeof(any_value(seed)), typeof(any_value(final_val_acc)) "
                           f"from read_csv('{out}/runs.csv') group by status order by status").fetchall()
        plain = duckdb.sql(f"select count(*) from read_json('{out}/runs.jsonl')").fetchall()[0][0]
        total = sum(row[1] for row in found)
        say(total == plain == 12 and all(row[3:] == ("BIGINT", "DOUBLE") for row in found),
            f"duckdb {duckdb.__version__} reads runs.csv and runs.jsonl", f"{found}")


def check_refusals(a, posenc, top):
    out = top / "refused"
    folder = top / "toml"
    folder.mkdir()
    number = 0

    def toml(text):
        nonlocal number
        number += 1
        path = folder / f"{number}.toml"
        path.write_text(text + "\n")
        return path

    sweep = ["sweep", *TINY, "--out", out]
    seeds = "seed = [1, 2]\n"
    results_of_two = top / "two"
    assert posenc.run("sweep", *TINY, "--seed", "1,2", "--out", results_of_two).returncode == 0
    named = toml("seed = [1, 2]")
    cases = [
        ("an empty list", [*sweep, "--seed", ""], "empty"),
        ("an empty array", [*sweep, "--config", toml("seed = []")], "empty"),
        ("a trailing comma", [*sweep, "--seed", "1,"], "--seed"),
        ("a range that falls", [*sweep, "--seed", "5..1"], "falls"),
        ("half a range", [*sweep, "--seed", "5.."], "--seed"),
        ("a step of 0", [*sweep, "--seed", "1..5:0"], "1..5:0"),
        ("a range of texts", [*sweep, "--pos", "a..b"], "a..b"),
        ("a range of reals", [*sweep, "--lr", "0.1..0.3"], "0.1..0.3"),
        ("a value twice", [*sweep, "--seed", "1,2,1"], "twice"),
        ("a value twice in two spellings", [*sweep, "--lr", "0.001,1e-3"], "twice"),
        ("a value twice through a default", [*sweep, "--pos", "learnable,learnable:std=0.1"], "twice"),
        ("a value again in a range", [*sweep, "--seed", "1..5,3"], "twice"),
        ("a list of an option that is none", [*sweep, "--json=true,false"], "--json"),
        ("an unknown key", [*sweep, "--config", toml("sed = [1, 2]")], "nearest: seed"),
        ("an unknown key in [[exclude]]", [*sweep, "--config", toml(seeds + "[[exclude]]\nsede = 1")], ":3: "),
        ("[[exclude]] that names nothing", [*sweep, "--config", toml(seeds + "[[exclude]]")], "exclude"),
        ("[[exclude]] that leaves nothing", [*sweep, "--config", toml(seeds + '[[exclude]]\nseed = "1..2"')], ""),
        ("[exclude] for [[exclude]]", [*sweep, "--config", toml(seeds + "[exclude]\nseed = 1")], "[[exclude]]"),
        ("shard 0/3", [*sweep, "--shard", "0/3"], "0/3"),
        ("shard 4/3", [*sweep, "--shard", "4/3"], "4/3"),
        ("shard 1/0", [*sweep, "--shard", "1/0"], "1/0"),
        ("shard x", [*sweep, "--shard", "x"], "'x'"),
        ("shard -1/3", [*sweep, "--shard=-1/3"], "-1/3"),
        ("an array of mixed types", [*sweep, "--config", toml('seed = [1, "a"]')], ":1: "),
        ("an array of integers and reals", [*sweep, "--config", toml("seed = [1, 2.5]")], ":1: "),
        ("an array of texts for numbers", [*sweep, "--config", toml('lr = ["0.1"]')], ":1: "),
        ("an array in an array", [*sweep, "--config", toml("seed = [1, [2]]")], ":1: "),
        ("a huge range", [*sweep, "--seed", "0..4294967295"], "too long"),
        ("a huge grid", ["sweep", "--out", out, "--seed", "0..1999999", "--data-seed", "0..1999999", "--seeding", "paired"],
         "combinations"),
        ("negative jobs", [*sweep, "--jobs", "-1"], "--jobs"),
        ("no jobs", [*sweep, "--jobs", "0"], "--jobs"),
        ("negative --max-runs", [*sweep, "--max-runs", "-1"], "--max-runs"),
        ("no time", [*sweep, "--timeout-per-run", "0"], "--timeout-per-run"),
        ("a combination that cannot be", [*sweep[:1], "--out", out, "--heads", "3,4"], "heads=3"),
        ("no --out", ["sweep", *TINY], "--out"),
        ("a sweep's file without `sweep`", ["--config", named], f"posenc sweep --config {named}"),
        ("a sweep's file under compare", ["compare", "--config", named], f"posenc sweep --config {named}"),
        ("an [[exclude]] without `sweep`", ["--config", toml("[[exclude]]\nseed = 1")], "posenc sweep --config"),
        ("a range without `sweep`", ["--config", toml('seed = "1..3"')], "posenc sweep --config"),
        ("a list without `sweep`", ["--epochs", "0", "--seed", "1,2"], "--seed"),
        ("merging a folder with itself", ["merge", results_of_two, "--out", results_of_two], "itself"),
        ("merging a folder twice", ["merge", results_of_two, results_of_two, "--out", out], "twice"),
        ("merging no folder", ["merge", "--out", out], "no folder"),
        ("merging into nothing", ["merge", results_of_two], "--out"),
        ("merging what is no folder of results", ["merge", folder, "--out", out], "toml"),
        ("merging what does not exist", ["merge", top / "nowhere", "--out", out], "nowhere"),
    ]
    two, bad = lines_of(results_of_two), []
    for name, words, needle in cases:
        refused = posenc.run(*words, limit=60)
        wrote = out.exists() or lines_of(results_of_two) != two
        if not one_error(refused, [2], needle) or len(refused.stderr.splitlines()) != 1 or refused.stdout or wrote:
            bad.append(name)
            say(False, f"{name} is refused in one line, exit 2, and nothing is written",
                f"{ending(refused)}{', stdout ' + repr(refused.stdout[:60]) if refused.stdout else ''}{', and wrote' if wrote else ''}")
            shutil.rmtree(out, ignore_errors=True)
    say(not bad, f"{len(cases)} wrong inputs are each refused in one line, exit 2, and nothing is written", f"{len(bad)} were not")


CHECKS = {"kill": check_kill, "jobs": check_jobs, "signals": check_signals, "disk": check_disk, "folder": check_folder,
          "lock": check_lock, "memory": check_memory, "plan": check_plan, "limits": check_limits, "shards": check_shards,
          "readers": check_readers, "refusals": check_refusals}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--posenc", type=Path, default=HERE.parent / "build" / "posenc")
    parser.add_argument("--quick", action="store_true", help="smaller sweeps and fewer kills")
    parser.add_argument("--only", help=f"some of {','.join(CHECKS)}")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments")
    parser.add_argument("--keep", type=Path, help="leave the folders of results here, a new folder")
    a = parser.parse_args()
    names = a.only.split(",") if a.only else list(CHECKS)
    if set(names) - set(CHECKS):
        parser.error(f"--only takes {','.join(CHECKS)}")
    if a.seed is None:
        a.seed = random.SystemRandom().randrange(1 << 32)
    print(f"random moments of --seed {a.seed}", flush=True)
    posenc = Posenc(a.posenc.resolve())
    if a.keep:
        a.keep.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="check-sweep-") as temporary:
        top = a.keep.resolve() if a.keep else Path(temporary)
        for name in names:
            try:
                CHECKS[name](a, posenc, top)
            except Exception as error:  # one check that breaks must not hide the others
                where = traceback.extract_tb(error.__traceback__)
                mine = [frame for frame in where if frame.filename == __file__][-1]
                say(False, f"the check `{name}` could not be completed", f"line {mine.lineno}: {type(error).__name__}: {error}")
    print(f"{failures} failed" if failures else "all good")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
