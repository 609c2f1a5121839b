"""What every peer shares: its flags, which are those of scripts/reference.py, and the one line it answers with.

A peer trains `--epochs` epochs and times all but the first, which loads code, allocates, and compiles where the peer
does; neither that epoch nor importing, construction or validation is in `seconds`.
"""
import argparse
import json
import time

SIZES = [("seq-len", int, 16), ("d-model", int, 32), ("heads", int, 4), ("ffn", int, 64), ("layers", int, 1), ("dropout", float, 0.1),
         ("vocab", int, 100), ("train", int, 2000), ("batch", int, 64), ("epochs", int, 30), ("seed", int, 42)]


def parser(doc):
    p = argparse.ArgumentParser(description=doc.split("\n")[0])
    p.add_argument("--pos", choices=["learnable", "fixed"], default="learnable")
    for name, kind, default in SIZES:
        p.add_argument("--" + name, type=kind, default=default)
    return p


def time_epochs(peer, a, train_epoch, models=1):
    """Calls `train_epoch()`, which returns the epoch's mean loss once it is computed, and prints the result.

    Where it trains several models at once, times are divided by their number, except for the first epoch's.
    """
    if a.epochs < 2:
        raise SystemExit(f"--epochs is less than 2: the first epoch is not timed (given {a.epochs})")
    ends = [time.perf_counter()]
    for _ in range(a.epochs):
        loss = train_epoch()
        ends.append(time.perf_counter())
    print(json.dumps({"peer": peer, "steps": (a.epochs - 1) * -(-a.train // a.batch),
                      "seconds": (ends[-1] - ends[1]) / models, "first_epoch_seconds": ends[1] - ends[0], "models": models,
                      "final_loss": loss}))
