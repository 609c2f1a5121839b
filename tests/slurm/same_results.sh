#!/usr/bin/env bash
# same_results.sh FIRST SECOND RUNS: both folders hold the same RUNS runs, bit for bit but for what execution took.
set -euo pipefail
first=$1 second=$2 runs=$3

comparable() {
  case $2 in
    runs.jsonl) sed -E 's/,"execution":\{[^}]*\}//; s/,"crc":"[0-9a-f]{8}"//' "$1/$2" ;;
    runs.csv) sed 's/,[^,]*$//' "$1/$2" ;; # seconds
    *) cat "$1/$2" ;;
  esac | sort
}

for file in runs.jsonl runs.csv epochs.csv; do
  diff <(comparable "$first" "$file") <(comparable "$second" "$file") >&2 || { echo "$file differs" >&2; exit 1; }
done
finished=$(grep -c '"status":"finished"' "$first/runs.jsonl") || true
((finished == runs)) || { echo "$finished runs of $runs are finished in $first" >&2; exit 1; }
diff -r "$first/models" "$second/models" >&2
