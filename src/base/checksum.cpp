#include "base/checksum.h"

#include <fmt/format.h>

#include <boost/crc.hpp>

#include "posenc/error.h"

namespace posenc {
namespace {

constexpr std::string_view kCrcKey = ",\"crc\":\"";
constexpr std::size_t kCrcDigits = 8;
constexpr std::size_t kTail = kCrcKey.size() + kCrcDigits + 2;  // the digits, a quote and a brace

std::string crc_digits(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:08x}", crc.checksum());
}

}  // namespace

std::string with_checksum(std::string object) {
  const std::string digits = crc_digits(object);
  object.pop_back();
  return fmt::format("{}{}{}\"}}", object, kCrcKey, digits);
}

std::string without_checksum(std::string_view line) {
  if (line.size() <= kTail || line.substr(line.size() - kTail, kCrcKey.size()) != kCrcKey || !line.ends_with("\"}"))
    throw Error("no checksum at its end");
  std::string object(line.substr(0, line.size() - kTail));
  object.push_back('}');
  if (line.substr(line.size() - kCrcDigits - 2, kCrcDigits) != crc_digits(object))
    throw Error("its checksum does not match");
  return object;
}

}  // namespace posenc
