// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <subspace/core/types.h>
#include <subspace/metrics/assignment.h>
#include <subspace/pipelines/results.h>

namespace subspace::pipelines::report {

/// Found clusters against true classes. Clusters stand in the order of the classes they were
/// matched with (Hungarian assignment, as in the accuracy), so that right points are on the
/// diagonal; clusters that match no class, or hold no point of theirs, come last.
struct Confusion {
  std::vector<int> clusters = {};  ///< labels of the clusters, in the order shown
  std::vector<int> classes = {};   ///< true labels, increasing
  std::vector<int> class_of = {};  ///< of each cluster: place in `classes`, -1 for none
  CountMatrix counts = {};         ///< clusters x classes
  std::vector<int> placed = {};    ///< of each point: class its cluster stands for, -1 for none
  std::vector<int> truth = {};     ///< of each point: place of its true class in `classes`
};

/// Empty where labels and truth are not of the same points.
std::optional<Confusion> confusion(const Labels& found, const Labels& truth);

/// A colour for each cluster: that of the class it was matched with, so that right points keep
/// their colour when the truth is shown; clusters without a class take the colours left.
std::map<int, int> cluster_colors(const Labels& found, const std::optional<Confusion>& confusion);

/// Two classes whose points share clusters.
struct ConfusedPair {
  int one = 0;    ///< place in Confusion::classes
  int other = 0;  ///< likewise; -1: clusters that match no class
  std::int64_t one_as_other = 0;
  std::int64_t other_as_one = 0;
  std::vector<Index> examples = {};  ///< some of the points, spread over all of them

  std::int64_t count() const { return one_as_other + other_as_one; }
};

/// The pairs most often confused first.
std::vector<ConfusedPair> confused_pairs(const Confusion& confusion, std::size_t max_pairs,
                                         std::size_t max_examples);

}  // namespace subspace::pipelines::report
