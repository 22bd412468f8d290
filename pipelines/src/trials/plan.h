// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/pipelines/trials.h>

#include "table/plan.h"

namespace subspace::pipelines {

/// One row and its trials, by their numbers in the family.
struct PlannedTrials {
  const RecipeRow* row = nullptr;
  bool chosen = false;
  std::vector<std::size_t> trials = {};
  std::vector<std::string> hashes = {};  ///< as `trials`
  std::string failure = {};              ///< the first trial that failed, and why
  std::string interruption = {};         ///< why it is not complete though nothing failed
};

/// The method of a row for a trial: options such as "4k" follow its number of clusters.
Clusterer make_clusterer(const RecipeRow& row, const Trial& trial);

/// Throws InvalidArgument for a group that the family does not have, and for names as
/// chosen_rows() does.
std::vector<PlannedTrials> plan_trials(const Recipe& recipe, const TrialFamily& family,
                                       const TableOptions& options);

/// Of one trial; `number` is its place in `trials`.
Cost cost_of(const PlannedTrials& planned, std::size_t number, const TrialFamily& family,
             const Context& context);

/// What the trials of a row that are left will take; `left` are places in its `trials`.
RowEstimate estimate(const PlannedTrials& planned, const std::vector<std::size_t>& left,
                     const TrialFamily& family, const Context& context);

}  // namespace subspace::pipelines
