// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <CLI/CLI.hpp>
#include <vector>

#include <subspace/core/parameters.h>
#include <subspace/core/version.h>

#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "log.h"
#include "training_process.h"
#include "session.h"

namespace subspace::app {
namespace {

CLI::App* chosen_parser(CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? &program : chosen_parser(*chosen.front());
}

/// "; did you mean --method?" for a flag or command that does not exist.
std::string suggestion(CLI::App& program, const std::string& word) {
  CLI::App* parser = chosen_parser(program);
  std::vector<std::string> known;
  for (const CLI::Option* option : parser->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* command : parser->get_subcommands({})) known.push_back(command->get_name());
  const std::string nearest = nearest_name(word, known);
  return nearest.empty() ? std::string() : "; did you mean " + nearest + "?";
}

int usage_error(CLI::App& program, const CLI::ParseError& error) {
  const std::vector<std::string> extras = program.remaining(true);
  if (!extras.empty()) {
    log_error("unknown argument '" + extras.front() + "'" + suggestion(program, extras.front()));
  } else {
    log_error(error.what());
  }
  return kUsage;
}

int run(int argc, char** argv) {
  CLI::App program("Subspace clustering: points in, clusters out.", "subspace");
  program.set_version_flag("--version", "subspace " SUBSPACE_VERSION);
  program.require_subcommand(1);
  const std::vector<Command> commands = {
      add_demo_command(program),   add_cluster_command(program),   add_train_command(program),
      add_embed_command(program),  add_probe_command(program),     add_predict_command(program),
      add_path_command(program),   add_evaluate_command(program),  add_table_command(program),
      add_report_command(program), add_data_command(program),      add_methods_command(program),
      add_info_command(program),   add_completion_command(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_result(program.help());
    return kDone;
  } catch (const CLI::Success& version) {
    print_result(std::string(version.what()) + "\n");
    return kDone;
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error);
  }
  for (const Command& command : commands) {
    if (command.parser->parsed()) return command.run();
  }
  return kInternal;
}

}  // namespace
}  // namespace subspace::app

int main(int argc, char** argv) {
  subspace::app::watch_interrupts();
  subspace::app::remember_arguments(argc, argv);
  try {
    return subspace::app::run(argc, argv);
  } catch (...) {
    return subspace::app::report_current_exception();
  }
}
