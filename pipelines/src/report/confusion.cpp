// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/confusion.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <subspace/metrics/partition.h>

namespace subspace::pipelines::report {
namespace {

std::vector<int> distinct(const Labels& labels) {
  const std::set<int> values(labels.begin(), labels.end());
  return {values.begin(), values.end()};
}

int place_of(const std::vector<int>& sorted, int value) {
  return static_cast<int>(std::ranges::lower_bound(sorted, value) - sorted.begin());
}

/// Matched clusters by their class, then the others by their label.
std::vector<int> diagonal_order(const std::vector<int>& class_of) {
  std::vector<int> order(class_of.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int cluster) {
    const int matched = class_of[static_cast<std::size_t>(cluster)];
    return matched < 0 ? std::numeric_limits<int>::max() : matched;
  });
  return order;
}

/// `count` of the values at equal steps, so that examples do not all come from one end.
std::vector<Index> some_of(const std::vector<Index>& values, std::size_t count) {
  if (values.size() <= count) return values;
  std::vector<Index> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(values[i * values.size() / count]);
  return chosen;
}

/// The two classes in increasing order; "no class" last.
std::pair<int, int> pair_of(int truth, int placed) {
  if (placed < 0) return {truth, -1};
  return std::minmax(truth, placed);
}

/// The class of each cluster by the Hungarian assignment. Where clusters and classes are as many,
/// it also pairs what is left over; a cluster without a point of its class stands for no class.
std::vector<int> matched_classes(const CountMatrix& counts) {
  std::vector<int> matched = max_assignment(counts);
  for (std::size_t k = 0; k < matched.size(); ++k) {
    if (matched[k] >= 0 && counts(static_cast<Index>(k), matched[k]) == 0) matched[k] = -1;
  }
  return matched;
}

}  // namespace

std::optional<Confusion> confusion(const Labels& found, const Labels& truth) {
  if (found.empty() || found.size() != truth.size()) return {};
  const std::vector<int> clusters = distinct(found);
  Confusion result = {.classes = distinct(truth)};
  const CountMatrix counts = contingency(found, truth);
  const std::vector<int> matched = matched_classes(counts);
  const std::vector<int> order = diagonal_order(matched);
  result.counts.resize(counts.rows(), counts.cols());
  for (std::size_t shown = 0; shown < order.size(); ++shown) {
    const auto cluster = static_cast<std::size_t>(order[shown]);
    result.clusters.push_back(clusters[cluster]);
    result.class_of.push_back(matched[cluster]);
    result.counts.row(static_cast<Index>(shown)) = counts.row(static_cast<Index>(cluster));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    result.placed.push_back(matched[static_cast<std::size_t>(place_of(clusters, found[i]))]);
    result.truth.push_back(place_of(result.classes, truth[i]));
  }
  return result;
}

std::map<int, int> cluster_colors(const Labels& found, const std::optional<Confusion>& confusion) {
  std::map<int, int> colors;
  int next = 0;
  if (!confusion) {
    for (const int label : std::set<int>(found.begin(), found.end())) colors[label] = next++;
    return colors;
  }
  next = static_cast<int>(confusion->classes.size());
  for (std::size_t i = 0; i < confusion->clusters.size(); ++i) {
    const int matched = confusion->class_of[i];
    colors[confusion->clusters[i]] = matched >= 0 ? matched : next++;
  }
  return colors;
}

std::vector<ConfusedPair> confused_pairs(const Confusion& confusion, std::size_t max_pairs,
                                         std::size_t max_examples) {
  std::map<std::pair<int, int>, ConfusedPair> pairs;
  std::map<std::pair<int, int>, std::vector<Index>> points;
  for (std::size_t i = 0; i < confusion.placed.size(); ++i) {
    const int truth = confusion.truth[i];
    if (confusion.placed[i] == truth) continue;
    const auto key = pair_of(truth, confusion.placed[i]);
    ConfusedPair& pair = pairs[key];
    pair.one = key.first;
    pair.other = key.second;
    ++(truth == key.first ? pair.one_as_other : pair.other_as_one);
    points[key].push_back(static_cast<Index>(i));
  }
  std::vector<ConfusedPair> sorted;
  for (auto& [key, pair] : pairs) {
    pair.examples = some_of(points[key], max_examples);
    sorted.push_back(std::move(pair));
  }
  std::ranges::stable_sort(sorted, std::greater<>(), &ConfusedPair::count);
  if (sorted.size() > max_pairs) sorted.resize(max_pairs);
  return sorted;
}

}  // namespace subspace::pipelines::report
