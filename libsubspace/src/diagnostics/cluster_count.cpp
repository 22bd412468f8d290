// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/cluster_count.h>

#include <algorithm>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/spectral/embedding.h>

namespace subspace {
namespace {

/// 1 - lambda of the adjacency's eigenvalues, those that exist; rounding does not make one negative
/// or a later one smaller.
Vector laplacian_eigenvalues(const Embedding& embedding, Index num_vertices) {
  const Index count = std::min(embedding.eigenvalues.size(), num_vertices - embedding.num_isolated);
  Vector values = (1.0 - embedding.eigenvalues.head(count).array()).matrix();
  double last = 0.0;
  for (double& value : values) {
    value = std::max(value, last);
    last = value;
  }
  return values;
}

void choose(ClusterCount& result) {
  const Vector& values = result.eigenvalues;
  result.num_clusters = std::max(1, result.num_components);
  result.gap = std::numeric_limits<double>::quiet_NaN();
  for (Index k = 2; k < values.size(); ++k) {
    result.candidates.push_back({static_cast<int>(k), values[k] - values[k - 1]});
  }
  if (result.candidates.empty()) return;
  const auto less = [](const auto& a, const auto& b) { return a.gap < b.gap; };
  // The first of equal ones.
  const auto best = std::max_element(result.candidates.begin(), result.candidates.end(), less);
  if (!(best->gap > 0.0)) return;
  result.num_clusters = best->num_clusters;
  result.gap = best->gap;
  double next = values[1] - values[0];  // one cluster
  for (auto other = result.candidates.begin(); other != result.candidates.end(); ++other) {
    if (other != best) next = std::max(next, other->gap);
  }
  result.clarity = std::max(0.0, 1.0 - next / best->gap);
}

void add_warnings(ClusterCount& result, const Embedding& embedding, int most) {
  if (result.num_isolated > 0) {
    result.warnings.push_back(message(result.num_isolated, " of ", embedding.points.cols(),
                                      " points have no edge and speak for no number of clusters"));
  }
  if (result.num_components > most) {
    result.warnings.push_back(message("the graph has ", result.num_components,
                                      " components, more than max_clusters = ", most));
  } else if (result.eigenvalues.size() > 2 &&
             result.eigenvalues[1] - result.eigenvalues[0] > result.gap) {
    result.warnings.push_back(message("one cluster has a wider gap (", result.eigenvalues[1],
                                      ") than ", result.num_clusters, " (", result.gap, ")"));
  }
  if (!result.info.converged()) {
    result.warnings.push_back(
        message("the eigenvalues did not converge: largest residual ", result.info.residual));
  }
}

}  // namespace

Parameters describe(ClusterCountOptions& options) {
  return {parameter("max_clusters", options.max_clusters, "largest number of clusters tried")
              .at_least(2)
              .written("k")};
}

ClusterCount estimate_cluster_count(const SparseMatrix& W, const ClusterCountOptions& options,
                                    std::uint64_t seed, const Context& context) {
  ClusterCountOptions checked = options;
  check(describe(checked), "estimate_cluster_count");
  // One eigenvalue more than the largest number tried; of an empty W the embedding says what is
  // wrong.
  const Index wanted =
      std::max<Index>(1, std::min<Index>(Index{options.max_clusters} + 1, W.cols()));
  const Embedding embedding =
      spectral_embedding(W, static_cast<int>(wanted),
                         {.scale = EmbeddingScale::kNone, .loops = options.loops}, seed, context);
  ClusterCount result;
  result.num_components = embedding.num_components;
  result.num_isolated = embedding.num_isolated;
  result.info = embedding.info;
  result.eigenvalues = laplacian_eigenvalues(embedding, W.cols());
  choose(result);
  add_warnings(result, embedding, options.max_clusters);
  return result;
}

}  // namespace subspace
