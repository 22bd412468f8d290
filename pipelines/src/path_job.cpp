// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/path_job.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include <subspace/backend.h>
#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/pipeline/peak_memory.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/input.h>
#include <subspace/preprocess/preprocess.h>
#include <subspace/self_expression/elastic_net_path.h>

#include "methods/kept_bytes.h"
#include "methods/rate_signal.h"
#include "methods/spectral_pipeline.h"
#include "source_commit.h"
#include "stopwatch.h"
#include "truth.h"

namespace subspace::pipelines {
namespace {

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

/// The weight of each method, which varies along its path.
bool is_weight(const std::string& key, const std::string& method) {
  return key == method + ".gamma" || key == method + ".alpha" || key == method + ".lambda";
}

/// All options of the method but its weight, whose value of the settings is not used.
NamedValues fixed_options(const Clusterer& clusterer, const std::string& method) {
  NamedValues options = clusterer.values();
  std::erase_if(options, [&](const auto& option) { return is_weight(option.first, method); });
  return options;
}

/// Of options that were set in vain: the weight too, where it is not its default.
std::vector<std::string> warnings_of(const Clusterer& clusterer, const std::string& method) {
  std::vector<std::string> warnings = clusterer.setting_warnings();
  const Clusterer fresh(method);
  for (std::size_t i = 0; i < clusterer.options().size(); ++i) {
    const MethodOption& option = clusterer.options()[i];
    const std::string value = value_text(option.parameter);
    if (!is_weight(option.key(), method)) continue;
    if (value == value_text(fresh.options()[i].parameter)) continue;
    warnings.push_back(message(option.key(), " = ", value,
                               " has no effect: the path goes through values of it, see --values"));
  }
  return warnings;
}

/// What varies along the path, and the representation of all points at a value.
struct Path {
  std::string parameter = {};
  std::vector<double> values = {};
  std::function<Representation(Index step)> at = {};
  std::shared_ptr<const ElasticNetPath> sparse = {};  ///< of ensc and ssc
  double kept_bytes = 0.0;                            ///< beside the points it was given
};

/// The value of an option as one would write it.
std::string text_of(SscOptions options, const std::string& name) {
  for (const Parameter& each : describe(options)) {
    if (each.name == name) return value_text(each);
  }
  return {};
}

/// What is walked along alpha is SSC in its plain form alone, and by active sets.
void require_plain(const SscOptions& options) {
  if (options.affine || options.outliers) {
    throw InvalidArgument(
        message("path: ssc.", options.affine ? "affine" : "outliers",
                " = true, must be false: the path is that of the lasso on linear subspaces"));
  }
  if (options.solver != SscSolver::kActiveSet) {
    throw InvalidArgument(message("path: ssc.solver = ", text_of(options, "solver"), ", must be ",
                                  text_of({.solver = SscSolver::kActiveSet}, "solver"),
                                  ": no other solver goes from value to value"));
  }
}

ElasticNetPathOptions net_options(const ElasticNetOptions& options) {
  return {.tau = options.tau, .max_rounds = options.max_rounds, .tolerance = options.tolerance};
}
ElasticNetPathOptions net_options(const SscOptions& options) {
  return {.tau = 1.0,
          .common_weight = true,
          .max_rounds = options.max_rounds,
          .tolerance = options.tolerance};
}

ElasticNetPathOptions path_options(const Method& method) {
  if (const auto* net = std::get_if<ElasticNetOptions>(&method)) return net_options(*net);
  return net_options(std::get<SscOptions>(method));
}

/// Those that are asked for, or a range of the method; empty where the path has one of its own.
std::vector<double> values_of(const PipelineOptions& pipeline, const PathOptions& options) {
  if (!options.values.empty()) return options.values;
  if (has_full_path(pipeline.method)) return {1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3};
  if (pipeline.num_clusters == 0) return {};
  return {2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0};
}

/// What is kept of a point at a value until the end: of its clusters labels and doubts; else the
/// point, in a vector that grows, and its lines in the files, whose text doubles as it grows.
double bytes_of_step(const RunSettings& settings, const PathOptions& options) {
  constexpr double kClustered = 32.0;
  constexpr double kGrowth = 2.0;
  constexpr double kLine = 250.0;    // of a table
  constexpr double kTree = 900.0;    // five names and numbers of a record, and their text
  constexpr double kSupport = 50.0;  // as the path counts it
  constexpr double kCoefficient = kGrowth * (sizeof(Index) + sizeof(double));
  constexpr double kWritten = 110.0;  // a row and a coefficient of a record, and their text
  if (settings.clusters) return kClustered;
  const bool json = !settings.json.empty();
  double bytes = kGrowth * sizeof(PathPoint) + (json ? kTree : 0.0);
  if (!settings.out.empty()) bytes += kLine;
  if (options.coefficients) bytes += kSupport * (kCoefficient + (json ? kWritten : 0.0));
  return bytes;
}

PathSize size_of_path(const RunSettings& settings, const PathOptions& options,
                      const PipelineOptions& pipeline) {
  const std::vector<double> values = values_of(pipeline, options);
  return {
      .num_values = values.empty() ? Index{ElasticNetPathOptions{}.num_gammas} : std::ssize(values),
      .num_paths = std::ssize(options.points),
      .bytes_of_step = bytes_of_step(settings, options)};
}

Path sparse_path(const Matrix& X, const PipelineOptions& pipeline, const PathOptions& options,
                 const Context& context) {
  ElasticNetPathOptions own = path_options(pipeline.method);
  own.points = options.points;
  own.gammas = values_of(pipeline, options);
  Path path{.parameter = own.common_weight ? "alpha" : "gamma",
            .sparse = std::make_shared<const ElasticNetPath>(elastic_net_path(X, own, context))};
  path.values = path.sparse->gammas();
  path.at = [steps = path.sparse](Index step) { return steps->step(step); };
  path.kept_bytes = bytes_of(X);
  for (Index step = 0; step < std::ssize(path.values); ++step) {
    path.kept_bytes += bytes_of(path.sparse->step(step).coefficients);
  }
  return path;
}

void require_positive(const std::vector<double>& values) {
  for (const double value : values) {
    if (!(value > 0.0 && std::isfinite(value))) {
      throw InvalidArgument(message("path: --values ", value, ", must be finite and above 0"));
    }
  }
}

/// Both methods are one factorisation for all values.
Path full_path(const Matrix& X, const PipelineOptions& pipeline, const PathOptions& options,
               const Context& context) {
  require_positive(options.values);
  Path path{.parameter = "lambda", .values = values_of(pipeline, options)};
  // The points, and a factor of their rank.
  path.kept_bytes =
      bytes_of(X) + static_cast<double>(X.cols() * std::min(X.rows(), X.cols())) * sizeof(double);
  const auto along = [&](auto shared) {
    path.at = [shared, &context, values = path.values](Index step) {
      return shared.at(values[static_cast<std::size_t>(step)], context);
    };
  };
  if (const auto* own = std::get_if<LsrOptions>(&pipeline.method)) {
    along(lsr_path(X, *own, context));
  } else {
    along(edsc_path(X, std::get<EdscOptions>(pipeline.method), context));
  }
  return path;
}

void check_arguments(const RunSettings& settings, const PathOptions& options,
                     const Method& method) {
  if (!has_sparse_path(method) && !has_full_path(method)) refuse_method(settings.method);
  if (const auto* lasso = std::get_if<SscOptions>(&method)) require_plain(*lasso);
  if (settings.estimate_clusters) {
    throw InvalidArgument("path: -k auto, must be a number: the values are compared at one");
  }
  if (has_full_path(method) && !settings.clusters) {
    throw InvalidArgument(message("path: method ", settings.method,
                                  " represents each point by all others, only clusters tell its "
                                  "values apart; use -k"));
  }
  if (!settings.clusters && !(settings.truth.empty() && settings.y.empty())) {
    throw InvalidArgument(message("path: ", settings.truth.empty() ? "--y " : "--truth ",
                                  settings.truth.empty() ? settings.y : settings.truth,
                                  ", must come with -k: clusters alone are held against labels"));
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
  PathPoint point{
      .support = path.support_size(step, column),
      .fit_error = path.fit_error(step, column),
      .converged = path.step(step).solves[static_cast<std::size_t>(column)].converged()};
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

/// `points` are those of the input, whose coding rate a clustering of one value would tell as well.
Clustered clusters_of(const Representation& representation, double value, const Matrix& points,
                      const PipelineOptions& pipeline, const Context& context) {
  ClusteringResult result = std::visit(
      [&](const auto& own) { return cluster_coefficients(own.coefficients, pipeline, context); },
      representation);
  Clustered clustered;
  clustered.step.value = value;
  clustered.step.eigengap = eigengap(result.affinity, pipeline, context);
  clustered.outcome = outcome_of(std::move(result), {}, {}, context);
  add_rate_signal(points, clustered.outcome, context);
  clustered.step.converged = clustered.outcome.converged && num_unconverged(representation) == 0;
  clustered.step.cut = signal(clustered.outcome, "cut");
  clustered.step.confidence = signal(clustered.outcome, "confidence");
  clustered.step.rate = signal(clustered.outcome, "rate");
  return clustered;
}

/// The stages of cluster_coefficients().
void add_stages(StageSeconds& sum, const StageSeconds& more) {
  sum.affinity += more.affinity;
  sum.embedding += more.embedding;
  sum.assignment += more.assignment;
}

/// Most values have the same to say.
void add_new(std::vector<std::string>& warnings, const std::vector<std::string>& more) {
  for (const std::string& warning : more) {
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
}

void add_points(const Path& path, bool coefficients, const Context& context, PathRecord& record) {
  record.points = path.sparse->points();
  record.coefficients = coefficients;
  for (Index step = 0; step < std::ssize(path.values); ++step) {
    context.throw_if_cancelled();
    record.steps.push_back(points_at(*path.sparse, step, coefficients));
  }
}

/// Returns what each step came to, for the evaluator.
std::vector<Outcome> add_clusters(const Path& path, const Matrix& points,
                                  const PipelineOptions& pipeline, const Context& context,
                                  PathRecord& record) {
  std::vector<Outcome> outcomes;
  for (Index step = 0; step < std::ssize(path.values); ++step) {
    context.throw_if_cancelled();
    Stopwatch watch;
    const Representation representation = path.at(step);
    record.seconds.self_expression += watch.lap();
    Clustered found = clusters_of(representation, path.values[static_cast<std::size_t>(step)],
                                  points, pipeline, context);
    add_stages(record.seconds, found.outcome.seconds);
    add_new(record.warnings, found.outcome.warnings);
    record.steps.push_back(std::move(found.step));
    outcomes.push_back(std::move(found.outcome));
  }
  return outcomes;
}

/// Once all labels are there: the truth, read once, and metrics of every step.
void evaluate_steps(std::vector<Outcome> outcomes, const RunSettings& settings, const Input& input,
                    const Context& context, PathRecord& record) {
  const std::optional<Truth> truth = find_usable_truth(settings, input, record.input, context,
                                                       record.warnings, record.not_evaluated);
  if (!truth) return;
  record.truth = truth->info;
  for (std::size_t step = 0; step < outcomes.size(); ++step) {
    record.steps[step].metrics = evaluate(outcomes[step], *truth, context).metrics;
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
  Stopwatch load;
  const datasets::PointSet set = input.load_points(load_options(settings), context);
  const Clusterer clusterer = make_clusterer(settings);
  PathRecord record{.method = settings.method,
                    .options = fixed_options(clusterer, settings.method),
                    .num_clusters = pipeline.num_clusters,
                    .seed = settings.seed,
                    .threads = resolve_threads(context),
                    .backend = backend_name(),
                    .source_commit = source_commit(),
                    .load_seconds = load.lap(),
                    .warnings = set.notes};
  add_new(record.warnings, warnings_of(clusterer, settings.method));
  record.input = {set.name, set.X.cols(), set.X.rows(), set.sha256, set.image};
  if (settings.clusters) require_clusterable(set.X, *settings.clusters);
  check_path_memory(pipeline, size_of_path(settings, options, pipeline), set.X.rows(), set.X.cols(),
                    context);
  // What is loaded stays beside the path.
  const Context rest = beside(context, bytes_of(set.X));

  Stopwatch whole;
  Stopwatch stage;
  const Matrix X = preprocess(set.X, pipeline.preprocess, context).points;
  record.seconds.preprocess = stage.lap();
  const Path path = has_sparse_path(pipeline.method) ? sparse_path(X, pipeline, options, rest)
                                                     : full_path(X, pipeline, options, rest);
  record.seconds.self_expression = stage.lap();
  record.parameter = path.parameter;
  std::vector<Outcome> outcomes;
  if (settings.clusters) {
    const Context beside_path = beside(rest, bytes_of(X) + path.kept_bytes);
    outcomes = add_clusters(path, set.X, pipeline, beside_path, record);
  } else {
    add_points(path, options.coefficients, context, record);
  }
  record.seconds.total = whole.lap();
  record.peak_memory = peak_memory();
  if (settings.clusters) evaluate_steps(std::move(outcomes), settings, input, context, record);
  write_outputs(settings, record);
  return record;
}

}  // namespace subspace::pipelines
