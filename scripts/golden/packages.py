"""What published packages say of encodings: tests/golden/packages.json, for tests/encodings/packages_test.cpp.

  transformers            T5's buckets, BLOOM's ALiBi slopes, GPT-NeoX' rotation by halves, tensor2tensor's sinusoids
  rotary-embedding-torch  rotation of neighbouring pairs
  positional-encodings    the paper's sinusoids
  x-transformers          CoPE; the Forgetting Transformer's bias (causal: its two-sided one counts the key's gate and not
                          the query's, which is not the mirror image of its causal one)

A part imports what it alone needs where it needs it, so that the others can be made without.
"""
import importlib.metadata, json, math
import torch


def t5_buckets():
    from transformers.models.t5.modeling_t5 import T5Attention

    cases = []
    for bidirectional, buckets, most in [(True, 32, 128), (False, 32, 128), (True, 6, 11), (False, 6, 11), (True, 20, 33), (False, 7, 50), (True, 64, 1000)]:
        distance = torch.arange(-299, 300)
        rows = T5Attention._relative_position_bucket(distance, bidirectional, buckets, most)
        cases.append({"bidirectional": bidirectional, "buckets": buckets, "max_distance": most, "rows": rows.tolist()})
    return cases


def alibi_slopes():
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    return [build_alibi_tensor(torch.ones(1, 2), heads, torch.float64)[:, 0, 1].tolist() for heads in [*range(1, 17), 20, 24, 48]]


def rope():
    from rotary_embedding_torch import RotaryEmbedding
    from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb

    cases = []
    positions = torch.tensor([0, 1, 2, 5, 17, 100])
    for width, theta, factor in [(4, 10000, 1), (6, 10000, 1), (10, 500, 1), (32, 10000, 4), (64, 1000000, 1)]:
        x = torch.randn(len(positions), width)
        # The package rotates x[i] by position i: put each row where its position is.
        at = torch.zeros(1, 1, int(positions[-1]) + 1, width)
        at[0, 0, positions] = x
        turned = RotaryEmbedding(dim=width, theta=theta, interpolate_factor=float(factor)).rotate_queries_or_keys(at)[0, 0, positions]
        cases.append({"package": "rotary-embedding-torch", "pos": f"rope:base={theta},scale={factor}", "positions": positions.tolist(),
                      "in": x.tolist(), "out": turned.tolist()})
    for width, fraction in [(6, 1.0), (16, 0.25), (12, 0.5)]:
        x = torch.randn(len(positions), width)
        rotated = int(width * fraction)
        rate = 1 / 10000 ** (torch.arange(0, rotated, 2) / rotated)
        angle = torch.cat([positions[:, None] * rate] * 2, dim=-1)[None]
        turned, _ = apply_rotary_pos_emb(x[None, None], x[None, None], angle.cos(), angle.sin())
        cases.append({"package": "transformers", "pos": f"rope:pairing=halves,fraction={fraction}", "positions": positions.tolist(),
                      "in": x.tolist(), "out": turned[0, 0].tolist()})
    return cases


def fixed():
    from positional_encodings.torch_encodings import PositionalEncoding1D
    from transformers.models.speech_to_text.modeling_speech_to_text import Speech2TextSinusoidalPositionalEmbedding

    cases = [{"package": "positional-encodings", "pos": "fixed", "rows": PositionalEncoding1D(width)(torch.zeros(1, 9, width))[0].tolist()}
             for width in [2, 6, 20, 32]]
    table = Speech2TextSinusoidalPositionalEmbedding.get_embedding
    return cases + [{"package": "transformers", "pos": "fixed:variant=t2t", "rows": table(9, width).tolist()} for width in [4, 10, 32]]


def cope():
    from x_transformers.x_transformers import CoPE

    heads, length, width, rows = 3, 9, 6, 5
    q, k = torch.randn(1, heads, length, width), torch.randn(1, heads, length, width)
    module = CoPE(width, heads, rows)
    torch.nn.init.normal_(module.pos_emb)
    scores = (q @ k.transpose(-2, -1) / math.sqrt(width)).masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -torch.inf)
    return {"q": q.tolist(), "k": k.tolist(), "table": module.pos_emb.tolist(), "bias": module(q, scores).tolist()}


def fox():
    from x_transformers.x_transformers import DataDependentAlibi

    heads, length, width = 3, 9, 12
    x = torch.randn(2, length, width)
    module = DataDependentAlibi(width, heads, causal=True, bias_init=0.3)
    linear = module.to_forget_gates[0]
    return [{"causal": True, "x": x.tolist(), "weight": linear.weight.tolist(), "bias_of_gate": linear.bias.tolist(), "bias": module(x).tolist()}]


PARTS = {part.__name__: part for part in [t5_buckets, alibi_slopes, rope, fixed, cope, fox]}
SUBJECTS = {name: name.split("_")[0] for name in PARTS}  # the encoding


def make(folder, names):
    golden = json.loads((folder / "packages.json").read_text())
    for name in names:
        torch.manual_seed(5)  # for each, so that a new part changes no other
        with torch.no_grad():
            golden[name] = PARTS[name]()
    if len(names) == len(PARTS):
        golden["versions"] = {package: importlib.metadata.version(package) for package in golden["versions"]}
    text = ",\n".join(f'"{name}": {json.dumps(part)}' for name, part in golden.items())
    (folder / "packages.json").write_text("{" + text + "}\n")
