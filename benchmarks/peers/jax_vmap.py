#!/usr/bin/env python3
"""The same model in JAX: an epoch is one compiled call (jit of lax.scan) that trains 8 seeds at once (vmap).

`seconds` is that of one seed, an eighth. A compiled call for every step was slower when this was written, and so was
the generator "rbg" instead of JAX's default. --groups G trains G groups of 8 seeds one after another, compiled once.
--check compares losses with the script's model over a few steps, from the same weights without dropout; it alone
needs torch beside jax.
"""
import argparse
import functools

import jax
import jax.numpy as jnp

import jax_model
from flags import parser, time_epochs

SEEDS = 8


def start(key, a):
    weights, data, key = jax.random.split(key, 3)
    w = jax_model.initial_weights(weights, a)
    x = jax.random.randint(data, (a.train, a.seq_len), 0, a.vocab)
    return (w, jax_model.fresh_state(w), key), x, (x[:, 0] + x[:, -1]) % 2


def epoch(carry, x, y, a):
    """All batches of one seed in a new order; the last may be smaller. Returns the mean loss too."""
    def train(carry, batch):
        w, state, key = carry
        key, masks = jax.random.split(key)
        w, state, loss = jax_model.step(w, state, x[batch], y[batch], masks, a)
        return (w, state, key), loss * len(batch)

    w, state, key = carry
    key, shuffle = jax.random.split(key)
    order = jax.random.permutation(shuffle, a.train)
    whole = a.train // a.batch * a.batch
    carry, losses = jax.lax.scan(train, (w, state, key), order[:whole].reshape(-1, a.batch))
    total = losses.sum()
    if whole < a.train:
        carry, loss = train(carry, order[whole:])
        total += loss
    return carry, total / a.train


def run(a):
    starts = jax.jit(jax.vmap(functools.partial(start, a=a)))
    epochs = jax.jit(jax.vmap(functools.partial(epoch, a=a)), donate_argnums=0)
    for group in range(a.groups):
        seeds = a.seed + SEEDS * group + jnp.arange(SEEDS)
        carry, x, y = jax.block_until_ready(starts(jax.vmap(jax.random.key)(seeds)))

        def train_epoch():
            nonlocal carry
            carry, losses = epochs(carry, x, y)
            return float(losses.mean())

        time_epochs("jax_vmap", a, train_epoch, models=SEEDS)


def check():
    import torch
    from torch_script import Model, draw, nn
    sizes = {"vocab": 100, "batch": 64, "dropout": 0.0}
    cases = [("learnable", 16, 32, 4, 64, 1), ("fixed", 16, 32, 4, 64, 1), ("fixed", 9, 24, 2, 40, 3)]
    for pos, length, d_model, heads, ffn, layers in cases:
        a = argparse.Namespace(pos=pos, seq_len=length, d_model=d_model, heads=heads, ffn=ffn, layers=layers, **sizes)
        torch.manual_seed(1)
        model = Model(a)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        w = {name: jnp.array(value.detach().numpy()) for name, value in model.named_parameters()}  # copies
        state, worst = jax_model.fresh_state(w), 0.0
        for _ in range(5):
            x, y = draw(a.batch, a)
            optimizer.zero_grad()
            theirs = nn.functional.cross_entropy(model(x), y)
            theirs.backward()
            optimizer.step()
            w, state, ours = jax_model.step(w, state, jnp.array(x.numpy()), jnp.array(y.numpy()), jax.random.key(0), a)
            worst = max(worst, abs(float(ours) - theirs.item()))
        print(f"{pos}, L {length}, D {d_model}, layers {layers}: losses of 5 steps differ by {worst:.1e} at most")
        if worst > 1e-5:
            raise SystemExit("more than 1e-5")


def main():
    p = parser(__doc__)
    p.add_argument("--groups", type=int, default=1)
    p.add_argument("--check", action="store_true")
    a = p.parse_args()
    check() if a.check else run(a)


if __name__ == "__main__":
    main()
