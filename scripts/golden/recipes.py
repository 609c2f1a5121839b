"""Whole runs with another optimizer, schedule, norm or a BOS token, in plain PyTorch by the draws of reference.py.

Five epochs' losses, which posenc must reproduce from the same seed. A BOS token is the embedding's last row.
"""
import json
from types import SimpleNamespace
import torch
from torch import nn
import reference
from golden import optimizers

BASE = dict(pos="learnable", seed=1, vocab=20, seq_len=8, train=600, val=50, epochs=5, batch=64, lr=1e-3, d_model=32, heads=4, ffn=64, layers=1,
            dropout=0.1, optimizer="adam", weight_decay=0.0, momentum=0.0, grad_clip=0.0, schedule="constant", norm="post", norm_eps=1e-5, bos=False,
            pool="mean")

RUNS = {
    "decoupled": dict(seed=2, lr=0.003, optimizer="adamw", weight_decay=0.1, grad_clip=0.5, schedule="cosine:final=0.1,warmup=10"),
    "pre-norm": dict(seed=3, layers=2, norm="pre", norm_eps=1e-3, pos="fixed", optimizer="sgd", momentum=0.9, lr=0.05, schedule="warmup:steps=20"),
    "bos": dict(seed=4, bos=True, layers=2, grad_clip=1.0),
    "bos-first": dict(seed=5, bos=True, pos="fixed", pool="first", norm="pre", weight_decay=0.01),
}


class Model(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.bos = a.vocab if a.bos else None
        self.pool = a.pool
        self._emb = nn.Embedding(a.vocab + a.bos, a.d_model)
        self.pos_enc = reference.Encoding(a.pos, a.d_model, a.seq_len + a.bos)
        layer = nn.TransformerEncoderLayer(a.d_model, a.heads, dim_feedforward=a.ffn, dropout=a.dropout, batch_first=True,
                                           norm_first=a.norm == "pre", layer_norm_eps=a.norm_eps)
        self.encoder = nn.TransformerEncoder(layer, num_layers=a.layers, enable_nested_tensor=False)
        self.classifier = nn.Linear(a.d_model, 2)

    def forward(self, tokens):
        if self.bos is not None:
            tokens = torch.cat([torch.full((len(tokens), 1), self.bos), tokens], dim=1)
        x = self.encoder(self.pos_enc(self._emb(tokens)))
        return self.classifier(x[:, 0] if self.pool == "first" else x.mean(dim=1))


def losses(a):
    torch.manual_seed(a.seed)
    model = Model(a).train()
    optimizer = optimizers.make_optimizer(a.optimizer, model.parameters(), a.lr, a.weight_decay, a.momentum)
    schedule = optimizers.SCHEDULES[a.schedule](optimizer, a.lr, a.epochs * -(-a.train // a.batch))
    x, y = reference.draw(a.train, a)
    reference.draw(a.val, a)
    means = []
    for _ in range(a.epochs):
        total = 0.0
        for batch in torch.randperm(a.train).split(a.batch):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[batch]), y[batch])
            loss.backward()
            if a.grad_clip > 0:
                nn.utils.clip_grad_norm_(model.parameters(), a.grad_clip)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        means.append(total / a.train)
    return means


def make(folder):
    runs = {name: BASE | changes for name, changes in RUNS.items()}
    golden = {name: {"args": args, "losses": losses(SimpleNamespace(**args))} for name, args in runs.items()}
    (folder / "recipes.json").write_text(json.dumps(golden, indent=1) + "\n")
