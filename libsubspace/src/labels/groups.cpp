// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "labels/groups.h"

#include <map>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>

namespace subspace {

Groups group_by_label(const Labels& labels) {
  std::map<int, std::vector<Index>> by_label;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    by_label[labels[j]].push_back(static_cast<Index>(j));
  }
  Groups groups;
  for (auto& [name, members] : by_label) {
    groups.names.push_back(name);
    groups.members.push_back(std::move(members));
  }
  return groups;
}

void require_labelled(const ConstMatrixRef& X, const Labels& labels, const std::string& function) {
  require_finite(X, function);
  if (static_cast<Index>(labels.size()) != X.cols()) {
    throw DataError(message(function, ": ", labels.size(), " labels and ", X.cols(),
                            " samples, must be as many"));
  }
}

Matrix gather(const ConstMatrixRef& X, const std::vector<Index>& columns) {
  Matrix gathered(X.rows(), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    gathered.col(static_cast<Index>(j)) = X.col(columns[j]);
  }
  return gathered;
}

}  // namespace subspace
