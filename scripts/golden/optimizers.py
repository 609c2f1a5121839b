"""torch.optim on a small fixed problem, under torch.optim.lr_scheduler: what posenc's optimizers and schedules must follow.

The problem is softmax regression of 12 points. Schedules, of a run of S steps:

  cosine:warmup=N,final=X  SequentialLR of LinearLR(start_factor=1/N, total_iters=N-1) and
                           CosineAnnealingLR(T_max=S-N, eta_min=X lr), with the milestone N-1;
                           without warm-up CosineAnnealingLR(T_max=S-1, eta_min=X lr)
  warmup:steps=N           LinearLR(start_factor=1/N, total_iters=N-1)
"""
import json
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LinearLR, SequentialLR

STEPS, LR = 50, 0.02


def constant(optimizer, lr, steps):
    return LambdaLR(optimizer, lambda step: 1.0)


def warmup(n):
    return lambda optimizer, lr, steps: LinearLR(optimizer, start_factor=1 / n, total_iters=n - 1)


def cosine(n, final):
    def make(optimizer, lr, steps):
        if n < 2:
            return CosineAnnealingLR(optimizer, T_max=steps - 1, eta_min=final * lr)
        rise = LinearLR(optimizer, start_factor=1 / n, total_iters=n - 1)
        fall = CosineAnnealingLR(optimizer, T_max=steps - n, eta_min=final * lr)
        return SequentialLR(optimizer, [rise, fall], milestones=[n - 1])

    return make


SCHEDULES = {
    "constant": constant,
    "cosine": cosine(0, 0.0),
    "cosine:final=0.2": cosine(0, 0.2),
    "cosine:warmup=1": cosine(1, 0.0),
    "cosine:final=0.1,warmup=10": cosine(10, 0.1),
    "warmup:steps=20": warmup(20),
    "warmup": warmup(100),
}
TRAINED = ["constant", "cosine:final=0.1,warmup=10", "warmup:steps=20"]

OPTIMIZERS = [
    ("adam", 0.0, 0.0),
    ("adam", 0.1, 0.0),
    ("adamw", 0.1, 0.0),
    ("sgd", 0.0, 0.0),
    ("sgd", 0.1, 0.0),
    ("sgd", 0.1, 0.9),
]


def make_optimizer(name, parameters, lr, weight_decay, momentum):
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=lr, momentum=momentum, weight_decay=weight_decay)
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[name]
    return kind(parameters, lr=lr, weight_decay=weight_decay)


def factors(make_schedule, steps):
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
    schedule, seen = make_schedule(optimizer, 1.0, steps), []
    for _ in range(steps):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return seen


def make(folder):
    torch.manual_seed(7)
    inputs, labels = torch.randn(12, 5), torch.randint(0, 3, (12,))
    start_weight, start_bias = torch.randn(3, 5) * 0.3, torch.randn(3) * 0.3
    runs = []
    for name, weight_decay, momentum in OPTIMIZERS:
        for clip in [0.0, 0.25]:
            for schedule_name in TRAINED:
                weight, bias = nn.Parameter(start_weight.clone()), nn.Parameter(start_bias.clone())
                optimizer = make_optimizer(name, [weight, bias], LR, weight_decay, momentum)
                schedule = SCHEDULES[schedule_name](optimizer, LR, STEPS)
                clipped = 0
                for _ in range(STEPS):
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(inputs @ weight.T + bias, labels).backward()
                    if clip > 0:
                        clipped += int(nn.utils.clip_grad_norm_([weight, bias], clip) > clip)
                    optimizer.step()
                    schedule.step()
                assert clip == 0 or clipped > 10, (name, clipped)
                runs.append({"optimizer": name, "weight-decay": weight_decay, "momentum": momentum, "grad-clip": clip,
                             "schedule": schedule_name, "weight": weight.tolist(), "bias": bias.tolist()})
    golden = {"lr": LR, "steps": STEPS, "inputs": inputs.tolist(), "labels": labels.tolist(), "start": {"weight": start_weight.tolist(), "bias": start_bias.tolist()},
              "schedules": {name: factors(make_schedule, STEPS) for name, make_schedule in SCHEDULES.items()}, "runs": runs}
    (folder / "optimizers.json").write_text(json.dumps(golden) + "\n")
