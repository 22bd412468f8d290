// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <cstdio>
#include <memory>

#include <subspace/core/error.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/cluster_job.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"
#include "setting_flags.h"

namespace subspace::app {
namespace {

std::string row(const std::string& method, const pipelines::Outcome& outcome, const Labels& truth) {
  const PartitionMetrics metrics = evaluate_partition(outcome.labels, truth);
  char line[128];
  std::snprintf(line, sizeof(line), "%-12s %8.4f %8.4f %8.4f %9.3f%s\n", method.c_str(),
                metrics.acc, metrics.nmi_arithmetic, metrics.ari, outcome.seconds.total,
                outcome.converged ? "" : "  not converged");
  return line;
}

int demo_command(const pipelines::RunSettings& settings) {
  const datasets::UnionOfSubspacesOptions options{.noise = 0.05, .seed = settings.seed};
  const datasets::Generated data = datasets::union_of_subspaces(options);
  const Matrix& X = data.points.X;
  std::string table =
      message(X.cols(), " points in ", X.rows(), " dimensions near ", options.num_subspaces,
              " subspaces of dimension ", options.dimension, ", noise ", options.noise, "\n\n",
              "method            ACC      NMI      ARI   seconds\n");
  bool converged = true;
  {
    const Session session(settings);
    pipelines::apply_threads(session.context());
    for (const std::string& method : pipelines::method_names()) {
      const auto outcome =
          pipelines::run(X, options.num_subspaces, method, {}, settings.seed, session.context());
      converged = converged && outcome.converged;
      table += row(method, outcome, data.truth);
    }
  }
  print_result(table);
  return converged ? kDone : kNotConverged;
}

}  // namespace

Command add_demo_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("demo", "every method on a generated union of subspaces");
  const auto flags = std::make_shared<SettingFlags>(*parser, with_run_settings({}));
  return {parser, [flags] { return demo_command(flags->resolve()); }};
}

}  // namespace subspace::app
