#!/usr/bin/env python3
"""The script's training loop with its model compiled by torch.compile, for each batch size apart (dynamic=False).

The first epoch, which is not timed, compiles. Needs a C++ compiler and Python's headers.
"""
import functools

import torch

from flags import parser
from torch_script import train

if __name__ == "__main__":
    train("torch_compile", parser(__doc__).parse_args(), prepare=functools.partial(torch.compile, dynamic=False))
