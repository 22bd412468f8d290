// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <subspace/datasets/point_set.h>

#include "table/plan.h"
#include "table/store.h"

namespace subspace::pipelines {

/// The points all rows are given.
struct TableInput {
  datasets::PointSet points = {};
  std::string hash = {};  ///< of the values as they are used, whatever file they come from
  double load_seconds = 0.0;
  /// Device, number of threads, LibTorch: what is learned depends on them in its last digits.
  std::string training = {};

  InputInfo info() const {
    return {points.name, points.X.cols(), points.X.rows(), points.sha256, points.image};
  }
};

/// One run of one row, done or to be done.
struct PlannedCell {
  std::uint64_t seed = 0;
  std::string hash = {};
  std::vector<std::string> trainings = {};  ///< hashes of the networks it trains, in their order
  std::vector<int> kept_steps =
      {};  ///< of its first training: what any row that shares it asks for
  std::optional<StoredCell> stored = {};
};

/// One setting of a row with its seeds.
struct PlannedVariant {
  Variant variant = {};
  std::vector<PlannedCell> cells = {};
};

struct PlannedRow {
  const RecipeRow* row = nullptr;
  bool chosen = false;
  int num_clusters = 0;
  int first_seed = 0;
  int num_seeds = 0;
  std::vector<PlannedVariant> variants = {};
  std::string failure = {};       ///< why it cannot be run, or failed
  std::string interruption = {};  ///< why it is not complete though nothing failed
};

/// All rows of the recipe with what the store holds of them. A row that cannot be planned says why;
/// one that chooses among others has no cells of its own.
std::vector<PlannedRow> plan_rows(const Recipe& recipe, const TableOptions& options,
                                  const TableInput& input, const TableStore& store);

/// What is still to be done in a row and what it will take. Features in `counted` belong to a row
/// before it; its own are added.
RowEstimate estimate(const PlannedRow& planned, const TableInput& input,
                     std::set<std::string>& counted, const Context& context);

}  // namespace subspace::pipelines
