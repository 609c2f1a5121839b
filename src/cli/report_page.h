// The page of a folder of results, for commands that write it beside them.
#pragma once

#include <string>
#include <vector>

namespace posenc {

// As `posenc report FOLDERS --format html` has it. Throws Error as read_folders() and build_report() do.
std::string report_page(const std::vector<std::string>& folders);

}  // namespace posenc
