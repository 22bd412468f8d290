// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "spectral/graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/spectral/components.h>

namespace subspace {
namespace {

void check_shape(const SparseMatrix& W) {
  if (W.rows() != W.cols() || W.cols() == 0) {
    throw DataError(message("spectral_embedding: W is ", W.rows(), " x ", W.cols(),
                            ", must be square and not empty"));
  }
}

void check_weights(const SparseMatrix& W) {
  for (Index j = 0; j < W.cols(); ++j) {
    for (SparseMatrix::InnerIterator w(W, j); w; ++w) {
      if (w.value() >= 0.0 && std::isfinite(w.value())) continue;
      throw DataError(message("spectral_embedding: W(", w.row(), ", ", j, ") = ", w.value(),
                              ", must be finite and not negative"));
    }
  }
}

SparseMatrix counted_edges(const SparseMatrix& W, bool loops) {
  SparseMatrix edges = W;
  edges.prune([loops](Index i, Index j, double w) { return (loops || i != j) && w != 0.0; });
  edges.makeCompressed();
  return edges;
}

[[noreturn]] void refuse_asymmetry(const SparseMatrix& W, Index i, Index j) {
  throw DataError(message("spectral_embedding: W(", i, ", ", j, ") = ", W.coeff(i, j), " but W(", j,
                          ", ", i, ") = ", W.coeff(j, i), ", must be symmetric"));
}

/// True when W equals its transpose to the bit, false when they differ by rounding; else throws.
bool is_symmetric(const SparseMatrix& W, const SparseMatrix& transposed) {
  constexpr double kRounding = 1e-10;
  bool same = true;
  for (Index j = 0; j < W.cols(); ++j) {
    SparseMatrix::InnerIterator a(W, j);
    SparseMatrix::InnerIterator b(transposed, j);
    for (; a && b && a.row() == b.row(); ++a, ++b) {
      if (a.value() == b.value()) continue;
      same = false;
      if (std::abs(a.value() - b.value()) > kRounding * std::max(a.value(), b.value())) {
        refuse_asymmetry(W, a.row(), j);
      }
    }
    if (a || b) refuse_asymmetry(W, a && (!b || a.row() < b.row()) ? a.row() : b.row(), j);
  }
  return same;
}

SparseMatrix checked_edges(const SparseMatrix& W, bool loops, const Context& context) {
  check_shape(W);
  check_weights(W);
  context.throw_if_cancelled();
  SparseMatrix edges = counted_edges(W, loops);
  context.throw_if_cancelled();
  const SparseMatrix transposed = edges.transpose();
  context.throw_if_cancelled();
  if (!is_symmetric(edges, transposed)) edges = 0.5 * edges + 0.5 * transposed;
  return edges;
}

Vector weighted_degrees(const SparseMatrix& W) {
  Vector degrees = Vector::Zero(W.cols());
  for (Index j = 0; j < W.cols(); ++j) {
    for (SparseMatrix::InnerIterator w(W, j); w; ++w) degrees[j] += w.value();
  }
  if (!std::isfinite(degrees.sum())) {
    throw DataError("spectral_embedding: the weights of W sum to inf, must be finite; scale W");
  }
  return degrees;
}

/// A set of components that will share one row of the embedding.
struct Group {
  std::size_t size = 0;
  std::size_t first = 0;
};

bool joins_later(const Group& a, const Group& b) {
  return a.size != b.size ? a.size > b.size : a.first < b.first;
}

}  // namespace

Graph split_graph(const SparseMatrix& W, bool loops, const Context& context) {
  const SparseMatrix edges = checked_edges(W, loops, context);
  context.throw_if_cancelled();
  const Components components = connected_components(edges);
  std::vector<std::vector<int>> members(static_cast<std::size_t>(components.count));
  std::vector<int> local(static_cast<std::size_t>(edges.cols()));
  for (std::size_t v = 0; v < local.size(); ++v) {
    std::vector<int>& own = members[static_cast<std::size_t>(components.of[v])];
    local[v] = static_cast<int>(own.size());
    own.push_back(static_cast<int>(v));
  }
  Graph graph;
  graph.num_vertices = edges.cols();
  graph.degrees = weighted_degrees(edges);
  for (std::vector<int>& vertices : members) {
    context.throw_if_cancelled();
    if (vertices.size() == 1) {
      ++graph.num_isolated;
    } else {
      graph.components.push_back(
          normalized_component(edges, graph.degrees, std::move(vertices), local));
    }
  }
  return graph;
}

std::vector<int> merged_groups(const std::vector<NormalizedComponent>& components, std::size_t k) {
  std::priority_queue<Group, std::vector<Group>, decltype(&joins_later)> queue(&joins_later);
  std::vector<std::size_t> joined_to(components.size());
  std::iota(joined_to.begin(), joined_to.end(), std::size_t{0});
  for (std::size_t c = 0; c < components.size(); ++c)
    queue.push({components[c].vertices.size(), c});
  while (queue.size() > k) {
    const Group a = queue.top();
    queue.pop();
    const Group b = queue.top();
    queue.pop();
    const std::size_t first = std::min(a.first, b.first);
    joined_to[std::max(a.first, b.first)] = first;
    queue.push({a.size + b.size, first});
  }
  // joined_to points to earlier components only, so one pass resolves chains.
  std::vector<int> group(components.size());
  int count = 0;
  for (std::size_t c = 0; c < components.size(); ++c) {
    group[c] = joined_to[c] == c ? count++ : group[joined_to[c]];
  }
  return group;
}

}  // namespace subspace
