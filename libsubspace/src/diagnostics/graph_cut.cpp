// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/graph_cut.h>

#include <limits>

#include <subspace/core/error.h>

#include "labels/groups.h"

namespace subspace {
namespace {

void require_labelled_graph(const SparseMatrix& W, const Labels& labels) {
  if (W.rows() == W.cols() && W.cols() == static_cast<Index>(labels.size())) return;
  throw DataError(message("graph_cut: ", labels.size(), " labels for a ", W.rows(), " x ", W.cols(),
                          " affinity, must be one a vertex of a square one"));
}

/// Share of the weight at the points of one cluster whose other end is outside of it.
double leaving_share(const SparseMatrix& W, const Labels& labels,
                     const std::vector<Index>& members) {
  double inside = 0.0, outside = 0.0;
  for (const Index j : members) {
    const int own = labels[static_cast<std::size_t>(j)];
    for (SparseMatrix::InnerIterator edge(W, j); edge; ++edge) {
      if (edge.row() == j) continue;
      (labels[static_cast<std::size_t>(edge.row())] == own ? inside : outside) += edge.value();
    }
  }
  return outside / (inside + outside);  // NaN without an edge
}

}  // namespace

GraphCut graph_cut(const SparseMatrix& W, const Labels& labels) {
  require_labelled_graph(W, labels);
  const Groups groups = group_by_label(labels);
  GraphCut cut{.labels = groups.names, .shares = Vector(groups.size())};
  double sum = 0.0;
  int counted = 0;
  for (int k = 0; k < groups.size(); ++k) {
    cut.shares[k] = leaving_share(W, labels, groups.members[static_cast<std::size_t>(k)]);
    if (!(cut.shares[k] >= 0.0)) continue;
    sum += cut.shares[k];
    ++counted;
  }
  cut.mean = counted > 0 ? sum / counted : std::numeric_limits<double>::quiet_NaN();
  return cut;
}

}  // namespace subspace
