#!/usr/bin/env bash
# setup.sh in a repository of its own, with a package manager and a pip that do nothing: what it says, and how it exits.
set -euo pipefail
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
mkdir -p "$scratch/repository" "$scratch/bin"
cp -r "$root/scripts" "$scratch/repository/scripts"
setup=$scratch/repository/scripts/setup.sh
export PATH=$scratch/bin:$PATH
unset POSENC_TORCH_DIR POSENC_TORCH_SET

fail() { echo "FAILED: $*" >&2; exit 1; }
program() { cat >"$scratch/bin/$1"; chmod 755 "$scratch/bin/$1"; } # program NAME: standard input as a program on PATH

# A folder that is no LibTorch is one line and exit 2, whichever script is called, and nothing is built.
for script in setup run test; do
  status=0
  said=$(POSENC_TORCH_DIR=/nope "$scratch/repository/scripts/$script.sh" 2>&1) || status=$?
  [[ $status == 2 ]] || fail "$script.sh exits $status instead of 2: $said"
  [[ $(wc -l <<<"$said") == 1 && $said == *"given '/nope'"* ]] || fail "$script.sh with /nope is not one line: $said"
done
[[ ! -e $scratch/repository/build ]] || fail "a build folder was made without LibTorch"

# Who may not install packages is told the whole command, and what to do after it.
program dpkg-query <<<'#!/bin/sh'
program sudo <<<$'#!/bin/sh\nexit 1'
unprivileged=()
((EUID != 0)) || unprivileged=(setpriv --reuid=65534 --clear-groups)
if command -v apt-get >/dev/null; then
  status=0
  said=$("${unprivileged[@]}" "$setup" 2>&1) || status=$?
  [[ $status == 2 ]] || fail "missing packages exit $status instead of 2: $said"
  [[ $said == *"sudo apt-get update && sudo apt-get install --no-install-recommends "*catch2* ]] || fail "no command: $said"
  [[ $said == *"then run this again"* ]] || fail "it does not say what to do after the command: $said"
fi

# A download that takes long shows that it goes on, and the lines end with it. Minutes are short here.
# shellcheck disable=SC2016  # the stand-ins expand these
{
  program dpkg-query <<<$'#!/bin/sh\nfor p; do echo "installed $p"; done'
  program df <<<$'#!/bin/sh\nprintf "head\\nx 1 1 99999999 1 y\\n"'
  program sleep <<<$'#!/bin/sh\nexec /bin/sleep 0.05'
  program python3 <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in --version) exit 0 ;; --target) mkdir -p "$2/torch" ;; esac
  shift
done
for _ in $(seq 600); do ! grep -q 'still fetching' "$SAID" || exit 0; /bin/sleep 0.05; done
END
}
export SAID=$scratch/said
POSENC_TORCH_SET=cpu "$setup" >"$SAID" 2>&1 || fail "a stand-in's download fails: $(cat "$SAID")"
grep -q 'fetching LibTorch .* minute' "$SAID" || fail "it does not say how long it takes: $(cat "$SAID")"
grep -q 'still fetching LibTorch (1 min)' "$SAID" || fail "no line while it fetches: $(cat "$SAID")"
tail -n 1 "$SAID" | grep -q 'ready, with LibTorch in' || fail "the last line is not 'ready': $(tail -n 1 "$SAID")"
lines=$(wc -l <"$SAID")
/bin/sleep 0.3
[[ $(wc -l <"$SAID") == "$lines" ]] || fail "progress goes on after the end"
