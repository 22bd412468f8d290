// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/lossy_coding.h>

#include <algorithm>
#include <utility>

#include <subspace/cluster/kmeans.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>

#include "cluster/assign_bytes.h"
#include "cluster/coding_descent.h"
#include "labels/groups.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

// The parts that clusters are split into, by turns.
constexpr int kFewestParts = 2;
constexpr int kMostParts = 4;

int parts_of_round(int round) { return kFewestParts + round % (kMostParts - kFewestParts + 1); }

/// Everything that one search works with.
struct Search {
  const Matrix& X;  ///< unit columns
  double distortion = kRateDistortion;
  std::uint64_t seed = 0;
  const Context& context;
};

/// Labels 0 .. parts - 1 at random, each of which has a point.
Labels random_parts(std::size_t size, int parts, RandomStream& random) {
  Labels labels(size);
  for (std::size_t i = 0; i < size; ++i) {
    labels[i] = static_cast<int>(random.below(static_cast<std::uint64_t>(parts)));
  }
  for (int part = 0; part < parts; ++part) {
    if (std::ranges::find(labels, part) != labels.end()) continue;
    // A random point of a part that has several.
    std::size_t i = random.below(size);
    while (std::ranges::count(labels, labels[i]) == 1) i = (i + 1) % size;
    labels[i] = part;
  }
  return labels;
}

/// The parts of every cluster, which have settled among themselves.
CodedGroups split(const Search& search, const CodedGroups& groups, int parts, std::uint32_t round) {
  const std::size_t count = groups.members.size();
  std::vector<CodedGroups> split(count);
  for_tiles(search.context, static_cast<Index>(count), 1, [&](const Tile& tile) {
    const auto k = static_cast<std::size_t>(tile.begin);
    const std::vector<Index>& members = groups.members[k];
    const int own_parts = static_cast<int>(std::min<std::size_t>(members.size(), parts));
    RandomStream random =
        stream(search.seed, Stream::kLossyCoding,
               round * static_cast<std::uint32_t>(count) + static_cast<std::uint32_t>(k));
    const Matrix own = gather(search.X, members);
    CodedGroups start = coded_groups(own, random_parts(members.size(), own_parts, random),
                                     own_parts, search.distortion, search.context);
    split[k] = descend_coding(own, std::move(start), search.distortion, search.context).groups;
    for (std::vector<Index>& part : split[k].members) {
      for (Index& j : part) j = members[static_cast<std::size_t>(j)];
    }
  });
  CodedGroups all;
  for (CodedGroups& own : split) {
    std::ranges::move(own.members, std::back_inserter(all.members));
    std::ranges::copy(own.lengths, std::back_inserter(all.lengths));
  }
  return all;
}

/// One round: parts, which settle among all, merges, and the descent that follows.
CodingDescent split_and_merge(const Search& search, const CodedGroups& groups,
                              std::uint32_t round) {
  const auto num_groups = static_cast<int>(groups.members.size());
  CodedGroups parts = split(search, groups, parts_of_round(static_cast<int>(round)), round);
  CodingDescent settled =
      descend_coding(search.X, std::move(parts), search.distortion, search.context);
  CodedGroups merged = merge_coding(search.X, std::move(settled.groups), num_groups,
                                    search.distortion, search.context);
  CodingDescent found =
      descend_coding(search.X, std::move(merged), search.distortion, search.context);
  found.iterations += settled.iterations;
  return found;
}

LossyCodingResult search_from(const Search& search, const Labels& labels, int num_clusters,
                              int rounds) {
  // Lengths nearer to each other than this are the same partition, summed in another order.
  constexpr double kSame = 1e-10;
  const auto rate_of = [&](double length) {
    return length / (2.0 * static_cast<double>(search.X.cols()));
  };
  LossyCodingResult result;
  CodingDescent best = descend_coding(
      search.X, coded_groups(search.X, labels, num_clusters, search.distortion, search.context),
      search.distortion, search.context);
  int iterations = best.iterations;
  result.rates.push_back(rate_of(best.groups.length()));
  int in_vain = num_clusters == 1 ? rounds : 0;
  for (std::uint32_t round = 0; in_vain < rounds; ++round) {
    search.context.throw_if_cancelled();
    CodingDescent found = split_and_merge(search, best.groups, round);
    iterations += found.iterations;
    ++in_vain;
    if (found.groups.length() < (1.0 - kSame) * best.groups.length()) {
      best = std::move(found);
      in_vain = 0;
    }
    result.rates.push_back(rate_of(best.groups.length()));
    search.context.report("lossy_coding", in_vain, rounds);
  }
  result.labels = best.groups.labels(search.X.cols());
  result.rate = result.rates.back();
  const double length = best.groups.length();
  result.info = {
      .termination = best.settled ? Termination::kConverged : Termination::kIterationLimit,
      .iterations = iterations,
      .residual = length > 0.0 ? best.residual / length : 0.0};
  return result;
}

/// Clusters without a point get one of the largest, its last.
void complete(Labels& labels, int num_clusters) {
  std::vector<Index> sizes(static_cast<std::size_t>(num_clusters), 0);
  for (const int label : labels) ++sizes[static_cast<std::size_t>(label)];
  for (int k = 0; k < num_clusters; ++k) {
    if (sizes[static_cast<std::size_t>(k)] > 0) continue;
    const auto largest = static_cast<int>(std::ranges::max_element(sizes) - sizes.begin());
    const auto last = std::ranges::find(labels.rbegin(), labels.rend(), largest);
    *last = k;
    --sizes[static_cast<std::size_t>(largest)];
    ++sizes[static_cast<std::size_t>(k)];
  }
}

Matrix checked_points(const ConstMatrixRef& X, int num_clusters, const LossyCodingOptions& options,
                      const char* function, const Context& context) {
  LossyCodingOptions checked = options;
  check(describe(checked), function);
  check_memory(function, lossy_coding_bytes(options, X.rows(), X.cols(), num_clusters, context),
               allowed_memory(context), "use fewer threads, or give fewer samples or features");
  Matrix points = X;
  normalize_columns(points);
  return points;
}

}  // namespace

Parameters describe(LossyCodingOptions& options) {
  return {
      parameter("distortion", options.distortion, "squared error up to which points are coded")
          .above(0.0)
          .written("e"),
      parameter("rounds", options.rounds,
                "rounds of splits and merges in a row that find nothing better and end the search")
          .at_least(0),
  };
}

double lossy_coding_bytes(const LossyCodingOptions& options, Index dimension, Index num_points,
                          int num_clusters, const Context& context) {
  constexpr double kNumbersOfPoint = 10.0;  // labels, members and moves
  const bool splits = options.rounds > 0 && num_clusters > 1;
  const double groups =
      std::min((splits ? kMostParts : 1.0) * num_clusters, static_cast<double>(num_points));
  const Index order = std::min(dimension, num_points);
  const int threads = resolve_threads(context);
  // The points as they came and at unit length, and once more in their clusters. While these are
  // split and joined, each thread has a part or two clusters, of at most all points.
  const double copies = 3.0 + (splits ? threads : 0);
  return matrix_bytes(copies, dimension, num_points) +
         matrix_bytes(groups + kNumbersOfPoint, num_points, 1) +
         matrix_bytes(groups * groups, 1, 1) +
         matrix_bytes(4.0 * threads, order, order);  // products, two factors and a block
}

LossyCodingResult lossy_coding(const ConstMatrixRef& X, int num_clusters,
                               const LossyCodingOptions& options, std::uint64_t seed,
                               const Context& context) {
  require_finite(X, "lossy_coding");
  if (num_clusters < 1) {
    throw InvalidArgument(message("lossy_coding: k = ", num_clusters, ", must satisfy 1 <= k"));
  }
  if (num_clusters > X.cols()) {
    throw DataError(
        message("lossy_coding: ", X.cols(), " points cannot form ", num_clusters, " clusters"));
  }
  const Matrix points = checked_points(X, num_clusters, options, "lossy_coding", context);
  Context silent = context;
  silent.progress = {};
  Labels labels = kmeans(points, num_clusters, {.restarts = 1}, seed, silent).labels;
  complete(labels, num_clusters);
  return search_from({points, options.distortion, seed, context}, labels, num_clusters,
                     options.rounds);
}

LossyCodingResult refine_by_coding(const ConstMatrixRef& X, const Labels& labels,
                                   const LossyCodingOptions& options, std::uint64_t seed,
                                   const Context& context) {
  require_labelled(X, labels, "refine_by_coding");
  const Groups groups = group_by_label(labels);
  Labels numbered(labels.size());
  for (int g = 0; g < groups.size(); ++g) {
    for (const Index j : groups.members[static_cast<std::size_t>(g)]) {
      numbered[static_cast<std::size_t>(j)] = g;
    }
  }
  const Matrix points = checked_points(X, groups.size(), options, "refine_by_coding", context);
  LossyCodingResult result = search_from({points, options.distortion, seed, context}, numbered,
                                         groups.size(), options.rounds);
  const auto name = [&](int g) { return groups.names[static_cast<std::size_t>(g)]; };
  std::ranges::transform(result.labels, result.labels.begin(), name);
  return result;
}

}  // namespace subspace
