// A catalog for tests of the configuration, which knows no torch.
#pragma once

#include "config/settings.h"
#include "posenc/catalog.h"

namespace posenc {

inline Catalog small_catalog() {
  Catalog catalog;
  EncodingEntry table;
  table.name = "table";
  table.parameters = {{"std", ValueType::real("[0, 100]"), 0.1, ""}};
  table.bound_to_table = true;
  table.parameter_count = [](const EncodingSizes& sizes, const Parameters&) {
    return static_cast<double>(sizes.max_len) * static_cast<double>(sizes.d_model);
  };
  EncodingEntry free;
  free.name = "free";
  free.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  TaskEntry task;
  task.name = "first-last-parity";
  TaskEntry longer;
  longer.name = "longer";
  longer.least_length = 5;
  catalog.encodings = {table, free};
  catalog.tasks = {task, longer};
  return catalog;
}

inline Settings flags(std::initializer_list<std::pair<const std::string, std::string>> given) {
  Settings settings = {{"pos", {"table", {Origin::Source::flag, "--pos"}}}};
  for (const auto& [name, text] : given) settings[name] = {text, {Origin::Source::flag, "--" + name}};
  return settings;
}

}  // namespace posenc
