// The configuration of a golden run, as scripts/reference.py's arguments name it.
#pragma once

#include <nlohmann/json.hpp>

#include "posenc/run_config.h"

namespace posenc {

inline RunConfig published_configuration(const nlohmann::json& args) {
  RunConfig c;
  c.pos = args["pos"];
  c.seed = c.data_seed = c.init_seed = args["seed"];
  c.vocab = args["vocab"];
  c.seq_len = c.max_len = args["seq_len"];
  c.train_size = args["train"];
  c.val_size = args["val"];
  c.epochs = args["epochs"];
  c.batch_size = args["batch"];
  c.lr = args["lr"];
  c.d_model = args["d_model"];
  c.heads = args["heads"];
  c.ffn = args["ffn"];
  c.layers = args["layers"];
  c.dropout = args["dropout"];
  return c;
}

}  // namespace posenc
