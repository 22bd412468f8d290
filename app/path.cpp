// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <memory>
#include <sstream>

#include <subspace/pipelines/path_job.h>

#include "commands.h"
#include "exit_code.h"
#include "log.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"

namespace subspace::app {
namespace {

using pipelines::PathOptions;
using pipelines::PathPoint;
using pipelines::PathRecord;
using pipelines::PathStep;
using pipelines::RunSettings;

std::string column(const std::string& text) {
  constexpr std::size_t kWidth = 12;
  return text + std::string(text.size() < kWidth ? kWidth - text.size() : 1, ' ');
}

std::string number(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// Means over the points; the files have every one.
std::string points_line(const PathStep& step) {
  double support = 0.0;
  double error = 0.0;
  double norm = 0.0;
  const double count = static_cast<double>(step.points.size());
  for (const PathPoint& point : step.points) {
    support += static_cast<double>(point.support) / count;
    error += point.fit_error / count;
    norm += point.l1_norm / count;
  }
  return column(number(step.value)) + column(fixed(support, 1)) + column(fixed(error, 4)) +
         fixed(norm, 4) + "\n";
}

std::string clusters_line(const PathStep& step) {
  std::string line = column(number(step.value)) + column(fixed(step.cut, 4)) +
                     column(fixed(step.confidence, 4)) + column(fixed(step.rate, 4)) +
                     column(fixed(step.eigengap, 4));
  if (step.metrics) line += fixed(100.0 * (1.0 - step.metrics->acc), 2);
  return line + "\n";
}

std::string summary_of(const PathRecord& record) {
  const bool clusters = record.num_clusters > 0;
  std::string text = "path of " + record.method + " on " + record.input.name + ", ";
  text += clusters ? counted(record.num_clusters, "cluster")
                   : "means over " + counted(std::ssize(record.points), "point");
  text += "\n" + column(record.parameter);
  text += clusters ? column("cut") + column("confidence") + column("rate") + column("eigengap") +
                         (record.truth ? "error %" : "")
                   : column("support") + column("fit error") + "l1 norm";
  text += "\n";
  for (const PathStep& step : record.steps) {
    text += clusters ? clusters_line(step) : points_line(step);
  }
  return text;
}

int path_command(const RunSettings& settings, const PathOptions& options) {
  PathRecord record;
  {
    const Session session(settings);
    record = path_of_input(settings, options, session.context());
  }
  if (settings.json == "-") {
    print_result(to_json(record));
  } else if (settings.verbosity != pipelines::Verbosity::kQuiet) {
    print_result(summary_of(record));
  }
  for (const std::string& warning : record.warnings) log_warning(warning);
  const bool converged = std::ranges::all_of(record.steps, &PathStep::converged);
  if (!converged) log_warning("not converged at some of the values, see the record");
  const int code = code_of_evaluation(record.not_evaluated);
  return code == kDone && !converged ? kNotConverged : code;
}

}  // namespace

Command add_path_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "path", "a representation along its regularisation: supports, or clusters, at many values");
  const auto options = std::make_shared<PathOptions>();
  const auto flags = std::make_shared<SettingFlags>(
      *parser,
      with_run_settings({"input", "clusters", "method", "set", "truth", "x", "y",
                         "columns_are_samples", "image_size", "color", "data_dir", "out", "json"}),
      std::map<std::string, std::string>{
          {"clusters", "cluster the points at each value; lsr and edsc need it"},
          {"method", "ensc (along gamma), ssc (along alpha), lsr or edsc (along lambda)"},
          {"out", "the path as a table: .csv"}});
  parser
      ->add_option("--values", options->values,
                   "of gamma, alpha or lambda, ascending or descending")
      ->type_name("A,B")
      ->delimiter(',');
  parser->add_option("--points", options->points, "paths of these points alone, counted from 0")
      ->type_name("I,J")
      ->delimiter(',');
  parser->add_flag("--coefficients", options->coefficients,
                   "the coefficients of every point and value, too, in the record of --json");
  parser->footer(
      "gamma is a multiple of each point's smallest weight with a nonzero representation: paths\n"
      "begin at 1. alpha is one of the smallest weight for which none is zero, the same for all\n"
      "points. A gamma, alpha or lambda of --set is not used.");
  return {parser, [flags, options] { return path_command(flags->resolve(), *options); }};
}

}  // namespace subspace::app
