#!/usr/bin/env bash
# make_golden.py makes what is named and nothing else, and says which package is missing. It needs a python3 alone.
set -euo pipefail
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tests"
cp -r "$root/scripts" "$scratch/scripts"
cp -r "$root/tests/golden" "$scratch/tests/golden"
make() { python3 -B -S "$scratch/scripts/make_golden.py" "$@" 2>&1; } # -S: as if no package were installed

fail() { echo "FAILED: $*" >&2; exit 1; }
same() { diff -rq "$root/tests/golden" "$scratch/tests/golden" >/dev/null; }

make tasks || fail "labels of tasks cannot be made without packages"
same || fail "the labels of tasks are not those that are committed"

# One task is made, and what another one had is left as it was.
sed -i -E '/"task": "parity"/d; /"task": "first"/s/"label":[01]/"label":9/g' "$scratch/tests/golden/tasks.json"
make tasks parity || fail "one task cannot be made"
grep -q '"task": "parity"' "$scratch/tests/golden/tasks.json" || fail "the labels of parity were not made"
[[ $(grep -c '"label":9' "$scratch/tests/golden/tasks.json") == 1 ]] || fail "other labels were made as well"
cp "$root/tests/golden/tasks.json" "$scratch/tests/golden/tasks.json"

# refuses WORDS ARGUMENT...: one line with these words, exit 1, and no file changed
refuses() {
  local said status=0
  said=$(make "${@:2}") || status=$?
  [[ $status == 1 && $(wc -l <<<"$said") == 1 && $said == *"$1"* ]] || fail "${*:2}: exit $status: $said"
  same || fail "${*:2} changed files"
}
refuses "models needs a package that is missing (python3 -m pip install torch==" models alibi
refuses "statistics needs a package that is missing (python3 -m pip install numpy==" statistics
refuses "tasks has no such name (given 'pariti', allowed: first-last-parity, " tasks pariti
refuses "no such part (given 'pariti', allowed: runs, " pariti
refuses "checkpoints is made as a whole (given 'fixed'" checkpoints fixed
