"""Pre-norm layers and another epsilon, by torch.nn.TransformerEncoderLayer: logits without dropout; loss and gradients with it."""
import json
from collections import OrderedDict
import torch
from torch import nn

VOCAB, LENGTH, D_MODEL, HEADS, FFN, LAYERS, CLASSES, DROPOUT, MASK_SEED = 7, 6, 12, 3, 10, 2, 3, 0.2, 3

# file name: norm_first, layer_norm_eps
MODELS = {"norm-pre": (True, 1e-5), "norm-pre-eps": (True, 0.01), "norm-post-eps": (False, 0.01)}


class Model(nn.Module):
    def __init__(self, norm_first, eps, dropout):
        super().__init__()
        self._emb = nn.Embedding(VOCAB, D_MODEL)
        self.pos_enc = nn.Module()
        self.pos_enc.pe = nn.Parameter(torch.empty(LENGTH, D_MODEL))
        layer = nn.TransformerEncoderLayer(D_MODEL, HEADS, FFN, dropout, batch_first=True, norm_first=norm_first, layer_norm_eps=eps)
        self.encoder = nn.TransformerEncoder(layer, LAYERS, norm=None, enable_nested_tensor=False)
        self.classifier = nn.Linear(D_MODEL, CLASSES)

    def forward(self, tokens):
        return self.classifier(self.encoder(self._emb(tokens) + self.pos_enc.pe).mean(dim=1))


def make(folder):
    for number, (name, (norm_first, eps)) in enumerate(MODELS.items()):
        torch.manual_seed(20 + number)
        model = Model(norm_first, eps, 0.0).train()  # PyTorch's evaluation would take another path
        with torch.no_grad():
            for key, parameter in model.named_parameters():
                parameter.copy_(torch.randn_like(parameter) * 0.4 + (1.0 if "norm" in key and "weight" in key else 0.0))
        tokens, labels = torch.randint(0, VOCAB, (5, LENGTH)), torch.randint(0, CLASSES, (5,))
        logits = model(tokens)
        dropping = Model(norm_first, eps, DROPOUT).train()
        dropping.load_state_dict(model.state_dict())
        torch.manual_seed(MASK_SEED)
        loss = nn.functional.cross_entropy(dropping(tokens), labels)
        loss.backward()
        torch.save(model.state_dict(), folder / f"{name}.pt")
        torch.save(OrderedDict((key, parameter.grad) for key, parameter in dropping.named_parameters()), folder / f"{name}-gradients.pt")
        golden = {"norm": "pre" if norm_first else "post", "norm-eps": eps, "vocab": VOCAB, "d-model": D_MODEL, "heads": HEADS, "ffn": FFN, "layers": LAYERS,
                  "classes": CLASSES, "dropout": DROPOUT, "mask-seed": MASK_SEED, "tokens": tokens.tolist(), "labels": labels.tolist(),
                  "logits": logits.tolist(), "loss": loss.item()}
        (folder / f"{name}.json").write_text(json.dumps(golden) + "\n")
