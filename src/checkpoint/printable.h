// Text from a file that is not trusted, made fit for one line of an error message.
#pragma once

#include <string>
#include <string_view>

namespace posenc {

// `text` with every byte that is not printable ASCII as \xNN, cut with "..." after 120 bytes.
std::string printable(std::string_view text);

}  // namespace posenc
