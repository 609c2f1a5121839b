// One run from configuration to result: the whole of training behind one function that needs no torch header.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "posenc/bounds.h"
#include "posenc/run_config.h"

namespace posenc {

struct EpochResult {
  std::int64_t epoch;  // from 1; 0 is the model before any training, whose train_loss is nan
  double train_loss;   // mean cross-entropy (nats) over the epoch's sequences as they were trained on
  double val_acc;      // share of the validation set, 0..1, without dropout
};

// A model's answers on --eval-size sequences of one length.
struct LengthResult {
  std::int64_t length = 0, size = 0;
  bool trained = false;                  // one of the lengths of training
  double accuracy = 0;                   // 0..1
  double cross_entropy = 0;              // mean, nats
  double calibration_error = 0;          // expected calibration error, 15 equal bins of the answer's probability, 0..1
  double margin = 0;                     // mean of the label's logit less the greatest other one
  std::int64_t untrained_positions = 0;  // that were used as the table's random start left them (--oob untrained)
  double majority = 0;                   // of the best constant guess at this length
  std::optional<double> ceiling;         // as Bounds::ceiling, at this length
};

// What the tests at several lengths come to.
struct LengthScore {
  std::optional<double> score;  // mean accuracy over the tested lengths above the longest trained one
  bool learned = false;         // what training reached is above all that guessing gives, 95 %
  std::optional<std::int64_t> half_accuracy_length;  // the first of them that keeps less than half of it, if learned
};

// By the accuracies of `lengths`, rising, alone. What training reached is the accuracy at the greatest tested length
// that is not above `longest_trained`, or `val_acc`, of `val_size` sequences, where there is none. Less than half of it
// is kept where (accuracy - majority) / (1 - majority) is less than half of what it was there.
LengthScore score_of(const std::vector<LengthResult>& lengths, std::int64_t longest_trained, double val_acc,
                     std::int64_t val_size);

// How many steps of training had sequences of a length.
struct LengthSteps {
  std::int64_t length, steps;
};

// The lengths that a run of `config` was trained on, rising: those of `steps`, or all that it may train on where no
// step is known of. At least one.
std::vector<std::int64_t> trained_on(const RunConfig& config, const std::vector<LengthSteps>& steps);

struct RunResult {
  enum class Status {
    finished,
    diverged,  // a loss, a final weight or a logit of validation or of a test was not finite
    failed,    // an error ended it
  };

  Status status = Status::finished;
  std::string message;  // why, unless finished
  std::vector<EpochResult> epochs;
  std::vector<LengthSteps> steps_at;                   // rising; every length that a step had
  std::vector<LengthResult> lengths;                   // rising; of a finished run with --eval-len
  std::optional<Bounds> bounds;                        // of a run that began
  std::vector<std::int64_t> train_labels, val_labels;  // sequences of each class that were drawn; empty where none were
  double seconds = 0;                                  // wall time of building, drawing and training
  std::string engine;                                  // what computed the layers: "fused, AVX-512", "reference"
  std::string model_error;                             // why a model was not saved that was to be; no part of a record

  // The last epoch's; of a run with no epochs the untrained model's.
  EpochResult last() const { return epochs.back(); }
};

struct RunObserver {
  std::function<void(const EpochResult&)> on_epoch;  // called after each epoch's validation
  std::function<bool()> stop_requested;              // asked before each step; true ends the run
};

// Throws Error (usage) when this machine lacks what `config` asks for: its device, or the memory.
void check_machine(const RunConfig& config);

// Whether the fused kernels compute the layers of `config`, and what does in words: "fused, AVX-512"; "reference";
// "reference (pre-norm)" where only --norm pre, which they lack, keeps them from it.
bool uses_kernels(const RunConfig& config);
std::string engine_name(const RunConfig& config);

// Trains and validates as `config` says. `config` must have passed check() (src/config/resolve.h).
// Where `model_path` is given, the trained weights of a finished run are saved there (docs/CHECKPOINTS.md); if they cannot
// be, the result says why and is whole otherwise.
// Uses no random generator but its own, so runs may share a process and a moment: the result depends on `config` alone.
// Throws Error: usage (check_machine) before anything is trained, interrupted when stop_requested() said so.
RunResult run(const RunConfig& config, const RunObserver& observer = {}, const std::string& model_path = "");

struct BuildInfo {
  std::string posenc_version, git_revision, compiler, torch_version;
  bool cuda_linked;
  int cuda_devices;  // that answer on this machine
};
BuildInfo build_info();

}  // namespace posenc
