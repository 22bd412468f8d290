// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/coding_descent.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <subspace/core/parallel.h>

#include "cluster/coding_length.h"

namespace subspace {
namespace {

// Differences of lengths below this share of the whole are rounding.
constexpr double kRounding = 1e-11;
constexpr int kMostIterations = 1000;

using Members = std::vector<Index>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// What every point would change by coming to every cluster, and by leaving its own.
struct Changes {
  Matrix joining;  ///< N x K
  Vector leaving;  ///< N
};

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

/// The clusters after some moves, with the lengths of those that changed.
struct Moved {
  CodedGroups groups;
  std::vector<int> touched;
};

Moved after_moves(const ConstMatrixRef& X, const CodedGroups& before, std::span<const Move> moves,
                  double distortion, const Context& context) {
  Moved moved{before, {}};
  std::vector<Index> left(before.members.size(), 0);
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = std::ssize(before.members[k]);
  std::vector<char> is_touched(before.members.size(), 0);
  std::vector<Members> leavers(before.members.size());
  std::vector<Members> comers(before.members.size());
  for (const Move& move : moves) {
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
    const auto k = static_cast<std::size_t>(moved.touched[static_cast<std::size_t>(tile.begin)]);
    moved.groups.lengths[k] = coding_length(X, moved.groups.members[k], distortion, context);
  });
  return moved;
}

/// A descent under way.
class Descent {
 public:
  Descent(const ConstMatrixRef& X, CodedGroups groups, double distortion, const Context& context)
      : X_(X),
        distortion_(distortion),
        context_(context),
        groups_(std::move(groups)),
        // A loop inside of another one does not run once that is ending.
        changes_{Matrix::Zero(X.cols(), std::ssize(groups_.members)), Vector::Zero(X.cols())},
        stale_(groups_.members.size()) {
    std::iota(stale_.begin(), stale_.end(), 0);
  }

  CodingDescent run() {
    CodingDescent result;
    for (;; ++result.iterations) {
      refresh();
      if (result.iterations == kMostIterations) {
        const std::vector<Move> moves = gaining();
        result.settled = moves.empty();
        result.residual = moves.empty() ? 0.0 : moves.front().gain;
        break;
      }
      result.settled = !lower();
      if (result.settled) break;
    }
    result.groups = std::move(groups_);
    return result;
  }

 private:
  /// What changes of clusters that are not as they were.
  void refresh() {
    for_tiles(context_, std::ssize(stale_), 1, [&](const Tile& tile) {
      const int k = stale_[at(tile.begin)];
      const Members& members = groups_.members[at(k)];
      std::vector<double> leaving;
      coding_changes(X_, members, distortion_, groups_.lengths[at(k)], changes_.joining.col(k),
                     leaving, context_);
      for (std::size_t i = 0; i < members.size(); ++i) changes_.leaving[members[i]] = leaving[i];
    });
    context_.throw_if_cancelled();
  }

  std::vector<Move> gaining() const {
    return gaining_moves(changes_, groups_.labels(X_.cols()), groups_,
                         kRounding * groups_.length());
  }

  /// Makes as many of the best moves as lower the length together, else the best one that does by
  /// itself. False where none does.
  bool lower() {
    for (std::vector<Move> moves = gaining(); !moves.empty(); moves = gaining()) {
      const std::span<const Move> all = moves;
      for (std::size_t count = std::min(all.size(), most_); count > 1; count /= 2) {
        if (change_by(all.first(count)) < 0.0) return true;
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Move& move = all[i];
        const double change = change_by(all.subspan(i, 1));
        if (change < 0.0) return true;
        // Its gain was rounding. From here on it counts for what it is.
        changes_.joining(move.point, move.to) = change - changes_.leaving[move.point];
      }
    }
    return false;
  }

  /// What moves change the length by. They stay made if that lowers it.
  double change_by(std::span<const Move> moves) {
    Moved moved = after_moves(X_, groups_, moves, distortion_, context_);
    const double change = moved.groups.length() - groups_.length();
    if (change < 0.0) {
      groups_ = std::move(moved.groups);
      stale_ = std::move(moved.touched);
      most_ = 2 * moves.size();
    }
    return change;
  }

  const ConstMatrixRef& X_;
  double distortion_;
  const Context& context_;
  CodedGroups groups_;
  Changes changes_;
  std::vector<int> stale_;
  std::size_t most_ = std::numeric_limits<std::size_t>::max() / 2;  ///< moves tried at once
};

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
  return Descent(X, std::move(groups), distortion, context).run();
}

}  // namespace subspace
