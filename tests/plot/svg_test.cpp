#include "plot/svg.h"

#include "plot/heat_map.h"
#include "support/catch.h"

using namespace posenc;

TEST_CASE("text in SVG cannot be markup", "[plot]") {
  CHECK(escape_xml("a<b & \"c\" 'd'>") == "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  CHECK(escape_xml(std::string("\x01tab\there", 9)) == "tab\there");
}

TEST_CASE("a heat map has a panel for each matrix, one scale for all, and grey where attention never happens",
          "[plot]") {
  const double never = -std::numeric_limits<double>::infinity();
  const Grid bias{"bias", "", {"head", "query", "key"}, {2, 2, 3}, {0, -1, -2, -1, 0, never, 0, -4, -8, -4, 0, never}};
  const std::string svg = heat_map_svg({bias}, {5, 6, 90}, "alibi <1>");
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++n;
    return n;
  };
  CHECK(count("class=\"frame\"") == 2);
  CHECK(count("#9a9a9a") == 2);
  CHECK(count(">head 0<") == 1);
  CHECK(count(">head 1<") == 1);
  CHECK(count(">key 5..90<") == 1);
  CHECK(count(">-8<") == 1);
  CHECK(count("alibi &lt;1&gt;") == 2);
  CHECK(count("nan") == 0);
  CHECK(count("inf") == 0);
}

TEST_CASE("a heat map of one number, of equal numbers and of thousands of rows can be drawn", "[plot]") {
  CHECK(heat_map_svg({{"table", "", {"position", "dimension"}, {1, 1}, {0}}}, {0}, "x").find("nan") ==
        std::string::npos);
  CHECK(heat_map_svg({{"table", "", {"position", "dimension"}, {2, 2}, {3, 3, 3, 3}}}, {0, 1}, "x").find("nan") ==
        std::string::npos);
  const Grid large{"bias", "", {"query", "key"}, {1000, 1000}, std::vector<double>(1000000, 1)};
  const std::string svg = heat_map_svg({large}, {0, 999}, "x");
  CHECK_THAT(svg, ContainsSubstring("every 4th row and every 4th column"));
  CHECK(svg.size() < 100000);
  CHECK_THAT(heat_map_svg({}, {}, "nothing"), ContainsSubstring("nothing"));
}
