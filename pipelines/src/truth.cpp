// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "truth.h"

#include <string>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

/// The labels of a file with what the record says about them.
struct Truth {
  Labels labels = {};
  TruthInfo info = {};
};

Truth load_truth(const fs::path& file, const datasets::LoadOptions& options,
                 const Context& context) {
  return {datasets::load_labels(file, options, context),
          {file.filename().string(), datasets::label_name(file, options)}};
}

Truth load_carried(const Input& input, const datasets::LoadOptions& options,
                   const Context& context) {
  return {input.load_labels(options, context), {input.source(), input.label_name(options)}};
}

Evaluation evaluate(const Outcome& outcome, const Truth& truth, const std::string& source,
                    const Context& context) {
  const Labels& labels = outcome.labels;
  if (truth.labels.size() != labels.size()) {
    throw DataError(
        message(source, ": ", truth.labels.size(), " labels for ", labels.size(), " points"));
  }
  Evaluation evaluation = {evaluate_partition(labels, truth.labels), truth.info};
  if (outcome.coefficients) {
    evaluation.coefficients = report_representation(*outcome.coefficients, truth.labels, context);
  }
  return evaluation;
}

/// The labels the input carries under a usual name, if any.
std::optional<Truth> carried_truth(const RunSettings& settings, const Input& input,
                                   const Context& context, Outcome& outcome) {
  try {
    return load_carried(input, load_options(settings), context);
  } catch (const DataError& error) {
    if (input.must_carry_labels()) {
      outcome.warnings.push_back(message("not evaluated: ", error.what()));
    }
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

std::optional<Evaluation> evaluate_against_truth(Outcome& outcome, const RunSettings& settings,
                                                 const Input& input, Index dimension,
                                                 const Context& context) {
  if (!settings.truth.empty()) {
    return evaluate(outcome, load_truth(settings.truth, {.y = settings.y}, context),
                    "--truth " + settings.truth, context);
  }
  if (!settings.y.empty()) {
    return evaluate(outcome, load_carried(input, load_options(settings), context),
                    "--y " + settings.y, context);
  }
  if (!input.may_carry_labels(dimension)) return std::nullopt;
  const std::optional<Truth> found = carried_truth(settings, input, context, outcome);
  if (!found) return std::nullopt;
  if (found->labels.size() != outcome.labels.size()) {
    outcome.warnings.push_back(message("not evaluated: ", input.source(), " holds ",
                                       found->labels.size(), " labels for ", outcome.labels.size(),
                                       " points"));
    return std::nullopt;
  }
  return evaluate(outcome, *found, input.source(), context);
}

void evaluate_record(Record& record, const RunSettings& settings, const Input& input,
                     const Context& context) {
  const std::optional<Evaluation> evaluation =
      evaluate_against_truth(record.outcome, settings, input, record.input.dim, context);
  if (!evaluation) return;
  record.metrics = evaluation->metrics;
  record.truth = evaluation->truth;
  record.coefficients = evaluation->coefficients;
}

}  // namespace subspace::pipelines
