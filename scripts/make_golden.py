#!/usr/bin/env python3
"""Makes the golden values of tests/golden; what it writes is committed, so that tests need no Python.

  make_golden.py [PART [NAME...]]...     all parts without arguments

With names, nothing but what they name is written: `make_golden.py models alibi` makes the twins of alibi, and
`make_golden.py tasks parity` the labels of parity. Parts, and the packages that each needs:

  runs NAME...      whole training runs of the published protocol, by reference.py. torch
  checkpoints       state dicts as Python saves them, by check_interop.py. torch
  packages NAME...  what published packages say of encodings, by golden/packages.py. torch, and the package: transformers
                    (t5, alibi, rope, fixed), rotary-embedding-torch (rope), positional-encodings (fixed), x-transformers
                    (cope, fox)
  models NAME...    weights and logits of whole models with each encoding, by golden/models.py. torch; for rope
                    rotary-embedding-torch as well, for t5 and alibi transformers
  tasks NAME...     labels of every task, by golden/tasks.py. no package
  optimizers        torch.optim on a small problem, and learning rates, by golden/optimizers.py. torch
  norms             logits, loss and gradients of pre-norm layers and of another epsilon, by golden/norms.py. torch
  recipes           whole runs with other optimizers, schedules, norms and a BOS token, by golden/recipes.py. torch
  statistics        what scipy and statsmodels say of samples, by golden/statistics.py. numpy, scipy, statsmodels

Nothing here shares code with posenc. The committed values come from
  torch==2.11.0 transformers==5.24.0 rotary-embedding-torch==0.9.1 positional-encodings==6.0.3 x-transformers==2.31.10
  numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
Install what a part needs with pip into an environment of its own (python3 -m venv); torch with its dependencies takes 5 GB.
"""
import importlib, os, pathlib, re, subprocess, sys

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


MODULES = ["packages", "models", "tasks", "statistics", "optimizers", "norms", "recipes"]  # of golden/
PARTS = ["runs", "checkpoints", *MODULES]


def stop(message):
    sys.exit(f"make_golden.py: {message}")


def chosen(part, names, subjects):
    """The keys of `subjects`, which says what each is about, that a name means: by the key, or by what it is about."""
    for name in names:
        if name not in subjects and name not in subjects.values():
            stop(f"{part} has no such name (given '{name}', allowed: {', '.join(subjects)})")
    return [key for key, subject in subjects.items() if not names or key in names or subject in names]


def make(part, names):
    if part == "runs":
        for name in chosen(part, names, {name: name for name in RUNS}):
            done = subprocess.run([sys.executable, HERE / "reference.py", *RUNS[name].split()], capture_output=True, text=True, check=True)
            (GOLDEN / f"golden-{name}.json").write_text(done.stdout)
    elif part == "checkpoints" and not names:
        subprocess.run([sys.executable, HERE / "check_interop.py", "--make"], check=True)
    else:
        module = importlib.import_module(f"golden.{part}") if part in MODULES else None
        if hasattr(module, "SUBJECTS"):
            module.make(GOLDEN, chosen(part, names, module.SUBJECTS))
        elif names:
            stop(f"{part} is made as a whole (given '{names[0]}', allowed: one of {', '.join(PARTS)}, or nothing)")
        else:
            module.make(GOLDEN)


def main(words):
    if any(word in ("-h", "--help") for word in words):
        sys.exit(__doc__)
    if words and words[0] not in PARTS:
        stop(f"no such part (given '{words[0]}', allowed: {', '.join(PARTS)})")
    wanted = []  # (part, names)
    for word in words or PARTS:
        if word in PARTS:
            wanted.append((word, []))
        else:
            wanted[-1][1].append(word)
    for part, names in wanted:
        try:
            make(part, names)
        except ModuleNotFoundError as error:
            pinned = re.search(rf"{error.name.replace('_', '-')}==\S+", __doc__)
            stop(f"{part} needs a package that is missing (python3 -m pip install {pinned.group() if pinned else error.name})")


if __name__ == "__main__":
    main(sys.argv[1:])
