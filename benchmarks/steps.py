"""The time of one training step, of posenc and of its peers: what a shape is, how each is measured, and in what order.

A measurement is one training loop without the process's start, construction, compilation and validation. All are
pinned to one core, with one thread.
"""
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from timing import ROOT, CommandFailed, measured

PEERS = Path(__file__).resolve().parent / "peers"


@dataclass(frozen=True)
class Shape:
    seq_len: int = 16
    d_model: int = 32
    heads: int = 4
    ffn: int = 64
    layers: int = 1
    dropout: float = 0.1
    train: int = 2000
    pos: str = "learnable"

    def flags(self):
        """Of scripts/reference.py and the peers."""
        return [word for name, value in vars(self).items() for word in ("--" + name.replace("_", "-"), str(value))]

    def posenc_flags(self):
        return ["--train-size" if word == "--train" else word for word in self.flags()]

    def steps(self):
        """In an epoch; batches are of 64."""
        return -(-self.train // 64)


@dataclass
class Measurement:
    seconds_per_step: float  # of one model
    epoch_seconds: float  # of all models that are trained at once
    others: float  # CPU seconds of other processes
    wall: float  # of the whole process or processes
    start_seconds: float = 0.0  # what a peer's first epoch took beyond another one: compilation, for those that compile
    final_loss: float = 0.0


def posenc_seconds_per_step(shape, epochs, core, posenc=ROOT / "build" / "posenc", extra=()):
    """A run of 1 + `epochs` epochs less a run of one, by the `seconds` that posenc records.

    What is left is training, and one validation sequence an epoch.
    """
    with tempfile.TemporaryDirectory() as out:
        command = ["taskset", "-c", core, posenc, *shape.posenc_flags(), *extra, "--val-size", "1", "--log-every", "1000", "--out", out]
        short, long = (measured([*command, "--epochs", str(count)]) for count in (1, 1 + epochs))
        records = [json.loads(line) for line in Path(out, "runs.jsonl").read_text().splitlines()]
    seconds = records[1]["execution"]["seconds"] - records[0]["execution"]["seconds"]
    return Measurement(seconds / (epochs * shape.steps()), seconds / epochs, short.others + long.others, short.seconds + long.seconds,
                       final_loss=records[1]["curve"]["train_loss"][-1])


def peer_seconds_per_step(peer, shape, epochs, core, python):
    process = measured(["taskset", "-c", core, python, PEERS / f"{peer}.py", *shape.flags(), "--epochs", str(1 + epochs)])
    said = json.loads(process.stdout.splitlines()[-1])
    epoch = said["seconds"] * said["models"] / epochs
    return Measurement(said["seconds"] / said["steps"], epoch, process.others, process.seconds,
                       max(0.0, said["first_epoch_seconds"] - epoch), said["final_loss"])


def in_turns(contenders, repetitions, seconds, log=lambda name, repetition, measurement: None):
    """{name: [measurement, one a repetition]} of `contenders`, {name: function of a number of epochs}.

    Each is first measured over one epoch, which fills caches and says how many epochs take about `seconds`; that is
    repetition 0 for `log`. One that fails then is left out, with its message on stderr. Then all take turns, beginning
    with another one each time, since a machine's speed drifts.
    """
    epochs = {}
    for name, measure in contenders.items():
        try:
            first = measure(1)
        except CommandFailed as failure:
            print(f"{name} is left out: {failure}", file=sys.stderr)
            continue
        log(name, 0, first)
        epochs[name] = max(1, round(seconds / first.epoch_seconds))
    results, names = {name: [] for name in epochs}, list(epochs)
    for i in range(repetitions):
        first = i % max(1, len(names))
        for name in names[first:] + names[:first]:
            results[name].append(contenders[name](epochs[name]))
            log(name, i + 1, results[name][-1])
    return results
