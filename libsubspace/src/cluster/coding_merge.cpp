// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <iterator>
#include <limits>

#include <subspace/core/parallel.h>

#include "cluster/coding_descent.h"
#include "cluster/coding_length.h"

namespace subspace {
namespace {

using Members = std::vector<Index>;

Members joined(const Members& a, const Members& b) {
  Members all;
  std::ranges::merge(a, b, std::back_inserter(all));
  return all;
}

/// By how much the length rises as two clusters become one, of all pairs (larger, smaller index).
class MergeCosts {
 public:
  MergeCosts(const ConstMatrixRef& X, const CodedGroups& groups, double distortion,
             const Context& context)
      : X_(X), groups_(groups), distortion_(distortion), context_(context) {
    const auto count = static_cast<Index>(groups.members.size());
    costs_ = Matrix::Constant(count, count, std::numeric_limits<double>::infinity());
    for_tiles(context, count, 1, [&](const Tile& tile) {
      for (Index i = 0; i < tile.begin; ++i) costs_(tile.begin, i) = cost(tile.begin, i);
    });
  }

  /// (larger, smaller); the first of equals.
  std::pair<Index, Index> cheapest() const {
    Index row = 0;
    Index column = 0;
    costs_.minCoeff(&row, &column);
    return {row, column};
  }

  void forget(Index k) {
    costs_.row(k).setConstant(std::numeric_limits<double>::infinity());
    costs_.col(k).setConstant(std::numeric_limits<double>::infinity());
  }

  /// After cluster k has changed.
  void renew(Index k) {
    for_tiles(context_, costs_.rows(), 1, [&](const Tile& tile) {
      const Index i = tile.begin;
      if (i == k || groups_.members[static_cast<std::size_t>(i)].empty()) return;
      costs_(std::max(i, k), std::min(i, k)) = cost(i, k);
    });
  }

 private:
  double cost(Index i, Index j) const {
    const auto a = static_cast<std::size_t>(i);
    const auto b = static_cast<std::size_t>(j);
    const Members both = joined(groups_.members[a], groups_.members[b]);
    return coding_length(X_, both, distortion_, context_) - groups_.lengths[a] - groups_.lengths[b];
  }

  const ConstMatrixRef& X_;
  const CodedGroups& groups_;
  double distortion_;
  const Context& context_;
  Matrix costs_;
};

void remove_empty(CodedGroups& groups) {
  CodedGroups kept;
  for (std::size_t k = 0; k < groups.members.size(); ++k) {
    if (groups.members[k].empty()) continue;
    kept.members.push_back(std::move(groups.members[k]));
    kept.lengths.push_back(groups.lengths[k]);
  }
  groups = std::move(kept);
}

}  // namespace

CodedGroups merge_coding(const ConstMatrixRef& X, CodedGroups groups, int num_groups,
                         double distortion, const Context& context) {
  MergeCosts costs(X, groups, distortion, context);
  for (auto left = std::ssize(groups.members); left > num_groups; --left) {
    const auto [gone, kept] = costs.cheapest();
    Members& into = groups.members[static_cast<std::size_t>(kept)];
    Members& from = groups.members[static_cast<std::size_t>(gone)];
    into = joined(into, from);
    from.clear();
    groups.lengths[static_cast<std::size_t>(kept)] = coding_length(X, into, distortion, context);
    costs.forget(gone);
    costs.renew(kept);
  }
  remove_empty(groups);
  return groups;
}

}  // namespace subspace
