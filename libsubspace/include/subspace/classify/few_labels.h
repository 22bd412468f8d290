// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <subspace/classify/linear_svm.h>
#include <subspace/classify/nearest_subspace.h>
#include <subspace/classify/neighbor_vote.h>

namespace subspace {

/// Share of the points whose label is the true one. Names count, unlike in evaluate_partition().
SUBSPACE_API double accuracy(const Labels& predicted, const Labels& truth);

/// From labelled points to labels of others. May be called by several threads at once.
using Classifier = std::function<Labels(const ConstMatrixRef& X, const Labels& labels,
                                        const ConstMatrixRef& queries, const Context& context)>;

SUBSPACE_API Classifier classifier(const LinearSvmOptions& options, std::uint64_t seed = 0);
SUBSPACE_API Classifier classifier(const NeighborVoteOptions& options);
SUBSPACE_API Classifier classifier(const NearestSubspaceOptions& options);

/// Points with their labels, by reference.
struct LabelledPoints {
  ConstMatrixRef points;
  const Labels& labels;
};

struct FewLabelOptions {
  int samplings = 10;  ///< independent random choices of the labelled points
};
SUBSPACE_API Parameters describe(FewLabelOptions& options);

/// Test accuracy with so many labelled points.
struct FewLabelAccuracy {
  int num_labels = 0;
  std::vector<double> accuracies = {};  ///< one a sampling
  double mean = std::numeric_limits<double>::quiet_NaN();
  /// Sample standard deviation (divided by samplings - 1); NaN of a single sampling.
  double standard_deviation = std::numeric_limits<double>::quiet_NaN();
};

/// Accuracy on `test` of classifiers fitted to a few points of `train`, for each number in
/// `counts`. A sampling puts the points in an order of which every beginning has the classes in
/// equal numbers, to one point, as long as they last; so more labels always include the fewer.
/// Sampling s draws from stream (seed, s): the result does not depend on the number of threads.
SUBSPACE_API std::vector<FewLabelAccuracy> few_label_curve(
    const LabelledPoints& train, const LabelledPoints& test, const std::vector<int>& counts,
    const FewLabelOptions& options = {}, const Classifier& method = classifier(LinearSvmOptions{}),
    std::uint64_t seed = 0, const Context& context = {});

}  // namespace subspace
