#!/usr/bin/env python3
"""The script's training loop with torch.optim.Adam(fused=True): one operator for all parameters."""
import functools

import torch

from flags import parser
from torch_script import train

if __name__ == "__main__":
    train("torch_fused_adam", parser(__doc__).parse_args(), make_optimizer=functools.partial(torch.optim.Adam, fused=True))
