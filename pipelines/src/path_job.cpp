// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/path_job.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/input.h>
#include <subspace/preprocess/preprocess.h>
#include <subspace/self_expression/elastic_net_path.h>

#include "methods/spectral_pipeline.h"
#include "truth.h"

namespace subspace::pipelines {
namespace {

/// Each point by few others, or all points by all.
bool is_sparse(const Method& method) {
  return std::holds_alternative<ElasticNetOptions>(method) ||
         std::holds_alternative<SscOptions>(method);
}
bool is_full(const Method& method) {
  return std::holds_alternative<LsrOptions>(method) || std::holds_alternative<EdscOptions>(method);
}

[[noreturn]] void refuse_method(const std::string& method) {
  throw InvalidArgument(
      message("path: method = ", method, ", must be one of ensc, ssc, lsr, edsc"));
}

/// The options of the pipeline behind a method, as the settings have them.
PipelineOptions pipeline_of(const RunSettings& settings) {
  for (const MethodDefinition& definition : spectral_definitions()) {
    if (definition.info.name != settings.method) continue;
    const Clusterer clusterer = make_clusterer(settings);
    const std::unique_ptr<MethodState> state = definition.make();
    const std::vector<MethodOption> own = state->options();
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i].parameter.set(clusterer.options()[i].parameter.get());
    }
    PipelineOptions options = static_cast<const SpectralPipeline&>(*state).pipeline();
    options.num_clusters = settings.clusters.value_or(0);
    options.seed = settings.seed;
    return options;
  }
  refuse_method(settings.method);
}

/// What varies along the path, and the representation of all points at a value.
struct Path {
  std::string parameter = {};
  std::vector<double> values = {};
  std::function<Representation(Index step)> at = {};
  std::shared_ptr<const ElasticNetPath> sparse = {};  ///< of ensc and ssc
};

/// The path of the lasso is that of SSC in its plain form alone.
double tau_of(const Method& method) {
  if (const auto* net = std::get_if<ElasticNetOptions>(&method)) return net->tau;
  const auto& lasso = std::get<SscOptions>(method);
  if (lasso.affine || lasso.outliers) {
    throw InvalidArgument(
        message("path: ssc.", lasso.affine ? "affine" : "outliers",
                " = true, must be false: the path is that of the lasso on linear subspaces"));
  }
  return 1.0;
}

std::vector<double> or_else(const std::vector<double>& values, std::vector<double> usual) {
  return values.empty() ? std::move(usual) : values;
}

Path sparse_path(const Matrix& X, const PipelineOptions& pipeline, const PathOptions& options,
                 const Context& context) {
  ElasticNetPathOptions own{.tau = tau_of(pipeline.method), .points = options.points};
  own.gammas = options.values;
  if (pipeline.num_clusters > 0) {
    own.gammas = or_else(options.values, {2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0});
  }
  Path path{.parameter = "gamma",
            .sparse = std::make_shared<const ElasticNetPath>(elastic_net_path(X, own, context))};
  path.values = path.sparse->gammas();
  path.at = [steps = path.sparse](Index step) { return steps->step(step); };
  return path;
}

void require_positive(const std::vector<double>& values) {
  for (const double value : values) {
    if (!(value > 0.0 && std::isfinite(value))) {
      throw InvalidArgument(message("path: --values ", value, ", must be finite and above 0"));
    }
  }
}

/// LSR with a free diagonal is EDSC with the inverse weight, and both are one factorisation; LSR
/// without self is solved value by value.
Path full_path(const Matrix& X, const Method& method, const PathOptions& options,
               const Context& context) {
  require_positive(options.values);
  Path path{.parameter = "lambda",
            .values = or_else(options.values, {1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3})};
  const auto* lsr_options = std::get_if<LsrOptions>(&method);
  if (lsr_options != nullptr && lsr_options->variant == LsrVariant::kLsr1) {
    path.at = [&X, &context, values = path.values](Index step) {
      return lsr(X, {.lambda = values[static_cast<std::size_t>(step)]}, context);
    };
    return path;
  }
  const EdscOptions edsc_options =
      lsr_options != nullptr ? EdscOptions{} : std::get<EdscOptions>(method);
  path.at = [shared = edsc_path(X, edsc_options, context), inverse = lsr_options != nullptr,
             &context, values = path.values](Index step) {
    const double value = values[static_cast<std::size_t>(step)];
    return shared.at(inverse ? 1.0 / value : value, context);
  };
  return path;
}

void check_arguments(const RunSettings& settings, const PathOptions& options,
                     const Method& method) {
  if (!is_sparse(method) && !is_full(method)) refuse_method(settings.method);
  if (settings.estimate_clusters) {
    throw InvalidArgument("path: -k auto, must be a number: the values are compared at one");
  }
  if (is_full(method) && !settings.clusters) {
    throw InvalidArgument(message("path: method ", settings.method,
                                  " represents each point by all others, only clusters tell its "
                                  "values apart; use -k"));
  }
  if (settings.clusters && !options.points.empty()) {
    throw InvalidArgument(
        "path: --points and -k, must be one of the two: all points are clustered");
  }
  if (settings.clusters && options.coefficients) {
    throw InvalidArgument("path: --coefficients and -k, must be one of the two");
  }
  if (!settings.out.empty() && std::filesystem::path(settings.out).extension() != ".csv") {
    throw InvalidArgument(message("--out ", settings.out, ": must end in .csv"));
  }
}

PathPoint point_of(const ElasticNetPath& path, Index step, Index column, bool keep) {
  PathPoint point{.support = path.support_size(step, column),
                  .fit_error = path.fit_error(step, column)};
  const SparseMatrix& C = path.step(step).coefficients;
  for (SparseMatrix::InnerIterator c(C, column); c; ++c) {
    point.l1_norm += std::abs(c.value());
    if (!keep) continue;
    point.rows.push_back(c.row());
    point.coefficients.push_back(c.value());
  }
  return point;
}

PathStep points_at(const ElasticNetPath& path, Index step, bool keep) {
  PathStep result{.value = path.gammas()[static_cast<std::size_t>(step)],
                  .converged = num_unconverged(path.step(step).solves) == 0};
  for (Index column = 0; column < std::ssize(path.points()); ++column) {
    result.points.push_back(point_of(path, step, column, keep));
  }
  return result;
}

/// lambda_{k+1} - lambda_k of the affinity's normalised Laplacian; NaN where it has none.
double eigengap(const SparseMatrix& W, const PipelineOptions& pipeline, const Context& context) {
  const int k = pipeline.num_clusters;
  if (k < 2) return std::numeric_limits<double>::quiet_NaN();
  const ClusterCount count = estimate_cluster_count(
      W, {.max_clusters = k, .loops = pipeline.affinity.loops}, pipeline.seed, context);
  if (count.eigenvalues.size() <= k) return std::numeric_limits<double>::quiet_NaN();
  return count.eigenvalues[k] - count.eigenvalues[k - 1];
}

/// Of the signals of an outcome.
double signal(const Outcome& outcome, const std::string& name) {
  for (const auto& [own, value] : outcome.signals) {
    if (own == name) return std::get<double>(value);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

struct Clustered {
  PathStep step = {};
  Outcome outcome = {};
};

Clustered clusters_of(const Representation& representation, double value,
                      const PipelineOptions& pipeline, const Context& context) {
  ClusteringResult result = std::visit(
      [&](const auto& own) { return cluster_coefficients(own.coefficients, pipeline, context); },
      representation);
  Clustered clustered;
  clustered.step.value = value;
  clustered.step.eigengap = eigengap(result.affinity, pipeline, context);
  clustered.outcome = outcome_of(std::move(result), {}, {}, context);
  clustered.step.converged = clustered.outcome.converged && num_unconverged(representation) == 0;
  clustered.step.cut = signal(clustered.outcome, "cut");
  clustered.step.confidence = signal(clustered.outcome, "confidence");
  return clustered;
}

/// Most values have the same to say.
void add_new(std::vector<std::string>& warnings, const std::vector<std::string>& more) {
  for (const std::string& warning : more) {
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
}

void write_outputs(const RunSettings& settings, const PathRecord& record) {
  if (!settings.json.empty() && settings.json != "-") {
    write_file_atomically(settings.json, to_json(record));
  }
  if (!settings.out.empty()) write_file_atomically(settings.out, to_csv(record));
}

}  // namespace

PathRecord path_of_input(const RunSettings& settings, const PathOptions& options,
                         const Context& context) {
  if (settings.input.empty()) throw InvalidArgument("path: no INPUT given");
  const PipelineOptions pipeline = pipeline_of(settings);
  check_arguments(settings, options, pipeline.method);
  check_outputs(settings);
  const Input input(settings.input, settings.data_dir, settings.image_size);
  check_truth(settings, input);
  const datasets::PointSet set = input.load_points(load_options(settings), context);
  if (settings.clusters) require_clusterable(set.X, *settings.clusters);
  const Matrix X = preprocess(set.X, pipeline.preprocess, context).points;
  const Path path = is_sparse(pipeline.method) ? sparse_path(X, pipeline, options, context)
                                               : full_path(X, pipeline.method, options, context);

  PathRecord record{.method = settings.method,
                    .parameter = path.parameter,
                    .num_clusters = pipeline.num_clusters,
                    .seed = settings.seed,
                    .warnings = set.notes};
  record.input = {set.name, set.X.cols(), set.X.rows(), set.sha256, set.image};
  if (!settings.clusters) record.points = path.sparse->points();
  for (Index step = 0; step < std::ssize(path.values); ++step) {
    context.throw_if_cancelled();
    if (!settings.clusters) {
      record.steps.push_back(points_at(*path.sparse, step, options.coefficients));
      continue;
    }
    Clustered found =
        clusters_of(path.at(step), path.values[static_cast<std::size_t>(step)], pipeline, context);
    if (const auto evaluation =
            evaluate_against_truth(found.outcome, settings, input, set.X.rows(), context)) {
      found.step.metrics = evaluation->metrics;
      record.truth = evaluation->truth;
    }
    add_new(record.warnings, found.outcome.warnings);
    record.steps.push_back(std::move(found.step));
  }
  write_outputs(settings, record);
  return record;
}

}  // namespace subspace::pipelines
