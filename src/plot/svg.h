// The little SVG that posenc's figures are made of. Coordinates are CSS pixels, y downwards.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace posenc {

// `text` with <, >, & and quotes as entities, and without the control characters that XML has no way to write.
std::string escape_xml(std::string_view text);

class Svg {
 public:
  // Appends markup. Whatever a user wrote must have gone through escape_xml().
  template <typename... T>
  void add(fmt::format_string<T...> format, T&&... arguments) {
    body_ += fmt::format(format, std::forward<T>(arguments)...);
    body_ += '\n';
  }

  // Text of the class "label" (figure's own style), anchored at its start, middle or end.
  void text(double x, double y, std::string_view words, std::string_view anchor = "start");

  // The whole file: colours for light and dark, `title` as its accessible name, further rules of style where given.
  std::string document(double width, double height, std::string_view title, std::string_view style = "") const;

  const std::string& body() const { return body_; }  // what was added

 private:
  std::string body_;
};

}  // namespace posenc
