// The differences of all pairs of encodings, as a heat map.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/figures/panels.h"

namespace posenc {
namespace {

constexpr double kCell = 38, kAbove = 34;
constexpr const char* kCells = R"(text.in { fill: #222; font-size: 11px; }
.no { stroke: #aaa; stroke-width: .5; } .yes { stroke: #222; stroke-width: 2; }
@media (prefers-color-scheme: dark) { .yes { stroke: #fff; } })";

// White at zero, blue below and vermilion above (Okabe and Ito), full at `most`.
std::string colour(double value, double most) {
  const double share = most > 0 ? std::min(1.0, std::abs(value) / most) : 0;
  const int far[2][3] = {{0, 114, 178}, {213, 94, 0}};
  std::string text = "#";
  for (int i = 0; i < 3; ++i)
    text += fmt::format("{:02x}", static_cast<int>(std::lround(247 + (far[value > 0][i] - 247) * share * 0.8)));
  return text;
}

// In five characters or so; what rounds to nothing has no sign.
std::string short_number(double value) {
  if (std::abs(value) < 0.005) return "0.00";
  return fmt::format("{:+.{}f}", value, std::abs(value) < 9.995 ? 2 : 0);
}

std::string document(const std::string& title, const std::vector<std::string>& names,
                     const std::map<std::pair<std::string, std::string>, const PairReport*>& pairs, double most) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, shortened(name, 20).size());
  const double left = 20 + kLetterWidth * static_cast<double>(longest),
               side = kCell * static_cast<double>(names.size());
  const double below = 14 + 0.75 * kLetterWidth * static_cast<double>(longest);
  const double width = std::max(left + side + 14, 20 + kLetterWidth * static_cast<double>(shortened(title, 58).size()));
  Svg svg;
  svg.text(12, 20, shortened(title, 58));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double y = kAbove + kCell * (static_cast<double>(i) + 0.5), x = left + kCell * (static_cast<double>(i) + 0.5);
    svg.text(left - 6, y + 4, shortened(names[i], 20), "end");
    svg.add(
        R"svg(<text x="{0:.1f}" y="{1:.1f}" text-anchor="end" transform="rotate(-45 {0:.1f} {1:.1f})">{2}</text>)svg",
        x + 4, kAbove + side + 14, escape_xml(shortened(names[i], 20)));
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto straight = pairs.find({names[i], names[j]}), turned = pairs.find({names[j], names[i]});
      if (straight == pairs.end() && turned == pairs.end()) continue;
      const PairReport& pair = straight != pairs.end() ? *straight->second : *turned->second;
      const double value = (straight != pairs.end() ? 1 : -1) * pair.effect.difference.value;
      if (std::isnan(value)) continue;
      const double cx = left + kCell * static_cast<double>(j), cy = kAbove + kCell * static_cast<double>(i);
      svg.add(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="{}" class="{}"><title>{}</title></rect>)",
              cx + 1, cy + 1, kCell - 2, kCell - 2, colour(value, most), pair.shown() ? "yes" : "no",
              escape_xml(fmt::format("{} less {}: {:+.4g}, {}", names[i], names[j], value,
                                     std::isnan(pair.adjusted) ? std::string("not tested")
                                                               : fmt::format("p by Holm {:.2g}", pair.adjusted))));
      svg.add(R"(<text class="in" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", cx + kCell / 2,
              cy + kCell / 2 + 4, short_number(value));
    }
  }
  return svg.document(width, kAbove + side + below + 14, title, kCells);
}

}  // namespace

FigureGroup differences(const Report& report) {
  FigureGroup group{fmt::format("Differences of means: {}", report.metric->name), {}, ""};
  std::vector<std::string> settings;
  std::map<std::string, std::vector<const PairReport*>> by_setting;
  double most = 0;
  for (const PairReport& pair : report.pairs) {
    const std::string setting = setting_text(pair.setting);
    if (!by_setting.contains(setting)) settings.push_back(setting);
    by_setting[setting].push_back(&pair);
    if (std::isfinite(pair.effect.difference.value)) most = std::max(most, std::abs(pair.effect.difference.value));
  }
  for (const std::string& setting : settings) {
    std::vector<std::string> names;
    std::map<std::pair<std::string, std::string>, const PairReport*> pairs;
    for (const PairReport* pair : by_setting[setting]) {
      for (const std::string& name : {pair->first, pair->second})
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      pairs[{pair->first, pair->second}] = pair;
    }
    if (names.size() < 3) continue;  // one number needs no map
    group.figures.push_back(
        {fmt::format("differences-{}", group.figures.size() + 1),
         fmt::format("{}Row less column, mean over seeds (n = {}); framed: p at most 0.05 after Holm's correction.",
                     setting.empty() ? "" : setting + ". ", by_setting[setting].front()->n),
         document(setting.empty() ? group.title : setting, names, pairs, most)});
  }
  return group;
}

}  // namespace posenc
