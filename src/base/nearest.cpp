#include "base/nearest.h"

#include <algorithm>

namespace posenc {

// Optimal string alignment distance, row by row.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitute = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({substitute, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

std::string nearest(std::string_view given, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestName = 64;  // nothing longer is a typo of one of ours
  if (given.empty() || given.size() > kLongestName) return "";
  std::string best;
  int least = static_cast<int>(given.size());
  for (const std::string& name : known) {
    // A name that merely continues what was typed is as plausible as one typo.
    const bool continues = given.size() >= 3 && name.starts_with(given);
    const int distance = continues ? 1 : edit_distance(lower_case(given), lower_case(name));
    const int limit = std::max<int>(1, static_cast<int>(std::max(given.size(), name.size())) / 3);
    if (distance <= limit && distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

std::string nearest_hint(std::string_view given, const std::vector<std::string>& known) {
  const std::string name = nearest(given, known);
  return name.empty() ? "" : ", nearest: " + name;
}

}  // namespace posenc
