// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "truth.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

PartitionMetrics evaluate(const Labels& labels, const Labels& truth, const std::string& source) {
  if (truth.size() != labels.size()) {
    throw DataError(message(source, ": ", truth.size(), " labels for ", labels.size(), " points"));
  }
  return evaluate_partition(labels, truth);
}

/// Whether a file can hold labels beside its points. A lone array, or a table of one column, would
/// be taken for labels itself.
bool may_carry_labels(const fs::path& input, Index dimension) {
  std::string extension = input.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (extension == ".csv" || extension == ".tsv" || extension == ".txt") return dimension > 1;
  if (extension != ".mat" && extension != ".npz") return false;
  const auto variables = datasets::list_variables(input);
  return std::count_if(variables.begin(), variables.end(),
                       [](const datasets::Variable& variable) { return variable.numeric; }) > 1;
}

/// The labels the input carries under a usual name, if any.
std::optional<Labels> carried_labels(const RunSettings& settings, const fs::path& input,
                                     const Context& context) {
  try {
    return datasets::load_labels(input, load_options(settings), context);
  } catch (const DataError&) {
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

std::optional<PartitionMetrics> evaluate_against_truth(Outcome& outcome,
                                                       const RunSettings& settings,
                                                       const fs::path& input, Index dimension,
                                                       const Context& context) {
  if (!settings.truth.empty()) {
    const Labels truth = datasets::load_labels(settings.truth, {.y = settings.y}, context);
    return evaluate(outcome.labels, truth, "--truth " + settings.truth);
  }
  if (!settings.y.empty()) {
    const Labels truth = datasets::load_labels(input, load_options(settings), context);
    return evaluate(outcome.labels, truth, "--y " + settings.y);
  }
  if (!may_carry_labels(input, dimension)) return std::nullopt;
  const std::optional<Labels> found = carried_labels(settings, input, context);
  if (!found) return std::nullopt;
  if (found->size() != outcome.labels.size()) {
    outcome.warnings.push_back(message("not evaluated: ", input.string(), " holds ", found->size(),
                                       " labels for ", outcome.labels.size(), " points"));
    return std::nullopt;
  }
  return evaluate_partition(outcome.labels, *found);
}

}  // namespace subspace::pipelines
