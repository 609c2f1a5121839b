#!/usr/bin/env bash
# Fuzzes the readers of checkpoints: fuzz_checkpoint.sh [SECONDS], 60 by default, on one core. Needs clang, its runtime
# (libclang-rt-14-dev) and a configured build folder, whose copy of fmt it takes. It does not need torch.
# Exits 0 when nothing was found; otherwise the input that did it lies in the folder that the last line names.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
seconds=${1:-60}
work=${POSENC_FUZZ_DIR:-$root/build-fuzz}
[[ $seconds =~ ^[0-9]+$ ]] || { echo "usage: fuzz_checkpoint.sh [SECONDS]" >&2; exit 2; }
command -v clang++ >/dev/null || { echo "fuzz: clang++ is missing: apt-get install clang libclang-rt-14-dev" >&2; exit 2; }
fmt=$(find "$root"/build*/fmt-include -mindepth 1 -maxdepth 1 2>/dev/null | head -n 1)
[[ -n $fmt ]] || { echo "fuzz: no configured build folder: run scripts/test.sh or cmake --preset dev first" >&2; exit 2; }

mkdir -p "$work/corpus" "$work/found"
clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DFMT_HEADER_ONLY=1 \
  -isystem "$fmt" -I "$root/include" -I "$root/src" \
  "$root"/tests/fuzz/checkpoint_fuzzer.cpp "$root"/src/checkpoint/{archive,opcodes,pickle,pickle_globals,printable}.cpp \
  "$root"/src/checkpoint/{tensor_entry,tensor_index}.cpp -lzip -o "$work/checkpoint_fuzzer"

# The two files that Python saved, and their pickles, behind the byte that says which they are.
for file in "$root"/tests/golden/checkpoint-*.pt; do
  name=$(basename "$file" .pt)
  { printf 'F'; cat "$file"; } >"$work/corpus/$name.file"
  python3 - "$file" "$name" >"$work/corpus/$name.pickle" <<'EOF'
import sys, zipfile
sys.stdout.buffer.write(b"P" + zipfile.ZipFile(sys.argv[1]).read(sys.argv[2] + "/data.pkl"))
EOF
done

# A load may take 64 MB and ten times the file beyond what the process has; the sanitizers' own share comes on top.
"$work/checkpoint_fuzzer" -max_total_time="$seconds" -max_len=20000 -timeout=5 -malloc_limit_mb=64 -rss_limit_mb=1024 \
  -print_final_stats=1 -artifact_prefix="$work/found/" "$work/corpus" || {
  echo "fuzz: found something, in $work/found" >&2
  exit 1
}
