#!/usr/bin/env bash
# Times posenc against its peers:  run.sh [compare.py|sweep64.py|against_reference.py] [ARGUMENTS of it]
# Puts the peers into a Python environment of their own, .bench-env in the repository's root or the folder that
# POSENC_BENCH_ENV names (about 5 GB), then runs compare.py, or the script that is named first.
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
environment=$(readlink -m "${POSENC_BENCH_ENV:-$here/../.bench-env}")
stamp=$environment/.installed

if ! cmp -s "$here/requirements.txt" "$stamp"; then
  python3 -m venv "$environment" >&2
  "$environment/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt" >&2
  cp "$here/requirements.txt" "$stamp"
fi
script=compare.py
if [[ ${1:-} == *.py ]]; then
  script=$1
  shift
fi
POSENC_BENCH_ENV=$environment exec "$environment/bin/python" "$here/$script" "$@"
