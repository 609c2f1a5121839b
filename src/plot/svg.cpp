#include "plot/svg.h"

#include "base/json.h"

namespace posenc {

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') escaped += c;
    }
  }
  return valid_utf8(escaped);
}

void Svg::text(double x, double y, std::string_view words, std::string_view anchor) {
  add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor, escape_xml(words));
}

std::string Svg::document(double width, double height, std::string_view title, std::string_view style) const {
  return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img">
<title>{2}</title>
<style>
text {{ font: 12px system-ui, sans-serif; fill: #222; }}
.page {{ fill: #fff; }}
.frame {{ fill: none; stroke: #888; stroke-width: 1; }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd; }} .page {{ fill: #181818; }} }}
{4}</style>
<rect class="page" width="{0:.0f}" height="{1:.0f}"/>
{3}</svg>
)",
                     width, height, escape_xml(title), body_, style.empty() ? "" : std::string(style) + "\n");
}

}  // namespace posenc
