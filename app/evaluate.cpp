// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <filesystem>
#include <memory>
#include <sstream>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/datasets/load.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/record.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"

namespace subspace::app {
namespace {

struct Files {
  std::string labels = {};
  std::string truth = {};
};

std::string metrics_table(const PartitionMetrics& metrics) {
  std::ostringstream out;
  for (const auto& [name, value] : pipelines::named(metrics)) {
    out << name << std::string(16 - name.size(), ' ') << fixed(std::get<double>(value), 6) << "\n";
  }
  return out.str();
}

int evaluate_command(const Files& files, pipelines::RunSettings settings) {
  settings.input = files.labels;
  settings.truth = files.truth;
  check_outputs(settings, {.input = "LABELS", .truth = "TRUTH"});
  const Session session(settings);
  const Labels labels = datasets::load_labels(files.labels, {}, session.context());
  const Labels truth = datasets::load_labels(files.truth, {.y = settings.y}, session.context());
  if (labels.size() != truth.size()) {
    throw DataError(message("evaluate: ", files.labels, " has ",
                            counted(std::int64_t(labels.size()), "label"), ", ", files.truth,
                            " has ", truth.size(), ", must be as many"));
  }
  const PartitionMetrics metrics = evaluate_partition(labels, truth);
  const std::string json = pipelines::evaluation_json(
      {std::filesystem::path(files.labels).stem().string(), std::int64_t(labels.size()), 1, ""},
      metrics,
      {std::filesystem::path(files.truth).filename().string(),
       datasets::label_name(files.truth, {.y = settings.y})});
  if (settings.json == "-") {
    print_result(json);
    return kDone;
  }
  if (!settings.json.empty()) write_file_atomically(settings.json, json);
  if (settings.verbosity != pipelines::Verbosity::kQuiet) print_result(metrics_table(metrics));
  return kDone;
}

}  // namespace

Command add_evaluate_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("evaluate", "compare labels with the truth: all metrics");
  const auto files = std::make_shared<Files>();
  parser->add_option("LABELS", files->labels, "labels: .npy .npz .csv .mat")
      ->required()
      ->type_name("FILE");
  parser->add_option("TRUTH", files->truth, "true labels of the same points")
      ->required()
      ->type_name("FILE");
  const auto flags =
      std::make_shared<SettingFlags>(*parser, std::vector<std::string>{"y", "json", "verbosity"});
  return {parser, [files, flags] { return evaluate_command(*files, flags->resolve()); }};
}

}  // namespace subspace::app
