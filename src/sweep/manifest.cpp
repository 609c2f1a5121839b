#include "sweep/manifest.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "config/fields.h"
#include "config/identity.h"
#include "config/memory.h"
#include "report/json.h"
#include "sweep/record.h"

namespace posenc {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string kernel_name() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

}  // namespace

nlohmann::ordered_json describe_invocation(const std::vector<std::string>& arguments, const Resolved& resolved,
                                           const BuildInfo& build) {
  nlohmann::ordered_json entry;
  entry["arguments"] = arguments;
  entry["started"] = utc_now();
  entry["ended"] = nullptr;
  for (const Field& field : fields()) {
    const Setting& setting = resolved.settings.at(field.name);
    entry["configuration"][snake_case(field.name)] = {{"value", json_value(field.get(resolved.config))},
                                                      {"origin", origin_text(field, setting.origin)}};
  }
  entry["versions"] = {{"posenc", build.posenc_version},     {"git_revision", build.git_revision},
                       {"libtorch", build.torch_version},    {"cuda_linked", build.cuda_linked},
                       {"cuda_devices", build.cuda_devices}, {"compiler", build.compiler}};
  entry["machine"] = {{"host", host_name()},
                      {"system", kernel_name()},
                      {"processor", processor_name()},
                      {"cores", std::thread::hardware_concurrency()},
                      {"memory", memory_available()}};
  return entry;
}

}  // namespace posenc
