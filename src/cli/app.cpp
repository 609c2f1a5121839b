#include "cli/app.h"

#include <algorithm>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/signals.h"
#include "posenc/error.h"
#include "posenc/run.h"

namespace posenc {
namespace {

std::string version_text() {
  const BuildInfo build = build_info();
  const std::string devices = build.cuda_devices == 0 ? "no device" : fmt::format("{} device(s)", build.cuda_devices);
  return fmt::format("posenc {}\nLibTorch {}\nCUDA {}", POSENC_VERSION, build.torch_version,
                     build.cuda_linked ? "linked, " + devices : "not linked");
}

int execute(const std::vector<std::string>& arguments, Console& console) {
  const auto named = std::find_if(commands().begin(), commands().end(), [&](const Command& command) {
    return !arguments.empty() && !command.name.empty() && command.name == arguments.front();
  });
  const bool has_name = named != commands().end();
  const Command& command = has_name ? *named : commands().front();
  const ParsedOptions options = parse_options({arguments.begin() + (has_name ? 1 : 0), arguments.end()});
  if (options.help) {
    console.print("{}", help_text(command));
    return 0;
  }
  if (options.version) {
    console.print("{}", version_text());
    return 0;
  }
  return command.execute(options, console);
}

// The first line of what LibTorch says, which is the only one a user can use; all of it under -v.
std::string library_error(const std::exception& error, const std::vector<std::string>& arguments) {
  const std::string text = error.what();
  const bool verbose = std::any_of(arguments.begin(), arguments.end(),
                                   [](const std::string& a) { return a == "-v" || a == "--verbose"; });
  return verbose ? text : text.substr(0, text.find('\n'));
}

int exit_code(const Error& error) {
  switch (error.kind()) {
    case Error::Kind::usage:
      return 2;
    case Error::Kind::interrupted:
      return signal_exit_code();
    case Error::Kind::failure:
      break;
  }
  return 1;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"", "Trains a TinyTransformer with one position encoding and prints loss and accuracy as it goes.",
       "Without options this is the published experiment with the learnable encoding.\n", run_command},
      {"compare", "trains one model for each encoding of --pos a,b,... and compares them",
       "Without --pos it compares learnable and fixed, as the published script does.\n", compare_command},
      {"config", "prints the resolved options and where each came from", "The output is a TOML file for --config.\n",
       config_command},
  };
  return table;
}

int run_app(const std::vector<std::string>& arguments, std::FILE* data, std::FILE* talk) {
  Console console(data, talk);
  try {
    return execute(arguments, console);
  } catch (const BrokenPipe&) {
    return 0;
  } catch (const Error& error) {
    console.say("posenc: {}{}", error.kind() == Error::Kind::interrupted ? "" : "error: ", one_line(error.what()));
    return exit_code(error);
  } catch (const std::bad_alloc&) {
    console.say("posenc: error: out of memory");
  } catch (const std::exception& error) {
    console.say("posenc: error: {}", library_error(error, arguments));
  }
  return 1;
}

}  // namespace posenc
