// Numbers with names for their axes: what an encoding or attention is looked at as.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace posenc {

// An array of numbers with names for its axes, the last one running fastest.
struct Grid {
  std::string name;               // "table", "angles", "bias", "buckets"
  std::string unit;               // of the values; "" where they have none
  std::vector<std::string> axes;  // "position", "dimension"
  std::vector<std::int64_t> shape;
  std::vector<double> values;  // minus infinity: attention that never happens

  // Of the axes that count tokens; the others, heads and dimensions, count from 0.
  static bool is_of_positions(const std::string& axis) {
    return axis == "position" || axis == "query" || axis == "key";
  }
};

}  // namespace posenc
