#!/usr/bin/env python3
"""The training loop of scripts/reference.py, timed: its model, its data, plain Adam, a loss read at every step.

Two other peers are this loop with one thing replaced. Needs torch 2.11.0.
"""
import sys
from pathlib import Path

import torch
from torch import nn

from flags import parser, time_epochs

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from reference import Model, draw


def train(peer, a, make_optimizer=torch.optim.Adam, prepare=lambda model: model):
    torch.manual_seed(a.seed)
    original = Model(a)
    optimizer = make_optimizer(original.parameters(), lr=1e-3)
    x, y = draw(a.train, a)
    draw(1, a)  # as many as posenc is timed with, so that the losses are the same
    model = prepare(original).train()

    def train_epoch():
        order = torch.randperm(a.train)
        total = 0.0
        for batch in order.split(a.batch):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[batch]), y[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        return total / a.train

    time_epochs(peer, a, train_epoch)


if __name__ == "__main__":
    train("torch_script", parser(__doc__).parse_args())
