// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/coding_descent.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>

#include <subspace/core/parallel.h>

#include "cluster/coding_length.h"

namespace subspace {
namespace {

// Differences of lengths below this share of the whole are rounding.
constexpr double kRounding = 1e-11;
constexpr int kMostIterations = 1000;

using Members = std::vector<Index>;

/// What every point would change by coming to every cluster, and by leaving its own.
struct Changes {
  Matrix joining;  ///< N x K
  Vector leaving;  ///< N
};

void refresh(const ConstMatrixRef& X, const CodedGroups& groups, const std::vector<int>& stale,
             double distortion, Changes& changes, const Context& context) {
  for_tiles(context, std::ssize(stale), 1, [&](const Tile& tile) {
    const int k = stale[static_cast<std::size_t>(tile.begin)];
    const Members& members = groups.members[static_cast<std::size_t>(k)];
    std::vector<double> leaving;
    coding_changes(X, members, distortion, groups.lengths[static_cast<std::size_t>(k)],
                   changes.joining.col(k), leaving, context);
    for (std::size_t i = 0; i < members.size(); ++i) changes.leaving[members[i]] = leaving[i];
  });
}

struct Move {
  Index point = 0;
  int from = 0;
  int to = 0;
  double gain = 0.0;  ///< by itself; > 0 lowers the length
};

/// The best move of every point that gains more than `least`, the best first.
std::vector<Move> gaining_moves(const Changes& changes, const Labels& labels,
                                const CodedGroups& groups, double least) {
  std::vector<Move> moves;
  const Index num_groups = changes.joining.cols();
  for (Index j = 0; j < changes.joining.rows(); ++j) {
    const int from = labels[static_cast<std::size_t>(j)];
    if (groups.members[static_cast<std::size_t>(from)].size() == 1) continue;
    Move best = {j, from, from, least};
    for (int to = 0; to < num_groups; ++to) {
      if (to == from) continue;
      const double gain = -(changes.joining(j, to) + changes.leaving[j]);
      if (gain > best.gain) best = {j, from, to, gain};
    }
    if (best.to != from) moves.push_back(best);
  }
  std::ranges::stable_sort(moves, std::greater<>(), &Move::gain);
  return moves;
}

/// The clusters after the first `count` moves, with the lengths of those that changed.
struct Moved {
  CodedGroups groups;
  std::vector<int> touched;
};

Moved after_moves(const ConstMatrixRef& X, const CodedGroups& before,
                  const std::vector<Move>& moves, std::size_t count, double distortion,
                  const Context& context) {
  Moved moved{before, {}};
  std::vector<Index> left(before.members.size(), 0);
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = std::ssize(before.members[k]);
  std::vector<char> is_touched(before.members.size(), 0);
  std::vector<Members> leavers(before.members.size());
  std::vector<Members> comers(before.members.size());
  for (const Move& move : std::span(moves).first(count)) {
    const auto from = static_cast<std::size_t>(move.from);
    const auto to = static_cast<std::size_t>(move.to);
    if (left[from] == 1) continue;  // a cluster keeps its last point
    --left[from];
    leavers[from].push_back(move.point);
    comers[to].push_back(move.point);
    is_touched[from] = is_touched[to] = 1;
  }
  for (std::size_t k = 0; k < is_touched.size(); ++k) {
    if (is_touched[k] == 0) continue;
    moved.touched.push_back(static_cast<int>(k));
    std::ranges::sort(leavers[k]);
    std::ranges::sort(comers[k]);
    Members stayed;
    std::ranges::set_difference(before.members[k], leavers[k], std::back_inserter(stayed));
    moved.groups.members[k].clear();
    std::ranges::merge(stayed, comers[k], std::back_inserter(moved.groups.members[k]));
  }
  for_tiles(context, std::ssize(moved.touched), 1, [&](const Tile& tile) {
    const auto k =
        static_cast<std::size_t>(moved.touched[static_cast<std::size_t>(tile.begin)]);
    moved.groups.lengths[k] =
        coding_length(X, moved.groups.members[k], distortion, context);
  });
  return moved;
}

std::vector<int> all_of(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

double CodedGroups::length() const { return std::accumulate(lengths.begin(), lengths.end(), 0.0); }

Labels CodedGroups::labels(Index num_points) const {
  Labels labels(static_cast<std::size_t>(num_points), 0);
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (const Index j : members[k]) labels[static_cast<std::size_t>(j)] = static_cast<int>(k);
  }
  return labels;
}

CodedGroups coded_groups(const ConstMatrixRef& X, const Labels& labels, int num_groups,
                         double distortion, const Context& context) {
  CodedGroups groups;
  groups.members.resize(static_cast<std::size_t>(num_groups));
  groups.lengths.resize(static_cast<std::size_t>(num_groups));
  for (std::size_t j = 0; j < labels.size(); ++j) {
    groups.members[static_cast<std::size_t>(labels[j])].push_back(static_cast<Index>(j));
  }
  for_tiles(context, num_groups, 1, [&](const Tile& tile) {
    const auto k = static_cast<std::size_t>(tile.begin);
    groups.lengths[k] = coding_length(X, groups.members[k], distortion, context);
  });
  return groups;
}

CodingDescent descend_coding(const ConstMatrixRef& X, CodedGroups groups, double distortion,
                             const Context& context) {
  CodingDescent result;
  Changes changes{Matrix(X.cols(), static_cast<Index>(groups.members.size())), Vector(X.cols())};
  std::vector<int> stale = all_of(groups.members.size());
  std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
  for (; result.iterations < kMostIterations; ++result.iterations) {
    refresh(X, groups, stale, distortion, changes, context);
    const double length = groups.length();
    const std::vector<Move> moves =
        gaining_moves(changes, groups.labels(X.cols()), groups, kRounding * length);
    result.residual = moves.empty() ? 0.0 : moves.front().gain;
    result.settled = moves.empty();
    if (moves.empty()) break;
    std::size_t count = std::min(moves.size(), most);
    Moved moved = after_moves(X, groups, moves, count, distortion, context);
    while (moved.groups.length() >= length && count > 1) {
      count /= 2;
      moved = after_moves(X, groups, moves, count, distortion, context);
    }
    if (moved.groups.length() >= length) {  // the gain of one point was rounding
      result.settled = true;
      break;
    }
    most = 2 * count;
    groups = std::move(moved.groups);
    stale = std::move(moved.touched);
  }
  result.groups = std::move(groups);
  return result;
}

}  // namespace subspace
