// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/pipeline/pipeline.h>

namespace subspace::pipelines {

/// Values under their names, in an order that records and tables keep.
using NamedValues = std::vector<std::pair<std::string, ParameterValue>>;

/// What any method of the catalogue answers.
struct Outcome {
  Labels labels = {};
  StageSeconds seconds = {};     ///< stages a method does not have stay 0
  bool converged = false;        ///< every stage met its own tolerance
  NamedValues certificate = {};  ///< evidence: residuals and the tolerances they were held against
  std::vector<std::string> warnings = {};
};

}  // namespace subspace::pipelines
