// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/compute.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/datasets/load.h>
#include <subspace/pipelines/figures.h>

#include "neural_runtime.h"
#include "source_commit.h"
#include "stopwatch.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

void check_count(const fs::path& file, std::int64_t found, Index wanted, const char* what) {
  if (found == wanted) return;
  throw DataError(message(file.string(), ": ", found, " ", what, ", must be ", wanted));
}

Outcome read_labels(const CellJob& job, const Context& context) {
  const fs::path file = file_of_seed(job.recipe, job.row.row->labels, job.cell.seed);
  Outcome outcome;
  outcome.labels = datasets::load_labels(file, {}, context);
  check_count(file, std::ssize(outcome.labels), job.input.points.X.cols(), "labels");
  outcome.converged = true;
  return outcome;
}

/// The features that stand for the points of the table.
TableInput load_features(const CellJob& job, const Context& context) {
  Stopwatch watch;
  const fs::path file = file_of_seed(job.recipe, job.row.row->features, job.cell.seed);
  TableInput features = {.points = datasets::load_points(file, {}, context)};
  check_count(file, features.points.X.cols(), job.input.points.X.cols(), "samples");
  features.load_seconds = watch.lap();
  return features;
}

bool is_first_seed(const CellJob& job) { return job.cell.seed == job.variant.cells.front().seed; }

void run_method(const CellJob& job, const TableInput& input, Record& record,
                const Context& context) {
  const Clusterer clusterer = make_clusterer(*job.row.row, job.variant.variant);
  const bool trains = !job.training_folders.empty();
  // The first seed leaves something to look at; of a sweep nobody looks at every setting.
  const Execution execution = {.seed = job.cell.seed,
                               .device = job.device,
                               .run_folder = trains ? job.training_folders.back() : fs::path(),
                               .training_folders = job.training_folders,
                               .kept_steps = job.cell.kept_steps,
                               .curve = job.row.row->curve,
                               .keep_evidence = is_first_seed(job) && job.row.variants.size() == 1};
  record.input = input.info();
  record.load_seconds = input.load_seconds;
  record.method = clusterer.info().name;
  record.options = {{"num_clusters", std::int64_t{job.row.num_clusters}}};
  for (auto& value : clusterer.values()) record.options.push_back(std::move(value));
  record.outcome =
      clusterer.run({input.points.X, input.points.image}, job.row.num_clusters, execution, context);
}

/// What the method saw has a shape, too, where it learned no features of its own.
Figures figures_of(const CellJob& job, const TableInput& input, const Outcome& outcome,
                   const Context& context) {
  Figures figures =
      make_figures(*outcome.evidence, outcome.labels, job.row.num_clusters, job.cell.seed, context);
  if (!figures.geometry) {
    const std::string of = job.row.row->features.empty() ? "points" : "features";
    figures.geometry = make_geometry(input.points.X, of, outcome.labels, context);
  }
  return figures;
}

}  // namespace

StoredCell compute_cell(const CellJob& job, const Context& context) {
  const RecipeRow& row = *job.row.row;
  restart_peak_memory();
  StoredCell stored;
  Record& record = stored.record;
  record.input = job.input.info();
  std::optional<TableInput> features;
  if (!row.features.empty()) features = load_features(job, context);
  const TableInput& input = features ? *features : job.input;
  if (!row.labels.empty()) {
    record.method = "labels";
    record.outcome = read_labels(job, context);
  } else {
    run_method(job, input, record, context);
  }
  record.command = "table";
  record.seed = job.cell.seed;
  record.source_commit = source_commit();
  if (!row.method.empty()) {  // of labels made elsewhere nobody knows these
    record.threads = resolve_threads(context);
    record.backend = backend_name();
    record.peak_memory = std::max(peak_memory(), record.outcome.features_memory);
  }
  if (!job.training_folders.empty()) record.device = resolved_device(job.device);
  if (record.outcome.evidence) {
    stored.figures = figures_of(job, input, record.outcome, context);
    record.outcome.evidence.reset();
  }
  return stored;
}

}  // namespace subspace::pipelines
