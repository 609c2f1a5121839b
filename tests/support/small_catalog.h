// A catalog for tests of the configuration, which knows no torch.
#pragma once

#include "config/settings.h"
#include "curricula/registry.h"
#include "posenc/catalog.h"
#include "schedules/registry.h"

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
  longer.least_length = [](const Parameters&) { return std::int64_t{5}; };
  EncodingEntry deaf = free;
  deaf.name = "deaf";
  deaf.reads_positions = false;
  WrapperEntry shift;
  shift.name = "shift";
  shift.parameters = {{"max", ValueType::integer(2), std::int64_t{20}, ""}};
  shift.position_limit = [](const Parameters& parameters) { return parameters.integer("max"); };
  shift.misfit = [](const Parameters& parameters) -> std::string {
    return parameters.integer("max") == 13 ? "needs luck (given max=13)" : "";
  };
  WrapperEntry loud;
  loud.name = "loud";
  loud.kind = WrapperEntry::Kind::scores;
  EncodingEntry revised = free;  // but at its default parameters
  revised.name = "revised";
  revised.parameters = {{"kind", ValueType::choice({"old", "new"}), std::string("old"), ""}};
  revised.revision = [](const Parameters& parameters) -> std::int64_t {
    return parameters.text("kind") == "new" ? 2 : 1;
  };
  catalog.encodings = {table, free, deaf, revised};
  catalog.wrappers = {shift, loud};
  catalog.tasks = {task, longer};
  catalog.schedules = all_schedules();
  catalog.curricula = all_curricula();
  return catalog;
}

inline Settings flags(std::initializer_list<std::pair<const std::string, std::string>> given) {
  Settings settings = {{"pos", {"table", {Origin::Source::flag, "--pos"}}}};
  for (const auto& [name, text] : given) settings[name] = {text, {Origin::Source::flag, "--" + name}};
  return settings;
}

}  // namespace posenc
