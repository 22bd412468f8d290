// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>

#include "commands.h"
#include "run_table.h"
#include "setting_flags.h"
#include "training_process.h"

namespace subspace::app {

Command add_demo_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "demo", "the main job on built-in pictures: every method, one table, one report");
  const auto out = std::make_shared<std::string>("subspace-demo");
  parser->add_option("-o,--out", *out, "folder of the results; subspace-demo unless said")
      ->type_name("DIR");
  const auto flags = std::make_shared<SettingFlags>(*parser, with_conduct_settings({"device"}));
  parser->footer(
      "The same as `subspace table turntable --resume`: what is already in the folder is not run "
      "again.");
  return {parser, [flags, out] {
            prepare_training_process();
            const pipelines::RunSettings settings = flags->resolve();
            return run_table(pipelines::find_recipe("turntable"),
                             {.out = *out, .resume = true, .device = settings.device}, settings);
          }};
}

}  // namespace subspace::app
