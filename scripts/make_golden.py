#!/usr/bin/env python3
"""Makes the golden values of tests/golden; what it writes is committed, so that tests need no Python.

  make_golden.py [runs] [checkpoints] [packages] [models] [tasks] [statistics] [optimizers] [norms] [recipes]     all of them without arguments

  runs         whole training runs of the published protocol, by reference.py
  checkpoints  state dicts as Python saves them, by check_interop.py
  packages     what published packages say of encodings, by golden/packages.py
  models       weights and logits of whole models with each encoding, by golden/models.py
  tasks        labels of every task, by golden/tasks.py
  optimizers   torch.optim on a small problem, and learning rates, by golden/optimizers.py
  norms        logits, loss and gradients of pre-norm layers and of another epsilon, by golden/norms.py
  recipes      whole runs with other optimizers, schedules, norms and a BOS token, by golden/recipes.py
  statistics   what scipy and statsmodels say of samples, by golden/statistics.py

Nothing here shares code with posenc. Needs a python3 with
  pip install torch==2.11.0 transformers==5.24.0 rotary-embedding-torch==0.9.1 positional-encodings==6.0.3 x-transformers==2.31.10
  pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0    (statistics needs these alone)
"""
import os, pathlib, subprocess, sys

os.environ["OMP_NUM_THREADS"] = "1"
HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "tests" / "golden"

RUNS = {
    "learnable-42": "--pos learnable",
    "fixed-42": "--pos fixed",
    "fixed-7-two-layers": "--pos fixed --seed 7 --vocab 10 --seq-len 8 --train 1000 --epochs 10 --layers 2",
    "learnable-5-two-layers": "--pos learnable --seed 5 --layers 2 --epochs 5",
    "fixed-3-wide": "--pos fixed --seed 3 --d-model 48 --heads 6 --ffn 100 --epochs 5",
    "learnable-0-short": "--pos learnable --seed 0 --seq-len 9 --vocab 7 --train 500 --val 101 --batch 48 --epochs 5",
    "learnable-1-no-dropout": "--pos learnable --seed 1 --dropout 0 --epochs 5",
    "fixed-11-long": "--pos fixed --seed 11 --seq-len 33 --vocab 1000 --d-model 20 --heads 2 --layers 3 --dropout 0.3 --lr 0.003 --batch 128 "
                     "--train 1000 --epochs 5",
}


def runs():
    for name, flags in RUNS.items():
        done = subprocess.run([sys.executable, HERE / "reference.py", *flags.split()], capture_output=True, text=True, check=True)
        (GOLDEN / f"golden-{name}.json").write_text(done.stdout)


def checkpoints():
    subprocess.run([sys.executable, HERE / "check_interop.py", "--make"], check=True)


def packages():
    from golden import packages

    packages.make(GOLDEN)


def models():
    from golden import models

    models.make(GOLDEN)


def tasks():
    from golden import tasks

    tasks.make(GOLDEN)


def statistics():
    from golden import statistics

    statistics.make(GOLDEN)


def optimizers():
    from golden import optimizers

    optimizers.make(GOLDEN)


def norms():
    from golden import norms

    norms.make(GOLDEN)


def recipes():
    from golden import recipes

    recipes.make(GOLDEN)


PARTS = {part.__name__: part for part in [runs, checkpoints, packages, models, tasks, statistics, optimizers, norms, recipes]}

if __name__ == "__main__":
    if any(name in ("-h", "--help") for name in sys.argv[1:]):
        sys.exit(__doc__)
    unknown = [name for name in sys.argv[1:] if name not in PARTS]
    if unknown:
        sys.exit(f"make_golden.py: no such part (given '{unknown[0]}', allowed: {', '.join(PARTS)})")
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
