// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>

#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/predict_job.h>
#include <subspace/pipelines/record.h>

#include "commands.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"
#include "training_process.h"

namespace subspace::app {
namespace {

using pipelines::Record;
using pipelines::RunSettings;

int predict_command(const RunSettings& settings) {
  check_outputs(settings);
  prepare_training_process();
  Record record;
  {
    const Session session(settings);
    record = predict_input(settings, session.context());
  }
  return hand_over(record, settings);
}

}  // namespace

Command add_predict_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("predict", "labels of new points by clusters that were kept");
  const auto flags = std::make_shared<SettingFlags>(
      *parser,
      with_conduct_settings({"input", "truth", "x", "y", "columns_are_samples", "image_size",
                             "color", "data_dir", "device", "model", "out", "confidence", "json"}));
  parser->footer(
      "--model is a folder of `subspace cluster --save`. Which rule predicts was decided there:\n"
      "  --set model.rule=subspaces (nearest subspace) or exemplars (sparse representation).");
  return {parser, [flags] { return predict_command(flags->resolve()); }};
}

}  // namespace subspace::app
