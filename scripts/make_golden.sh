#!/usr/bin/env bash
# Makes the golden values of tests/golden with reference.py, which is plain PyTorch and shares no code with posenc.
# Run it with a python3 whose torch is 2.11.0 (PYTHON=...); what it writes is committed, so that tests need no Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export OMP_NUM_THREADS=1

golden() {
  local name=$1
  shift
  "${PYTHON:-python3}" scripts/reference.py "$@" > "tests/golden/golden-$name.json.partial"
  mv "tests/golden/golden-$name.json.partial" "tests/golden/golden-$name.json"
}

golden learnable-42 --pos learnable
golden fixed-42 --pos fixed
golden fixed-7-two-layers --pos fixed --seed 7 --vocab 10 --seq-len 8 --train 1000 --epochs 10 --layers 2

golden learnable-5-two-layers --pos learnable --seed 5 --layers 2 --epochs 5
golden fixed-3-wide --pos fixed --seed 3 --d-model 48 --heads 6 --ffn 100 --epochs 5
golden learnable-0-short --pos learnable --seed 0 --seq-len 9 --vocab 7 --train 500 --val 101 --batch 48 --epochs 5
golden learnable-1-no-dropout --pos learnable --seed 1 --dropout 0 --epochs 5
golden fixed-11-long --pos fixed --seed 11 --seq-len 33 --vocab 1000 --d-model 20 --heads 2 --layers 3 --dropout 0.3 --lr 0.003 --batch 128 --train 1000 --epochs 5

"${PYTHON:-python3}" scripts/check_interop.py --make
