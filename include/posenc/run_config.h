// Everything that decides what a run computes and what it prints, with the published defaults.
// Names, ranges and help texts stand in the field table (src/config/fields.cpp), which the command line,
// the TOML files and the environment all go through; a program that fills this in by hand calls check().
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace posenc {

struct RunConfig {
  // Position encoding and model
  std::string pos = "learnable";  // NAME[:key=value,...][+WRAPPER...], canonical after check()
  std::int64_t d_model = 32;
  std::int64_t heads = 4;
  std::int64_t layers = 1;
  std::int64_t ffn = 64;
  double dropout = 0.1;
  std::string norm = "post";  // of a layer: post, after each sum, as published; pre, before attention and feed-forward
  double norm_eps = 1e-5;     // added to the variance
  std::int64_t max_len = 16;
  bool bos = false;           // a learned token in front of every sequence, at position 0
  bool causal = false;        // attention sees no later token
  std::string pool = "mean";  // what of the last layer is classified: mean, first, last or max over positions

  // Task and data
  std::string task = "first-last-parity";
  std::int64_t seq_len = 16;
  std::int64_t vocab = 100;
  std::int64_t train_size = 2000;
  std::int64_t val_size = 400;
  std::string train_len;               // "2..40": lengths of training, in place of seq_len, which is then the longest
  std::string curriculum = "uniform";  // which of them a step has, NAME[:key=value,...]
  std::string data = "fixed";          // fixed: drawn once; online: a fresh batch every step
  double holdout_pairs = 0;            // share of (first, last) pairs that only validation has

  // Evaluation after training
  std::string eval_len;  // "8,16,64..512:64", rising after check(); empty for none
  std::int64_t eval_size = 2000;
  std::string oob = "error";  // positions beyond a trained table: error, clamp, interpolate, untrained

  // Training
  std::int64_t epochs = 30;
  std::int64_t steps = 0;  // in place of epochs; 0: the epochs decide
  std::int64_t batch_size = 64;
  double lr = 1e-3;
  std::string optimizer = "adam";     // adam, adamw or sgd
  double weight_decay = 0;            // adam, sgd: L2, in the gradient; adamw: decoupled
  double momentum = 0;                // sgd alone
  double grad_clip = 0;               // greatest norm of all gradients together; 0: any
  std::string schedule = "constant";  // of the learning rate: NAME[:key=value,...], canonical after check()
  std::string seeding = "single";     // single: one generator for all, as published; paired: a stream for each purpose
  std::int64_t seed = 42;
  std::int64_t data_seed = 42;  // paired: of the data alone
  std::int64_t init_seed = 42;  // paired: of the initial weights alone

  // Machine
  std::string device = "cpu";
  std::int64_t threads = 1;
  std::string engine =
      "auto";                  // what computes the layers: fused (kernels, CPU), reference (LibTorch's operators), auto
  bool deterministic = false;  // CUDA: only algorithms whose results do not vary; the CPU's never do

  // Output
  std::int64_t log_every = 5;
  bool json = false;
  std::string out;     // folder of results; empty for none
  bool force = false;  // run again what the folder has
  std::string config;  // the TOML file that was read, if any
  std::optional<double> expect_val_acc;

  // What an earlier release computed otherwise, as "fire=2" for an entry of the catalog; empty for nothing. Set by
  // check(): it follows from all else, and is part of the run id, so that a stored run of the older meaning stays apart.
  std::string revisions;

  // Tokens that the model sees of a sequence of `length` tokens, and of the longest that is trained on.
  std::int64_t model_length(std::int64_t length) const { return length + (bos ? 1 : 0); }
  std::int64_t model_length() const { return model_length(seq_len); }
};

}  // namespace posenc
