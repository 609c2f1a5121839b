"""The script's model and Adam in plain jax.numpy, for one seed.

Weights are a dictionary with the script's names, shapes and initial distributions; random numbers are JAX's own.
Everything here is a pure function, so that jit, grad and vmap apply.
"""
import math

import jax
import jax.numpy as jnp


def sinusoid(length, d_model):
    angle = jnp.arange(length)[:, None] * jnp.exp(jnp.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).reshape(length, d_model)


def uniform(key, rows, columns, bound):
    return jax.random.uniform(key, (rows, columns), minval=-bound, maxval=bound)


def initial_weights(key, a):
    keys = iter(jax.random.split(key, 9))
    d, f = a.d_model, a.ffn
    w = {"_emb.weight": jax.random.normal(next(keys), (a.vocab, d))}
    if a.pos == "learnable":
        w["pos_enc.pe"] = 0.1 * jax.random.normal(next(keys), (a.seq_len, d))
    layer = {"self_attn.in_proj_weight": uniform(next(keys), 3 * d, d, math.sqrt(6 / (4 * d))),
             "self_attn.in_proj_bias": jnp.zeros(3 * d),
             "self_attn.out_proj.weight": uniform(next(keys), d, d, d**-0.5), "self_attn.out_proj.bias": jnp.zeros(d),
             "linear1.weight": uniform(next(keys), f, d, d**-0.5), "linear1.bias": uniform(next(keys), 1, f, d**-0.5)[0],
             "linear2.weight": uniform(next(keys), d, f, f**-0.5), "linear2.bias": uniform(next(keys), 1, d, f**-0.5)[0],
             "norm1.weight": jnp.ones(d), "norm1.bias": jnp.zeros(d), "norm2.weight": jnp.ones(d), "norm2.bias": jnp.zeros(d)}
    w |= {f"encoder.layers.{i}.{name}": value for i in range(a.layers) for name, value in layer.items()}
    return w | {"classifier.weight": uniform(next(keys), 2, d, d**-0.5), "classifier.bias": jnp.zeros(2)}


def dropped(x, key, p):
    return x if p == 0 else jnp.where(jax.random.bernoulli(key, 1 - p, x.shape), x / (1 - p), 0)


def normalised(x, weight, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * weight + bias


def attention(x, w, key, a):
    b, length, d = x.shape
    qkv = x @ w["self_attn.in_proj_weight"].T + w["self_attn.in_proj_bias"]  # (B,L,3D)
    q, k, v = qkv.reshape(b, length, 3, a.heads, d // a.heads).transpose(2, 0, 3, 1, 4)  # (B,H,L,d) each
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(d // a.heads)  # (B,H,L,L)
    mixed = dropped(jax.nn.softmax(scores), key, a.dropout) @ v
    return mixed.transpose(0, 2, 1, 3).reshape(b, length, d) @ w["self_attn.out_proj.weight"].T + w["self_attn.out_proj.bias"]


def loss_of(w, tokens, labels, key, a):
    x = w["_emb.weight"][tokens] + (w["pos_enc.pe"] if a.pos == "learnable" else sinusoid(a.seq_len, a.d_model))  # (B,L,D)
    for i in range(a.layers):
        prefix = f"encoder.layers.{i}."
        layer = {name.removeprefix(prefix): value for name, value in w.items() if name.startswith(prefix)}
        keys = jax.random.split(jax.random.fold_in(key, i), 4)
        x = normalised(x + dropped(attention(x, layer, keys[0], a), keys[1], a.dropout), layer["norm1.weight"], layer["norm1.bias"])
        hidden = dropped(jax.nn.relu(x @ layer["linear1.weight"].T + layer["linear1.bias"]), keys[2], a.dropout)  # (B,L,F)
        x = normalised(x + dropped(hidden @ layer["linear2.weight"].T + layer["linear2.bias"], keys[3], a.dropout),
                       layer["norm2.weight"], layer["norm2.bias"])
    logits = x.mean(1) @ w["classifier.weight"].T + w["classifier.bias"]  # (B,2)
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1).mean()


def adam(w, gradient, state, lr=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
    first, second, t = state
    t += 1
    first = jax.tree.map(lambda m, g: beta1 * m + (1 - beta1) * g, first, gradient)
    second = jax.tree.map(lambda v, g: beta2 * v + (1 - beta2) * g * g, second, gradient)
    w = jax.tree.map(lambda p, m, v: p - lr / (1 - beta1**t) * m / (jnp.sqrt(v / (1 - beta2**t)) + epsilon), w, first, second)
    return w, (first, second, t)


def fresh_state(w):
    return jax.tree.map(jnp.zeros_like, w), jax.tree.map(jnp.zeros_like, w), jnp.zeros(())


def step(w, state, tokens, labels, key, a):
    loss, gradient = jax.value_and_grad(loss_of)(w, tokens, labels, key, a)
    return *adam(w, gradient, state), loss
