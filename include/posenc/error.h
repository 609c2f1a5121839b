// The one exception type of posenc. A message is one line and names what was given and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace posenc {

class Error : public std::runtime_error {
 public:
  enum class Kind {
    usage,        // bad input or configuration: nothing was computed; exit 2
    failure,      // something failed while it ran; exit 1
    interrupted,  // asked to stop by a signal; exit 128 + signal
  };

  explicit Error(const std::string& message, Kind kind = Kind::usage) : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// What of a library's message a user can use: LibTorch goes on with a back trace.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace posenc
