#!/usr/bin/env python3
"""The table of docs/ENCODINGS.md from a sweep's runs.csv: what each encoding reaches over its seeds, as Markdown.

  success_table.py RUNS.csv [--by COLUMN,...]     one row for each combination of the columns (pos,causal)

A run succeeds when its last validation accuracy is at least 0.95; the interval is Wilson's, 95 %. Epochs to 0.95 is the
median over all runs, where one that never gets there counts as infinity. Needs nothing but Python.
"""
import argparse, collections, csv, math, statistics


def wilson(successes, n, z=1.959964):
    share = successes / n
    centre, spread = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs")
    p.add_argument("--by", default="pos,causal")
    a = p.parse_args()
    by = a.by.split(",")
    groups = collections.OrderedDict()
    for row in csv.DictReader(open(a.runs)):
        groups.setdefault(tuple(row[column] for column in by), []).append(row)
    print("| " + " | ".join(by) + " | reach 0.95 (95 % interval) | accuracy, least, median and greatest | epochs to 0.95, median | seconds a run, median |")
    print("|" + "---|" * (len(by) + 4))
    for key, rows in groups.items():
        accuracy = sorted(float(row["final_val_acc"]) for row in rows if row["final_val_acc"])
        successes = sum(x >= 0.95 for x in accuracy)
        low, high = wilson(successes, len(rows))
        epochs = statistics.median_high(float(row["epochs_to_95"] or "inf") for row in rows)
        seconds = statistics.median(float(row["seconds"]) for row in rows)
        print("| " + " | ".join(f"`{value}`" for value in key) + f" | {successes} of {len(rows)} ({max(low, 0):.2f} to {min(high, 1):.2f}) "
              f"| {accuracy[0]:.3f}, {statistics.median(accuracy):.3f}, {accuracy[-1]:.3f} | {'never' if math.isinf(epochs) else f'{epochs:.0f}'} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
