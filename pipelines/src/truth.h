// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/datasets/load.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/input.h>
#include <subspace/pipelines/outcome.h>
#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

namespace subspace::pipelines {

/// How the settings want files read.
datasets::LoadOptions load_options(const RunSettings& settings);

/// Notices before the work what would spoil the evaluation after it: a truth file that does not
/// exist, a name that no array or column of it has. Labels are not looked at.
void check_truth(const RunSettings& settings, const Input& input);

/// The labels of a file with what the record says about them.
struct Truth {
  Labels labels = {};
  TruthInfo info = {};
};

/// The truth that the settings name or that the input carries, a label for each of so many points
/// of so many features; nothing where there is none. One that was asked for and cannot be used
/// throws; one that was merely found leaves a warning.
std::optional<Truth> find_truth(const RunSettings& settings, const Input& input, Index dimension,
                                Index num_points, const Context& context,
                                std::vector<std::string>& warnings);

/// The same after the work, which one that cannot be used must not cost: why not goes to
/// `not_evaluated` instead.
std::optional<Truth> find_usable_truth(const RunSettings& settings, const Input& input,
                                       const InputInfo& points, const Context& context,
                                       std::vector<std::string>& warnings,
                                       std::string& not_evaluated);

struct Evaluation {
  PartitionMetrics metrics = {};
  TruthInfo truth = {};
  std::optional<RepresentationReport> coefficients = {};
};

/// The evaluator, the only one that looks at true labels. Where the memory does not suffice to
/// compare the coefficients with them, the outcome gets a warning: the run itself has ended well.
Evaluation evaluate(Outcome& outcome, const Truth& truth, const Context& context);

/// Both for a record, which takes metrics and truth where there is one, or why there is none.
void evaluate_record(Record& record, const RunSettings& settings, const Input& input,
                     const Context& context);

}  // namespace subspace::pipelines
