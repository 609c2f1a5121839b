// How results are written on stdout, for people or as JSON.
#pragma once

#include <string>

#include "cli/console.h"
#include "posenc/run.h"

namespace posenc {

// "[learnable] Epoch  5 | Train Loss: 0.6856 | Val Acc: 0.5125"
std::string epoch_line(const RunConfig& config, const EpochResult& epoch);

// {"pos":"learnable","epoch":5,"train_loss":0.68...,"val_acc":0.5125}: full precision, null for nan
std::string epoch_json(const RunConfig& config, const EpochResult& epoch);

// Prints `epoch` if --log-every asks for it, or as JSON under --json, which every epoch is.
void print_epoch(const RunConfig& config, const EpochResult& epoch, Console& console);

// The tests of --eval-len, a line or a JSON object each, and what they come to.
void print_lengths(const RunConfig& config, const RunResult& result, Console& console);

// One sentence where `result` is not above what guessing gives on its validation set, else "".
std::string generalisation_note(const RunConfig& config, const RunResult& result);

// Says on stderr when `accuracy` is below --expect-val-acc; returns the exit code, 0 or 1.
int judge_accuracy(const RunConfig& config, double accuracy, Console& console);

// Says on stderr why a run is not good (diverged, or below --expect-val-acc); returns the exit code, 0 or 1.
int judge(const RunConfig& config, const RunResult& result, Console& console);

}  // namespace posenc
