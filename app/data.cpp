// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "data.h"

#include <vector>

#include "exit_code.h"

namespace subspace::app {

Command add_data_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("data", "public data sets by name, and built-in pictures");
  parser->require_subcommand(1);
  const std::vector<Command> commands = {
      add_data_list_command(*parser), add_data_info_command(*parser),
      add_data_fetch_command(*parser), add_data_render_command(*parser)};
  return {parser, [commands] {
            for (const Command& command : commands) {
              if (command.parser->parsed()) return command.run();
            }
            return static_cast<int>(kInternal);
          }};
}

}  // namespace subspace::app
