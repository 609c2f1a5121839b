"""Whole models with each encoding, in plain PyTorch: weights and logits that posenc must reproduce.

Each is TinyTransformer of reference.py with other positions. Where an encoding only adds numbers to embeddings or
scores, the layers are PyTorch's own TransformerEncoderLayer, with the bias as its attention mask; elsewhere attention is
written out, one query at a time, from the paper's equation. It shares no code with posenc. A twin imports the package that
it alone needs where it needs it, so that the others can be made without.
"""
import json, math
import torch
from torch import nn

VOCAB, LENGTH, D_MODEL, HEADS, FFN, LAYERS, CLASSES, MAX_LEN = 7, 9, 24, 3, 20, 2, 2, 11


class Layer(nn.TransformerEncoderLayer):
    """PyTorch's layer with attention written out: what an encoding does to q, k and the scores comes from outside."""

    def attend(self, x, twin, index):
        batch, length, width = x.shape
        attn, head = self.self_attn, width // HEADS
        q, k, v = (x @ attn.in_proj_weight.T + attn.in_proj_bias).view(batch, length, 3, HEADS, head).permute(2, 0, 3, 1, 4)
        q, k = twin.rotate(q), twin.rotate(k)
        scores = twin.score_factor(length) * (q @ k.transpose(-2, -1)) / math.sqrt(head) + twin.scores(q, k, x, index)
        if twin.causal:
            scores = scores.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -math.inf)
        p = scores.softmax(-1)
        out = p @ v + twin.values(p, index)
        out = out.transpose(1, 2).reshape(batch, length, width) @ attn.out_proj.weight.T + attn.out_proj.bias
        x = self.norm1(x + out)
        return self.norm2(x + self.linear2(torch.relu(self.linear1(x))))


class Twin(nn.Module):
    """An encoding. What it does not say it does not do."""

    pytorch_layers = False  # True: it only adds to embeddings or scores, whatever the tokens are

    def __init__(self, causal=False):
        super().__init__()
        self.causal = causal

    def embed(self, x):
        return x

    def rotate(self, x):
        return x

    def score_factor(self, length):
        return 1.0

    def scores(self, q, k, x, layer):
        return torch.zeros(HEADS, x.size(1), x.size(1))

    def values(self, p, layer):
        return 0.0


def offsets(length):
    """(L,L): j - i"""
    at = torch.arange(length)
    return at[None, :] - at[:, None]


class Nothing(Twin):
    pytorch_layers = True


class Learnable(Twin):
    pytorch_layers = True

    def __init__(self):
        super().__init__()
        self.pe = nn.Parameter(torch.empty(MAX_LEN, D_MODEL))

    def embed(self, x):
        return x + self.pe[: x.size(1)]


class Fixed(Twin):
    pytorch_layers = True

    def __init__(self, t2t=False):
        super().__init__()
        table = torch.zeros(MAX_LEN, D_MODEL)
        half = D_MODEL // 2
        for p in range(MAX_LEN):
            for c in range(half):
                angle = p * 10000 ** (-c / (half - 1)) if t2t else p * 10000 ** (-2 * c / D_MODEL)
                table[p, c if t2t else 2 * c] = math.sin(angle)
                table[p, half + c if t2t else 2 * c + 1] = math.cos(angle)
        self.register_buffer("pe", table)

    def embed(self, x):
        return x + self.pe[: x.size(1)]


class Relative(Twin):
    def __init__(self, clip, on_values=False):
        super().__init__()
        self.clip = clip
        head = D_MODEL // HEADS
        self.keys = nn.Parameter(torch.empty(LAYERS, 2 * clip + 1, head))
        if on_values:
            self.register_parameter("values_", nn.Parameter(torch.empty(LAYERS, 2 * clip + 1, head)))

    def rows(self, length):
        return offsets(length).clamp(-self.clip, self.clip) + self.clip

    def scores(self, q, k, x, layer):  # Shaw et al. 2018, equation 4, less its first term
        r = self.keys[layer][self.rows(x.size(1))]  # (L,L,d)
        return torch.einsum("bhid,ijd->bhij", q, r) / math.sqrt(q.size(-1))

    def values(self, p, layer):
        if not hasattr(self, "values_"):
            return 0.0
        return torch.einsum("bhij,ijd->bhid", p, self.values_[layer][self.rows(p.size(-1))])


class Xl(Twin):
    def __init__(self):
        super().__init__()
        head = D_MODEL // HEADS
        self.u = nn.Parameter(torch.empty(LAYERS, HEADS, 1, head))
        self.v = nn.Parameter(torch.empty(LAYERS, HEADS, 1, head))
        self.w = nn.Parameter(torch.empty(LAYERS, D_MODEL, D_MODEL))

    def scores(self, q, k, x, layer):  # Dai et al. 2019, section 3.3: terms (b), (c) and (d)
        length, head = x.size(1), q.size(-1)
        out = torch.empty(q.size(0), HEADS, length, length)
        for i in range(length):
            for j in range(length):
                angle = [(i - j) * 10000 ** (-2 * (c // 2) / D_MODEL) for c in range(D_MODEL)]
                r = torch.tensor([math.sin(a) if c % 2 == 0 else math.cos(a) for c, a in enumerate(angle)])
                row = (self.w[layer] @ r).view(HEADS, head)
                out[:, :, i, j] = ((q[:, :, i] + self.v[layer][:, 0]) * row).sum(-1) + (self.u[layer][:, 0] * k[:, :, j]).sum(-1)
        return out / math.sqrt(head)


class T5(Twin):
    pytorch_layers = True

    def __init__(self, causal=False, buckets=32, max_distance=128):
        super().__init__(causal)
        self.settings = dict(bidirectional=not causal, num_buckets=buckets, max_distance=max_distance)
        self.table = nn.Parameter(torch.empty(buckets, HEADS))

    def scores(self, q, k, x, layer):
        from transformers.models.t5.modeling_t5 import T5Attention

        bucket = T5Attention._relative_position_bucket(offsets(x.size(1)), **self.settings)
        return self.table[bucket].permute(2, 0, 1)


class Rope(Twin):
    def __init__(self, **settings):
        super().__init__()
        self.rotary = None
        self.settings = settings

    def rotate(self, x):
        from rotary_embedding_torch import RotaryEmbedding

        # Kept out of the state dict: the package registers its frequencies.
        return RotaryEmbedding(dim=x.size(-1), **self.settings).rotate_queries_or_keys(x).detach()


class RopeHalves(Twin):
    """Pairs (c, c + m/2) of the first m dimensions: GPT-NeoX."""

    def __init__(self, base, share, scale):
        super().__init__()
        self.base, self.share, self.scale = base, share, scale

    def rotate(self, x):
        width = int(x.size(-1) * self.share)
        out = x.clone()
        for p in range(x.size(2)):
            for c in range(width // 2):
                angle = p / self.scale * self.base ** (-2 * c / width)
                a, b = x[:, :, p, c], x[:, :, p, c + width // 2]
                out[:, :, p, c] = a * math.cos(angle) - b * math.sin(angle)
                out[:, :, p, c + width // 2] = a * math.sin(angle) + b * math.cos(angle)
        return out


class Alibi(Twin):
    pytorch_layers = True

    def scores(self, q, k, x, layer):
        from transformers.models.bloom.modeling_bloom import build_alibi_tensor

        slope = build_alibi_tensor(torch.ones(1, 2), HEADS, torch.float32)[:, 0, 1]  # m_h times the key's position, 1
        return -slope[:, None, None] * offsets(x.size(1)).abs()


class Kerple(Twin):
    pytorch_layers = True

    def __init__(self, power=False):
        super().__init__()
        self.power = power
        self.raw1 = nn.Parameter(torch.empty(LAYERS, HEADS, 1, 1))
        self.raw2 = nn.Parameter(torch.empty(LAYERS, HEADS, 1, 1))

    def scores(self, q, k, x, layer):
        distance, r1 = offsets(x.size(1)).abs().float(), nn.functional.softplus(self.raw1[layer])
        if self.power:
            return -r1 * distance ** (2 * torch.sigmoid(self.raw2[layer]))
        return -r1 * torch.log(1 + nn.functional.softplus(self.raw2[layer]) * distance)


class Fire(Twin):
    pytorch_layers = True

    def __init__(self, causal=False):
        super().__init__(causal)
        self.c = nn.Parameter(torch.empty(1))
        self.multiplier = nn.Parameter(torch.empty(1))  # of a constant 512, as the listing of the paper's appendix has it
        self.hidden = nn.Linear(1, 32)
        self.output = nn.Linear(32, HEADS)

    def scores(self, q, k, x, layer):
        length = x.size(1)
        psi = lambda z: torch.log(self.c.abs() * z + 1)
        m = torch.arange(length).float()[:, None] if self.causal else torch.tensor([[length - 1.0]])
        share = psi(offsets(length).abs().float()) / psi(torch.maximum(512 * self.multiplier.abs(), m))
        return self.output(torch.relu(self.hidden(share[..., None]))).permute(2, 0, 1)


class Cope(Twin):
    def __init__(self, most):
        super().__init__(causal=True)
        self.most = most
        self.table = nn.Parameter(torch.empty(LAYERS, most + 1, D_MODEL // HEADS))

    def scores(self, q, k, x, layer):  # Golovneva et al. 2024, equations 3 to 5
        length, table = x.size(1), self.table[layer]
        out = torch.zeros(q.size(0), HEADS, length, length)
        gate = torch.sigmoid(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)))
        for i in range(length):
            for j in range(i + 1):
                p = gate[:, :, i, j : i + 1].sum(-1).clamp(max=self.most)
                low, high = p.floor().long(), p.ceil().long()
                share = (p - p.floor())[..., None]
                e = (1 - share) * table[low] + share * table[high]
                out[:, :, i, j] = (q[:, :, i] * e).sum(-1)
        return out


class Fox(Twin):
    def __init__(self, causal=False):
        super().__init__(causal)
        for layer in range(LAYERS):
            setattr(self, f"gate{layer}", nn.Linear(D_MODEL, HEADS if causal else 2 * HEADS))

    def scores(self, q, k, x, layer):  # Lin et al. 2025, equation 8
        log = nn.functional.logsigmoid(getattr(self, f"gate{layer}")(x))  # (B,L,H or 2H)
        length = x.size(1)
        out = torch.zeros(x.size(0), HEADS, length, length)
        for i in range(length):
            for j in range(length):
                if j < i:
                    out[:, :, i, j] = log[:, j + 1 : i + 1, :HEADS].sum(1)
                elif j > i and not self.causal:
                    out[:, :, i, j] = log[:, i:j, HEADS:].sum(1)
        return out


class LogLength(Twin):
    def score_factor(self, length):
        return math.log(length)


class Model(nn.Module):
    def __init__(self, twin, pool):
        super().__init__()
        self.pool = pool
        self._emb = nn.Embedding(VOCAB, D_MODEL)
        self.pos_enc = twin
        kind = nn.TransformerEncoderLayer if twin.pytorch_layers else Layer
        self.encoder = nn.Module()
        self.encoder.layers = nn.ModuleList([kind(D_MODEL, HEADS, FFN, dropout=0.0, batch_first=True) for _ in range(LAYERS)])
        self.classifier = nn.Linear(D_MODEL, CLASSES)

    def forward(self, tokens):
        twin, length = self.pos_enc, tokens.size(1)
        x = twin.embed(self._emb(tokens))
        for index, layer in enumerate(self.encoder.layers):
            if twin.pytorch_layers:
                mask = twin.scores(None, None, x, index)
                if twin.causal:
                    mask = mask.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -math.inf)
                x = layer(x, src_mask=mask.repeat(x.size(0), 1, 1))  # (B H,L,L)
            else:
                x = layer.attend(x, twin, index)
        pools = {"mean": x.mean(1), "first": x[:, 0], "last": x[:, -1], "max": x.max(1).values}
        return self.classifier(pools[self.pool])


def causal(twin):
    twin.causal = True
    return twin


# file name: --pos, twin, --pool
MODELS = {
    "none": ("none", Nothing(), "mean"),
    "none-causal": ("none", causal(Nothing()), "last"),
    "learnable": ("learnable", Learnable(), "mean"),
    "fixed": ("fixed", Fixed(), "max"),
    "fixed-t2t": ("fixed:variant=t2t", Fixed(t2t=True), "mean"),
    "relative": ("relative", Relative(16), "mean"),
    "relative-values": ("relative:clip=3,values=true", Relative(3, on_values=True), "first"),
    "xl": ("xl", Xl(), "mean"),
    "t5": ("t5", T5(), "mean"),
    "t5-causal": ("t5:buckets=6,max-distance=7", T5(causal=True, buckets=6, max_distance=7), "last"),
    "rope": ("rope", Rope(), "mean"),
    "rope-interpolated": ("rope:base=500,scale=4", Rope(theta=500, interpolate_factor=4), "mean"),
    "rope-halves": ("rope:base=300,fraction=0.5,pairing=halves,scale=2", RopeHalves(300, 0.5, 2), "mean"),
    "alibi": ("alibi", Alibi(), "mean"),
    "alibi-causal": ("alibi", causal(Alibi()), "last"),
    "kerple": ("kerple", Kerple(), "mean"),
    "kerple-power": ("kerple:kind=power", Kerple(power=True), "mean"),
    "fire": ("fire", Fire(), "mean"),
    "fire-causal": ("fire", Fire(causal=True), "last"),
    "cope": ("cope:max-position=3", Cope(3), "last"),
    "fox": ("fox", Fox(), "mean"),
    "fox-causal": ("fox", Fox(causal=True), "last"),
    "logn": ("none+logn", LogLength(), "mean"),
}


SUBJECTS = {name: pos.split("+")[0].split(":")[0] for name, (pos, _, _) in MODELS.items()}  # the encoding


def make(folder, names):
    for name in names:
        pos, twin, pool = MODELS[name]
        torch.manual_seed(len(name))
        model = Model(twin, pool).train()  # dropout is 0; PyTorch's evaluation would take another path
        with torch.no_grad():
            for key, parameter in model.named_parameters():
                parameter.copy_(torch.randn_like(parameter) * 0.4 + (1.0 if "norm" in key and "weight" in key else 0.0))
            if name.startswith("fire"):
                twin.multiplier.fill_(5 / 512)  # so that both sides of the maximum occur
            tokens = torch.randint(0, VOCAB, (5, LENGTH))
            logits = model(tokens)
        state = {key.replace("pos_enc.values_", "pos_enc.values"): value for key, value in model.state_dict().items()}
        torch.save(state, folder / f"model-{name}.pt")
        text = json.dumps({"pos": pos, "causal": twin.causal, "pool": pool, "d-model": D_MODEL, "heads": HEADS, "ffn": FFN, "layers": LAYERS,
                           "vocab": VOCAB, "max-len": MAX_LEN, "tokens": tokens.tolist(), "logits": logits.tolist()})
        (folder / f"model-{name}.json").write_text(text + "\n")
