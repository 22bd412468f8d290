// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>
#include <sstream>

#include <subspace/pipelines/probe_job.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"
#include "training_process.h"

namespace subspace::app {
namespace {

using pipelines::ProbedLayer;
using pipelines::ProbeOptions;
using pipelines::ProbeRecord;
using pipelines::RunSettings;

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string layer_line(const ProbedLayer& layer) {
  const std::string name =
      layer.views > 0 ? layer.layer + ", " + std::to_string(layer.views) + " views" : layer.layer;
  std::ostringstream out;
  out << "  " << padded(name, 24) << fixed(layer.svm, 3) << "  " << fixed(layer.neighbors, 3)
      << "  " << fixed(layer.nearest_subspace, 3) << "     "
      << padded(std::to_string(layer.dimension), 6) << padded(fixed(layer.effective_rank, 1), 8)
      << fixed(layer.within, 3) << " / " << fixed(layer.between, 3) << "\n";
  for (const FewLabelAccuracy& few : layer.few_labels) {
    out << "    SVM with " << few.num_labels << " labels: " << fixed(few.mean, 3) << " +- "
        << fixed(few.standard_deviation, 3) << "\n";
  }
  return out.str();
}

std::string summary_of(const ProbeRecord& record) {
  std::ostringstream out;
  out << "network " << record.folder << " on " << record.input.name << ": classifiers learn from "
      << counted(record.num_train, record.input.image ? "picture" : "point")
      << " with labels, tested on " << record.num_test
      << (record.test.empty() ? " held out" : " of " + record.test) << "\n"
      << "  " << padded("layer", 24)
      << "SVM    kNN    subspace  dim   rank    |cos| within / between\n";
  for (const ProbedLayer& layer : record.layers) out << layer_line(layer);
  return out.str();
}

int probe_command(const RunSettings& settings, const ProbeOptions& options) {
  prepare_training_process();
  ProbeRecord record;
  {
    const Session session(settings);
    record = probe_input(settings, options, session.context());
  }
  if (settings.json == "-") {
    print_result(to_json(record));
  } else if (settings.verbosity != pipelines::Verbosity::kQuiet) {
    print_result(summary_of(record));
  }
  return kDone;
}

}  // namespace

Command add_probe_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "probe", "what labels say about a network's features: SVM, kNN, nearest subspace");
  const auto options = std::make_shared<ProbeOptions>();
  const auto flags = std::make_shared<SettingFlags>(
      *parser,
      with_run_settings({"input", "truth", "x", "y", "columns_are_samples", "image_size", "color",
                         "data_dir", "device", "model", "json"}),
      std::map<std::string, std::string>{
          {"truth", "labels that the classifiers learn from; those of INPUT unless said"}});
  parser
      ->add_option("--test", options->test, "a second set to test on, instead of held-out pictures")
      ->type_name("INPUT");
  parser->add_option("--hold-out", options->hold_out, "test on every N-th picture")
      ->type_name("N")
      ->capture_default_str();
  parser->add_option("--layers", options->layers, "of proj, pre-feature, pool")
      ->type_name("A,B")
      ->delimiter(',');
  add_views_flag(*parser, options->views, "also means over so many random views; 0: none");
  parser
      ->add_option("--labels", options->label_counts,
                   "accuracy of the SVM with so few labels, 10 samplings each")
      ->type_name("N,M")
      ->delimiter(',');
  parser->add_option("--neighbors", options->neighbors.k, "that vote in kNN")
      ->type_name("K")
      ->capture_default_str();
  parser
      ->add_option("--subspace-dimension", options->nearest_subspace.dimension,
                   "of the subspace of each class; 0: what holds 95 % of it")
      ->type_name("D")
      ->capture_default_str();
  parser->footer(
      "Labels are used here on purpose: the figures describe features, not clusterings.");
  return {parser, [flags, options] { return probe_command(flags->resolve(), *options); }};
}

}  // namespace subspace::app
