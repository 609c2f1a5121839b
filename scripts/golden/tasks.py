"""Labels of every task by definitions of Python's own: eval() for arithmetic, `in` for words, [::-1] for reversal."""
import json
import random

LABELS = {
    "first-last-parity": lambda x: (x[0] + x[-1]) % 2,
    "parity": lambda x: sum(x) % 2,
    "first": lambda x: x[0] % 2,
    "last": lambda x: x[-1] % 2,
    "kth": lambda x: x[2] % 2,
    "kth:k=7": lambda x: x[6] % 2,
    "first-last-equal": lambda x: int(x[0] == x[-1]),
    "majority": lambda x: int(sum(t % 2 for t in x) > len(x) / 2),
    "contains": lambda x: int(",1,1," in "," + ",".join(f"{t}" for t in x) + ","),
    "contains:w=0-1-0": lambda x: int(",0,1,0," in "," + ",".join(f"{t}" for t in x) + ","),
    "mod-sum": lambda x: sum(x) % 5,
    "mod-sum:m=3": lambda x: sum(x) % 3,
    "cycle-navigation": lambda x: sum(t - 1 for t in x) % 5,
    "modular-arithmetic": lambda x: eval("".join("01234+-*"[t] for t in x)) % 5,
    "palindrome": lambda x: int(x == x[::-1]),
    "repeat-at": lambda x: int(x[0] == x[3]),
    "repeat-at:k=1": lambda x: int(x[0] == x[1]),
}


def sequence(name, draw):
    if name == "modular-arithmetic":
        return [draw.randrange(5) if i % 2 == 0 else draw.randrange(5, 8) for i in range(draw.choice([3, 5, 9, 17]))]
    vocab = 3 if name == "cycle-navigation" else draw.choice([2, 3, 10])
    tokens = [draw.randrange(vocab) for _ in range(draw.randrange(7, 13))]
    return tokens + tokens[::-1] if name == "palindrome" and draw.random() < 0.5 else tokens


SUBJECTS = {name: name.split(":")[0] for name in LABELS}  # the task


def labelled(name):
    draw = random.Random(name)  # of its own, so that a new task changes no other
    sequences = [sequence(name, draw) for _ in range(60)]
    return {"task": name, "sequences": [{"tokens": x, "label": LABELS[name](x)} for x in sequences]}


def make(folder, names):
    kept = {old["task"]: old for old in json.loads((folder / "tasks.json").read_text())}
    items = [labelled(name) if name in names else kept[name] for name in LABELS if name in names or name in kept]
    rows = ",\n".join(f' {{"task": "{item["task"]}", "sequences": {json.dumps(item["sequences"], separators=(",", ":"))}}}' for item in items)
    (folder / "tasks.json").write_text(f"[\n{rows}\n]\n")
