#!/usr/bin/env python3
"""Checks that checkpoints move between posenc and PyTorch, both ways (docs/CHECKPOINTS.md).

  check_interop.py [--posenc build/posenc]   trains small models on both sides and compares what they say
  check_interop.py --make                    writes the files of tests/golden that Python saved

For `learnable` and `fixed`, with 1 and 3 layers:
  - a model that posenc trained loads strictly into reference.py's, and the class probabilities that `posenc predict`
    prints for 1,000 random sequences are Python's to 1e-5;
  - a model that reference.py trained and saved has, under `posenc eval`, the accuracy that Python computes for it on
    the same validation set.
Needs a python3 with torch 2.11.0 and shares no code with posenc. Exits 1 at the first difference.
"""
import argparse, json, os, pathlib, subprocess, sys, tempfile

os.environ["OMP_NUM_THREADS"] = "1"
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import reference  # noqa: E402

TRAINED = dict(seed=5, vocab=10, seq_len=9, train=300, val=400, epochs=2, batch=32, lr=1e-3, d_model=24, heads=4, ffn=40, dropout=0.1)
TINY = dict(vocab=5, seq_len=6, d_model=4, heads=2, ffn=6, layers=2, dropout=0.1)  # tests/checkpoint/checkpoint_test.cpp
# reference.py's flag -> posenc's, where they differ
RENAMED = {"train": "train-size", "val": "val-size", "batch": "batch-size"}
TRAINING = {"epochs", "batch", "lr", "dropout"}  # what posenc eval does not read


def settings(pos, layers):
    return argparse.Namespace(pos=pos, layers=layers, **TRAINED)


def flags(a, rename, without=()):
    """The settings as a command line: of posenc with `rename`, else of reference.py."""
    line = []
    for key, value in vars(a).items():
        if key in without:
            continue
        name = key.replace("_", "-")
        line += ["--" + (RENAMED.get(name, name) if rename else name), str(value)]
    return line + (["--max-len", str(a.seq_len)] if rename else [])


def command(line, text=None):
    done = subprocess.run([str(word) for word in line], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, line))}\nexited {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def open_model(path, a):
    model = reference.Model(a)
    model.load_state_dict(torch.load(path, weights_only=True), strict=True)
    return model.eval()


def from_posenc(posenc, a, folder):
    command([posenc, *flags(a, True), "--out", folder])
    saved = list(pathlib.Path(folder, "models").glob("*.pt"))
    assert len(saved) == 1, f"{folder}/models holds {len(saved)} models, not one"
    return compare_predictions(posenc, saved[0], a)


def compare_predictions(posenc, path, a):
    """The greatest difference of a class probability on 1,000 random sequences."""
    model = open_model(path, a)
    tokens = torch.randint(0, a.vocab, (1000, a.seq_len), generator=torch.Generator().manual_seed(1))
    lines = "".join(",".join(map(str, row)) + "\n" for row in tokens.tolist())
    answers = [json.loads(line) for line in command([posenc, "predict", path, "--json"], lines).splitlines()]
    assert [answer["tokens"] for answer in answers] == tokens.tolist(), "predict answered other sequences"
    with torch.no_grad():
        expected = model(tokens).double().softmax(dim=1)
    given = torch.tensor([answer["probabilities"] for answer in answers], dtype=torch.float64)
    difference = (given - expected).abs().max().item()
    assert difference <= 1e-5, f"{path}: a probability differs by {difference}"
    sure = (expected[:, 0] - expected[:, 1]).abs() > 1e-4
    classes = torch.tensor([answer["class"] for answer in answers])
    assert torch.equal(classes[sure], expected.argmax(dim=1)[sure]), "predict gave another class"
    return difference


def from_python(posenc, a, path):
    command([sys.executable, HERE / "reference.py", *flags(a, False), "--save", path])
    answer = json.loads(command([posenc, "eval", path, *flags(a, True, TRAINING), "--json"]))
    expected = accuracy(path, a)
    assert answer["sequences"] == a.val, f"eval took {answer['sequences']} sequences"
    assert abs(answer["val_acc"] - expected) < 1e-9, f"{path}: accuracy {answer['val_acc']}, Python's {expected}"
    return expected


def accuracy(path, a):
    """On the validation set of reference.py's run: the same seed, and the same draws before it."""
    torch.manual_seed(a.seed)
    reference.Model(a)
    reference.draw(a.train, a)
    tokens, labels = reference.draw(a.val, a)
    with torch.no_grad():
        return (open_model(path, a)(tokens).argmax(1) == labels).sum().item() / a.val


def make():
    golden = HERE.parent / "tests" / "golden"
    for pos in ["learnable", "fixed"]:
        torch.manual_seed(3)
        model = reference.Model(argparse.Namespace(pos=pos, **TINY)).eval()
        with torch.no_grad():
            for parameter in model.parameters():  # also the biases and norms that start at 0 and 1
                parameter += 0.2 * torch.randn_like(parameter)
        state = model.state_dict()
        torch.save(state if pos == "learnable" else dict(state), golden / f"checkpoint-{pos}.pt")
        if pos == "learnable":  # the same model under wrappers, whose names have a part in front, and without checksums
            torch.save(torch.compile(model).state_dict(), golden / "checkpoint-compiled.pt")
            torch.save(torch.nn.DataParallel(model).state_dict(), golden / "checkpoint-parallel.pt")
            torch.serialization.set_crc32_options(False)
            torch.save(state, golden / "checkpoint-no-checksums.pt")
            torch.serialization.set_crc32_options(True)
        tokens = torch.randint(0, TINY["vocab"], (4, TINY["seq_len"]))
        with torch.no_grad():
            logits = model(tokens)
        tensors = [{"name": name, "values": tensor.flatten().tolist()} for name, tensor in state.items()]
        text = json.dumps({"tokens": tokens.tolist(), "logits": logits.tolist(), "tensors": tensors})
        (golden / f"checkpoint-{pos}.json").write_text(text.replace('{"name"', '\n{"name"') + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--posenc", default=HERE.parent / "build" / "posenc", help="the program to check")
    p.add_argument("--make", action="store_true", help="write tests/golden/checkpoint-*")
    options = p.parse_args()
    if options.make:
        return make()
    torch.set_num_threads(1)
    for pos in ["learnable", "fixed"]:
        for layers in [1, 3]:
            a = settings(pos, layers)
            with tempfile.TemporaryDirectory() as folder:
                difference = from_posenc(options.posenc, a, folder)
                share = from_python(options.posenc, a, pathlib.Path(folder, "python.pt"))
            print(f"{pos}, layers {layers}: probabilities agree to {difference:.1e}; accuracy {share} on both sides")


if __name__ == "__main__":
    main()
