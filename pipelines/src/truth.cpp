// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "truth.h"

#include <string>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

Truth load_truth(const fs::path& file, const datasets::LoadOptions& options,
                 const Context& context) {
  return {datasets::load_labels(file, options, context),
          {file.filename().string(), datasets::label_name(file, options)}};
}

Truth load_carried(const Input& input, const datasets::LoadOptions& options,
                   const Context& context) {
  return {input.load_labels(options, context), {input.source(), input.label_name(options)}};
}

void require_all_labels(const Truth& truth, Index num_points, const std::string& source) {
  if (std::ssize(truth.labels) == num_points) return;
  throw DataError(
      message(source, ": ", truth.labels.size(), " labels for ", num_points, " points"));
}

/// The labels the input carries under a usual name, if any.
std::optional<Truth> carried_truth(const RunSettings& settings, const Input& input,
                                   const Context& context, std::vector<std::string>& warnings) {
  try {
    return load_carried(input, load_options(settings), context);
  } catch (const DataError& error) {
    if (input.must_carry_labels()) {
      warnings.push_back(message("not evaluated: ", error.what()));
    }
    return std::nullopt;
  }
}

std::optional<RepresentationReport> compare_coefficients(Outcome& outcome, const Truth& truth,
                                                         const Context& context) {
  if (!outcome.coefficients) return std::nullopt;
  try {
    return report_representation(*outcome.coefficients, truth.labels, context);
  } catch (const ResourceError& error) {
    outcome.warnings.push_back(message("coefficients not compared with the truth: ", error.what()));
    return std::nullopt;
  }
}

}  // namespace

datasets::LoadOptions load_options(const RunSettings& settings) {
  return {.x = settings.x,
          .y = settings.y,
          .columns_are_samples = settings.columns_are_samples,
          .image_size = settings.image_size,
          .color = settings.color};
}

void check_truth(const RunSettings& settings, const Input& input) {
  std::error_code ignored;
  if (!settings.truth.empty() && !fs::exists(settings.truth, ignored)) {
    throw IoError(message("--truth ", settings.truth, ": no such file"));
  }
  if (settings.y.empty()) return;
  const datasets::LoadOptions options = {.y = settings.y};
  settings.truth.empty() ? input.label_name(options)
                         : datasets::label_name(settings.truth, options);
}

std::optional<Truth> find_truth(const RunSettings& settings, const Input& input, Index dimension,
                                Index num_points, const Context& context,
                                std::vector<std::string>& warnings) {
  if (!settings.truth.empty()) {
    Truth truth = load_truth(settings.truth, {.y = settings.y}, context);
    require_all_labels(truth, num_points, "--truth " + settings.truth);
    return truth;
  }
  if (!settings.y.empty()) {
    Truth truth = load_carried(input, load_options(settings), context);
    require_all_labels(truth, num_points, "--y " + settings.y);
    return truth;
  }
  if (!input.may_carry_labels(dimension)) return std::nullopt;
  std::optional<Truth> found = carried_truth(settings, input, context, warnings);
  if (found && std::ssize(found->labels) != num_points) {
    warnings.push_back(message("not evaluated: ", input.source(), " holds ", found->labels.size(),
                               " labels for ", num_points, " points"));
    return std::nullopt;
  }
  return found;
}

Evaluation evaluate(Outcome& outcome, const Truth& truth, const Context& context) {
  return {evaluate_partition(outcome.labels, truth.labels), truth.info,
          compare_coefficients(outcome, truth, context)};
}

std::optional<Truth> find_usable_truth(const RunSettings& settings, const Input& input,
                                       const InputInfo& points, const Context& context,
                                       std::vector<std::string>& warnings,
                                       std::string& not_evaluated) {
  try {
    return find_truth(settings, input, points.dim, points.n, context, warnings);
  } catch (const DataError& error) {
    not_evaluated = error.what();
    return std::nullopt;
  }
}

void evaluate_record(Record& record, const RunSettings& settings, const Input& input,
                     const Context& context) {
  const std::optional<Truth> truth =
      find_usable_truth(settings, input, record.input, context, record.outcome.warnings,
                        record.not_evaluated);
  if (!truth) return;
  const Evaluation evaluation = evaluate(record.outcome, *truth, context);
  record.metrics = evaluation.metrics;
  record.truth = evaluation.truth;
  record.coefficients = evaluation.coefficients;
}

}  // namespace subspace::pipelines
