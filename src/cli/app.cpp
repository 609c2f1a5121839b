#include "cli/app.h"

#include <algorithm>
#include <filesystem>

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
  return fmt::format("posenc {}\nLibTorch {}\nCUDA {}", build.posenc_version, build.torch_version,
                     build.cuda_linked ? "linked, " + devices : "not linked");
}

int execute(const std::vector<std::string>& arguments, Console& console) {
  const auto named = std::find_if(commands().begin(), commands().end(), [&](const Command& command) {
    return !arguments.empty() && !command.name.empty() && command.name == arguments.front();
  });
  const bool has_name = named != commands().end();
  const Command& command = has_name ? *named : commands().front();
  ParsedOptions options = parse_options({arguments.begin() + (has_name ? 1 : 0), arguments.end()}, command);
  options.arguments = arguments;
  options.lists = command.lists;
  if (options.help) {
    console.print("{}", help_text(command));
    return 0;
  }
  if (options.version) {
    console.print("{}", version_text());
    return 0;
  }
  const int code = command.execute(options, console);
  console.check_output();
  return code;
}

// The first line of what LibTorch says, which is the only one a user can use; all of it under -v.
std::string library_error(const std::exception& error, const std::vector<std::string>& arguments) {
  const std::string text = error.what();
  const bool verbose = std::any_of(arguments.begin(), arguments.end(),
                                   [](const std::string& a) { return a == "-v" || a == "--verbose"; });
  return verbose ? text : first_line(text);
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

// Which sequences training has and what is tested after it: nothing to what looks at one step or one encoding.
bool is_of_course(const Field& field) {
  for (const char* name : {"train-len", "curriculum", "data", "holdout-pairs", "steps"})
    if (field.name == name) return true;
  return field.group == kEvaluationGroup;
}

}  // namespace

const std::vector<Command>& commands() {
  const auto all = [](const Field&) { return true; };
  // What a saved model is asked with: the data and the sizes, not how it was trained or where results go.
  const auto of_model = [](const Field& field) {
    for (const char* name : {"dropout", "curriculum", "log-every", "out", "force"})
      if (field.name == name) return false;
    return field.group != kTrainingGroup || field.name == "seed" || field.name == "data-seed";
  };
  const auto of_saved_model = [](const Field& field) {
    for (const char* name : {"dropout", "log-every", "out", "force", "expect-val-acc", "train-size", "val-size"})
      if (field.name == name) return false;
    return field.name == "oob" || (field.group != kTrainingGroup && !is_of_course(field));
  };
  // What decides how an encoding is built, and what its weights and its first sequence are drawn from.
  const auto of_encoding_in_model = [](const Field& field) {
    for (const char* name : {"log-every", "out", "force", "expect-val-acc", "epochs", "batch-size", "lr", "optimizer",
                             "weight-decay", "momentum", "grad-clip", "schedule", "dropout", "train-size", "val-size",
                             "device", "threads", "deterministic"})
      if (field.name == name) return false;
    return !is_of_course(field);
  };
  // Under single seeding the data come after the weights, so that all that decides how many there are counts.
  const auto of_sample = [](const Field& field) {
    return field.group == kModelGroup ? field.name != "dropout" && field.name != "pool"
           : field.group == kTrainingGroup
               ? field.name.ends_with("seed") || field.name == "seeding" || field.name == "batch-size"
           : field.group == kOutputGroup ? field.name == "config" || field.name == "json"
           : field.group == kDataGroup   ? field.name != "val-size"
                                         : false;
  };
  const auto of_doctor = [](const Field& field) {
    for (const char* name : {"epochs", "lr", "optimizer", "weight-decay", "momentum", "grad-clip", "schedule",
                             "seeding", "data-seed", "init-seed", "train-size", "val-size", "pool"})
      if (field.name == name) return false;
    return !is_of_course(field) && (field.group != kOutputGroup || field.name == "config" || field.name == "json");
  };
  const auto of_training = [](const Field& field) {
    return !is_of_course(field) && (field.group != kOutputGroup || field.name == "config" || field.name == "json");
  };
  static const std::vector<Command> table = {
      {.name = "",
       .summary = "Trains a TinyTransformer with one position encoding and prints loss and accuracy as it goes.",
       .details = "Without options this is the published experiment with the learnable encoding.\n",
       .takes = all,
       .execute = run_command},
      {.name = "compare",
       .summary = "trains one model for each encoding of --pos a,b,... and compares them",
       .details = "Without --pos it compares learnable and fixed, as the published script does.\n",
       .takes = all,
       .lists = {{"pos", "learnable,fixed"}},
       .execute = compare_command},
      {.name = "eval",
       .summary = "prints the accuracy of a saved model on the validation set of --seed, and at --eval-len",
       .details = "The configuration is the one that the model's folder of results keeps; flags win over it.\n",
       .takes = of_model,
       .argument = "MODEL.pt",
       .field_help = {{"seed", "seed of the run, which the validation set is drawn from"},
                      {"expect-val-acc", "exit 1 when the accuracy is below X"},
                      {"json", "print the accuracy as one JSON object, and one for each tested length"}},
       .execute = eval_command},
      {.name = "predict",
       .summary = "prints the class and the probabilities that a saved model gives to sequences",
       .details =
           "Sequences come from --tokens, or one a line from standard input. The configuration is the one that the\n"
           "model's folder of results keeps; flags win over it.\n",
       .takes = of_saved_model,
       .argument = "MODEL.pt",
       .extras = {{"tokens", "A,B,...", "the sequence"}},
       .field_help = {{"json", "print one JSON object for each sequence"}},
       .execute = predict_command},
      {.name = "attention",
       .summary = "shows where a saved model looks, for one sequence",
       .details =
           "Prints a map for each layer and head, a row for each query and a column for each key, and draws them "
           "with\n"
           "--save FILE.svg. In a model that answers by the first and the last token their columns stand out.\n"
           "The configuration is the one that the model's folder of results keeps; flags win over it.\n",
       .takes = of_saved_model,
       .argument = "MODEL.pt",
       .extras = {{"tokens", "A,B,...", "the sequence"}, {"save", "FILE", "write FILE.csv or FILE.svg instead"}},
       .field_help = {{"json", "print all maps as one JSON object"}},
       .execute = attention_command},
      {.name = "list",
       .summary = "lists the encodings or the tasks: formula, source, parameters, what they need",
       .details = "WHAT is encodings or tasks.\n",
       .takes = read_by_list,
       .argument = "WHAT",
       .extras = {{"markdown", "", "as tables in Markdown"}},
       .field_help = {{"json", "print the list as one JSON object"}},
       .execute = list_command},
      {.name = "sample",
       .summary = "shows sequences of a task with their labels",
       .details = "They are the first that a run with the same options trains on.\n",
       .takes = of_sample,
       .extras = sample_options(),
       .field_help = {{"json", "print one JSON object for each sequence"}},
       .execute = sample_command},
      {.name = "inspect",
       .summary = "shows an encoding's table, rotation angles, bias and buckets",
       .details = "Numbers go to stdout; --save FILE.svg draws them, --save FILE.csv keeps them. Attention that\n"
                  "never happens is -inf, in JSON null.\n",
       .takes = of_encoding_in_model,
       .extras = {{"save", "FILE", "write FILE.csv or FILE.svg instead"},
                  {"model", "FILE.pt", "with the weights of a saved model; default the first weights of --seed"},
                  {"layer", "N", "which layer's bias, from 0; default 0"}},
       .field_help = {{"json", "print everything as one JSON object"}},
       .execute = inspect_command},
      {.name = "doctor",
       .summary = "tries on this machine what posenc promises: symmetries, gradients, labels, digits",
       .details = "A line a check, with what was measured and what it has to be. Exits 1 when one fails.\n",
       .takes = of_doctor,
       .lists = {{"pos", "all encodings"}, {"task", "all tasks"}},
       .field_help = {{"json", "print one JSON object for each check"}},
       .execute = doctor_command},
      {.name = "bench",
       .summary = "measures how fast a configuration trains here, in ten seconds",
       .details =
           "Steps a second, where their time goes, what the matrix products alone take, and what more jobs give.\n",
       .takes = of_training,
       .extras = bench_options(),
       .field_help = {{"json", "print everything as one JSON object"}},
       .execute = bench_command},
      {.name = "sweep",
       .summary = "trains every combination of lists such as --seed 0..31 --seq-len 8,16,32",
       .details = "Every option that decides what is computed takes a list, integers also a range (0..31, 0..100:10); "
                  "a switch\n"
                  "is swept as --deterministic=false,true. In TOML a list is an array, and [[exclude]] tables leave "
                  "combinations\n"
                  "out. What --out has already is not run again, so a sweep that was stopped goes on where it was.\n",
       .takes = read_by_sweep,
       .extras = sweep_options(),
       .field_help = {{"json", "print how many runs finished, diverged and failed as one JSON object"}},
       .execute = sweep_command},
      {.name = "report",
       .summary = "tables, statistics and figures of the runs that folders keep",
       .details =
           "Several folders, as the shards of a sweep, are read as one. With --out it writes a page, or the format\n"
           "named, there. Exits 1 when a line of a folder is damaged, which is said.\n",
       .takes = [](const Field& field) { return field.name == "out"; },
       .argument = "DIR",
       .many_arguments = true,
       .extras = {{"by", "A,B,...", "options to have as the first columns, such as seq-len,pos"},
                  {"metric", "M", "val-acc (default), train-loss, epochs-to-95, score (of --eval-len) or seconds"},
                  {"format", "F", "text, md, csv, json or html; default text, with --out html"},
                  {"figures", "", "write the figures as SVG files, too; needs --out"}},
       .field_help = {{"out", "write a page, or the --format named, into this folder instead of printing"}},
       .execute = report_command},
      {.name = "diff",
       .summary = "says which runs have other results in DIR2 than in DIR1, and exits 1 if any has",
       .details = "Compared are status, loss and accuracy of every epoch, and what tests at lengths gave; not "
                  "seconds\nand machine.\n",
       .takes = [](const Field& field) { return field.name == "json"; },
       .argument = "DIR1 DIR2",
       .many_arguments = true,
       .extras = diff_options(),
       .field_help = {{"json", "print one JSON object for each run that differs"}},
       .execute = diff_command},
      {.name = "merge",
       .summary = "joins the folders of a sweep's shards",
       .details = "Runs that stand in several folders must have the same result.\n",
       .takes = [](const Field& field) { return field.name == "out"; },
       .argument = "DIR",
       .many_arguments = true,
       .field_help = {{"out", "write the joined results and models into this folder"}},
       .execute = merge_command},
      {.name = "config",
       .summary = "prints the resolved options and where each came from",
       .details = "The output is a TOML file for --config.\n",
       .takes = all,
       .field_help = {{"json", "print each option with its value and origin as one JSON object"}},
       .execute = config_command},
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
    const bool interrupted = error.kind() == Error::Kind::interrupted;
    console.say("posenc: {}", interrupted ? stopped_by() : "error: " + one_line(error.what()));
    return exit_code(error);
  } catch (const std::filesystem::filesystem_error& error) {
    console.say("posenc: error: cannot use {} ({})", one_line(error.path1().string()), error.code().message());
  } catch (const std::bad_alloc&) {
    console.say("posenc: error: out of memory");
  } catch (const std::exception& error) {
    console.say("posenc: error: {}", library_error(error, arguments));
  }
  return 1;
}

}  // namespace posenc
