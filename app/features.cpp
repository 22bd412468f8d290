// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/feature_job.h>

#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "log.h"
#include "training_process.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"
#include "table_text.h"

namespace subspace::app {
namespace {

using pipelines::FeatureRecord;
using pipelines::RunSettings;
using pipelines::Verbosity;

/// What training takes beside the settings.
struct TrainRequest {
  std::string recipe = {};
  std::string row = {};
  std::string out = {};
  std::vector<int> keep = {};
  bool resume = false;
};

std::string summary_of(const FeatureRecord& record) {
  std::ostringstream out;
  out << record.method << " on " << record.input.name << ": "
      << counted(record.input.n, record.input.image ? "picture" : "point") << ", "
      << counted(record.features.Z.rows(), "feature") << " each\n";
  for (const auto& [name, value] : record.features.certificate) {
    out << "  " << name << "  ";
    std::visit([&](const auto& held) { out << held; }, value);
    out << "\n";
  }
  if (record.features.seconds > 0.0)
    out << (record.command == "embed" ? "  embedded in  " : "  trained in  ")
        << duration_text(record.features.seconds) << "\n";
  out << "  network  " << record.model.folder << "\n";
  return out.str();
}

void show(const FeatureRecord& record, const RunSettings& settings, const std::string& last_line) {
  if (settings.json == "-") {
    print_result(to_json(record));
  } else if (settings.verbosity != Verbosity::kQuiet) {
    print_result(summary_of(record) + last_line);
  }
  for (const std::string& warning : record.features.warnings) log_warning(warning);
}

int train_command(const TrainRequest& request, RunSettings settings) {
  settings.save = request.out;
  prepare_training_process();
  if (!request.recipe.empty()) {
    const pipelines::Recipe recipe = pipelines::find_recipe(request.recipe);
    settings = with_recipe(std::move(settings), recipe, request.row);
    const std::string untrained = untrained_stages(recipe, request.row);
    if (!untrained.empty()) log_warning(untrained);
  }
  wait_for_checkpoints();
  FeatureRecord record;
  {
    const Session session(settings);
    record = train_input(settings, request.resume, request.keep, session.context());
  }
  show(record, settings, "");
  return kDone;
}

int embed_command(const RunSettings& settings, const pipelines::ReadOut& read_out) {
  prepare_training_process();
  FeatureRecord record;
  {
    const Session session(settings);
    record = embed_input(settings, read_out, session.context());
  }
  show(record, settings, message("  features  ", settings.out, "\n"));
  return kDone;
}

/// Of a command whose methods are those that learn.
RunSettings training_defaults() {
  RunSettings settings;
  settings.method = "tcr";
  return settings;
}

}  // namespace

Command add_train_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("train", "learn features of pictures, or of points by an mlp");
  const auto request = std::make_shared<TrainRequest>();
  const auto flags = std::make_shared<SettingFlags>(
      *parser,
      with_run_settings({"input", "method", "set", "x", "y", "columns_are_samples", "image_size",
                         "color", "data_dir", "device", "json"}),
      std::map<std::string, std::string>{
          {"method", "what learns, see `subspace methods`; tcr unless said"}});
  parser
      ->add_option(
          "--recipe", request->recipe,
          "options, and INPUT if none is given, of a table's recipe: a name or a TOML file")
      ->type_name("RECIPE");
  parser->add_option("--row", request->row, "row of the recipe, where several learn")
      ->type_name("NAME");
  parser->add_option("-o,--out", request->out, "folder of the network (required)")
      ->type_name("DIR")
      ->required();
  parser
      ->add_option("--keep", request->keep,
                   "steps whose network also stays, each in DIR/step-N for --model")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false);
  parser->add_flag("--resume", request->resume, "go on with the training in the folder");
  parser->footer(
      "Options of the training: `subspace methods tcr`. A checkpoint is kept every 50 steps and "
      "when\n"
      "interrupted; --resume then ends in the same bytes as a run that was never stopped.");
  return {parser, [flags, request] {
            return train_command(*request, flags->resolve(training_defaults()));
          }};
}

Command add_embed_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("embed", "features by a trained network");
  const auto read_out = std::make_shared<pipelines::ReadOut>();
  const auto flags = std::make_shared<SettingFlags>(
      *parser,
      with_run_settings({"input", "x", "y", "columns_are_samples", "image_size", "color",
                         "data_dir", "device", "model", "out", "json"}),
      std::map<std::string, std::string>{
          {"out", "write features, a row a picture or point: .npy (required)"},
          {"seed", "what random views are drawn from"}});
  parser->add_option("--layer", read_out->layer, "layer to take; only proj has unit length")
      ->type_name("proj|pre-feature|pool")
      ->capture_default_str();
  add_views_flag(*parser, read_out->views, "mean over so many random views; 0 or 1: none, clean");
  return {parser, [flags, read_out] { return embed_command(flags->resolve(), *read_out); }};
}

}  // namespace subspace::app
