#include "results/manifest.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "base/json.h"
#include "config/cores.h"
#include "config/fields.h"
#include "config/identity.h"
#include "config/memory.h"
#include "posenc/error.h"
#include "results/record.h"

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

std::string path_in(const std::string& folder) { return folder + "/manifest.json"; }

// Discarded where it is no JSON.
nlohmann::ordered_json parse_manifest(const std::string& folder) {
  return nlohmann::ordered_json::parse(read_whole_file(path_in(folder)), nullptr, /*allow_exceptions=*/false);
}

bool has_schema(const nlohmann::ordered_json& manifest) {
  return manifest.is_object() && manifest.contains("schema") && manifest["schema"].is_number_integer();
}

void check_schema(const nlohmann::ordered_json& manifest, const std::string& folder) {
  if (has_schema(manifest) && manifest["schema"] != kSchemaVersion)
    throw Error(fmt::format("{}: results of another schema (given {}, allowed: {}); {}", path_in(folder),
                            manifest["schema"].dump(), kSchemaVersion, kReadWithItsRelease));
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
                      {"usable_cores", usable_cores()},
                      {"memory", memory_available()}};
  return entry;
}

nlohmann::ordered_json read_manifest(const std::string& folder) {
  nlohmann::ordered_json manifest = parse_manifest(folder);
  check_schema(manifest, folder);
  if (!has_schema(manifest) || !manifest.contains("invocations") || !manifest["invocations"].is_array())
    throw Error(fmt::format(
        R"({} is damaged (to go on without it, write {{"schema":{},"invocations":[]}} there; runs.jsonl has all results))",
        path_in(folder), kSchemaVersion));
  return manifest;
}

void check_manifest_schema(const std::string& folder) {
  if (std::error_code error; std::filesystem::exists(path_in(folder), error))
    check_schema(parse_manifest(folder), folder);
}

}  // namespace posenc
