// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>

#include <subspace/core/error.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/record.h>

#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "log.h"
#include "training_process.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"

namespace subspace::app {
namespace {

using pipelines::Record;
using pipelines::RunSettings;

Record compute(const RunSettings& settings) {
  if (pipelines::asks_for_learning(settings.method) && settings.model.empty()) {
    prepare_training_process();
    if (!settings.save.empty()) wait_for_checkpoints();
  }
  const Session session(settings);
  return pipelines::cluster_input(settings, session.context());
}

int cluster_command(const RunSettings& settings) {
  check_outputs(settings);
  const Record record = compute(settings);
  log_info(message("input ", record.input.name, ": ", record.input.n, " samples of ",
                   record.input.dim, " features, sha256 ", record.input.sha256));
  if (record.truth) {
    log_info(message("truth ", record.truth->source, record.truth->variable.empty() ? "" : ": ",
                     record.truth->variable));
  }
  log_info(message(record.backend, ", ", record.threads, " threads, seed ", record.seed));
  return hand_over(record, settings);
}

}  // namespace

Command add_cluster_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("cluster", "cluster the points of a file");
  const auto flags = std::make_shared<SettingFlags>(
      *parser, with_run_settings({"input",      "clusters", "max_clusters",
                                  "method",     "set",      "truth",
                                  "x",          "y",        "columns_are_samples",
                                  "image_size", "color",    "data_dir",
                                  "device",     "save",     "model",
                                  "start",      "out",      "confidence",
                                  "json",       "config"}));
  const auto print_config = std::make_shared<bool>(false);
  parser->add_flag("--print-config", *print_config,
                   "print all settings as TOML for --config, and stop");
  parser->footer(
      "Settings, weakest first: defaults, --config FILE, environment, flags.\n"
      "Environment: SUBSPACE_ and the name of the flag (SUBSPACE_METHOD, SUBSPACE_MAX_MEMORY);\n"
      "  options of the method: SUBSPACE_SET_ENSC_GAMMA=50 for --set ensc.gamma=50.\n"
      "Exit: 0 done, 1 internal error, 2 usage, 3 bad data, 4 not converged (result written),\n"
      "  5 would exceed memory, 130 interrupted.");
  return {parser, [flags, print_config] {
            const RunSettings settings = flags->resolve();
            if (!*print_config) return cluster_command(settings);
            print_result(to_toml(settings));
            return static_cast<int>(kDone);
          }};
}

}  // namespace subspace::app
