// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>

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

struct Evaluation {
  PartitionMetrics metrics = {};
  TruthInfo truth = {};
  std::optional<RepresentationReport> coefficients = {};
};

/// The evaluator, the only one that reads labels: metrics of the outcome against the truth that the
/// settings name or that the input carries; nothing where there is none. A truth that was asked for
/// and cannot be used throws; one that was merely found leaves a warning in the outcome.
std::optional<Evaluation> evaluate_against_truth(Outcome& outcome, const RunSettings& settings,
                                                 const Input& input, Index dimension,
                                                 const Context& context);

/// The same of a record, which takes metrics and truth.
void evaluate_record(Record& record, const RunSettings& settings, const Input& input,
                     const Context& context);

}  // namespace subspace::pipelines
