// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <utility>
#include <vector>

#include <subspace/core/random.h>
#include <subspace/core/types.h>

namespace subspace {

/// A uniformly random order (Fisher-Yates), the same on every platform.
template <typename T>
void shuffle(std::vector<T>& items, RandomStream& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

/// The fold, 0 .. folds - 1, of every point. Each class is dealt out evenly in random order; a deal
/// goes on where that of the class before ended, so that folds differ by one point at most.
std::vector<int> stratified_folds(const Labels& labels, int folds, std::uint64_t seed);

/// All points in an order of which every beginning is balanced: in each round every class that has
/// points left gives one, the classes in random order. Longer beginnings contain the shorter ones.
std::vector<Index> balanced_order(const Labels& labels, std::uint64_t seed, int sampling);

}  // namespace subspace
