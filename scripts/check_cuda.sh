#!/usr/bin/env bash
# Everything that needs a GPU, with its figures: CPU against CUDA, deterministic repeats, a checkpoint across devices.
# Needs a build whose LibTorch has its CUDA half. Without a device it says so and exits 0.
set -euo pipefail
build=${1:-"$(dirname "${BASH_SOURCE[0]}")/../build"}
posenc=$build/posenc
"$posenc" --version
if ! "$posenc" --version | grep -Eq 'CUDA linked, [1-9]'; then
  echo "no CUDA device here: nothing was checked"
  exit 0
fi

echo "== tests with the tag [cuda]"
"$build/tests/posenc_torch_tests" '[cuda]' -s | grep -E 'difference|passed|failed'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "== the published comparison on CUDA"
time "$posenc" compare --device cuda --deterministic --out "$scratch/first"
echo "== repeated: identical but for the time it took"
"$posenc" compare --device cuda --deterministic --out "$scratch/second" > /dev/null
cmp "$scratch/first/epochs.csv" "$scratch/second/epochs.csv" && echo "every loss of every epoch is equal"
echo "== models trained on CUDA, evaluated on both devices"
for model in "$scratch"/first/models/*.pt; do
  "$posenc" eval "$model" --device cpu
  "$posenc" eval "$model" --device cuda
done
