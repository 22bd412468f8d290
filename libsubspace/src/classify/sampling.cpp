// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "classify/sampling.h"

#include <numeric>

#include "labels/groups.h"

namespace subspace {

std::vector<int> stratified_folds(const Labels& labels, int folds, std::uint64_t seed) {
  Groups groups = group_by_label(labels);
  RandomStream random = stream(seed, Stream::kFolds);
  std::vector<int> fold_of(labels.size());
  int fold = 0;
  for (auto& members : groups.members) {
    shuffle(members, random);
    for (const Index j : members) {
      fold_of[j] = fold;
      fold = (fold + 1) % folds;
    }
  }
  return fold_of;
}

std::vector<Index> balanced_order(const Labels& labels, std::uint64_t seed, int sampling) {
  Groups groups = group_by_label(labels);
  RandomStream random = stream(seed, Stream::kFewLabels, static_cast<std::uint32_t>(sampling));
  for (auto& members : groups.members) shuffle(members, random);
  std::vector<int> turn(static_cast<std::size_t>(groups.size()));
  std::iota(turn.begin(), turn.end(), 0);
  std::vector<Index> order;
  order.reserve(labels.size());
  while (!turn.empty()) {
    shuffle(turn, random);
    for (const int c : turn) {
      order.push_back(groups.members[c].back());
      groups.members[c].pop_back();
    }
    std::erase_if(turn, [&groups](int c) { return groups.members[c].empty(); });
  }
  return order;
}

}  // namespace subspace
