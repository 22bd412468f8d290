// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

namespace subspace {

/// Points by cluster, with the coding length of each.
struct CodedGroups {
  std::vector<std::vector<Index>> members = {};  ///< increasing, never empty
  std::vector<double> lengths = {};
  double length() const;  ///< of all
  Labels labels(Index num_points) const;
};

/// Of labels 0 .. K-1, each of which has a point.
CodedGroups coded_groups(const ConstMatrixRef& X, const Labels& labels, int num_groups,
                         double distortion, const Context& context);

struct CodingDescent {
  CodedGroups groups = {};
  int iterations = 0;
  double residual = 0.0;  ///< what the best single move would still lower the length by
  bool settled = false;   ///< no single move lowers it by more than rounding
};

/// Moves points, one cluster to another, while that lowers the coding length: in every iteration
/// all that gain by themselves, or as many of the best as lower it together. A cluster keeps its
/// last point.
CodingDescent descend_coding(const ConstMatrixRef& X, CodedGroups groups, double distortion,
                             const Context& context);

/// Merges the two clusters whose union costs least more than they do, until `num_groups` are left.
CodedGroups merge_coding(const ConstMatrixRef& X, CodedGroups groups, int num_groups,
                         double distortion, const Context& context);

}  // namespace subspace
