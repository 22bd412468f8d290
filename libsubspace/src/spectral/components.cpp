// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/spectral/components.h>

#include <numeric>

#include <subspace/core/error.h>

namespace subspace {
namespace {

/// Disjoint sets whose representative is their smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(Index n) : parent_(static_cast<std::size_t>(n)) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }

  Index find(Index v) {
    while (parent(v) != v) {
      parent(v) = parent(parent(v));  // path halving
      v = parent(v);
    }
    return v;
  }

  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    if (a < b) {
      parent(b) = a;
    } else {
      parent(a) = b;
    }
  }

 private:
  Index& parent(Index v) { return parent_[static_cast<std::size_t>(v)]; }
  std::vector<Index> parent_;
};

}  // namespace

Components connected_components(const SparseMatrix& W) {
  if (W.rows() != W.cols()) {
    throw DataError(
        message("connected_components: W is ", W.rows(), " x ", W.cols(), ", must be square"));
  }
  DisjointSets sets(W.cols());
  for (Index j = 0; j < W.cols(); ++j) {
    for (SparseMatrix::InnerIterator edge(W, j); edge; ++edge) {
      if (edge.value() != 0.0) sets.join(edge.row(), j);
    }
  }
  Components components;
  components.of.resize(static_cast<std::size_t>(W.cols()));
  for (Index v = 0; v < W.cols(); ++v) {
    const Index root = sets.find(v);
    int& of_v = components.of[static_cast<std::size_t>(v)];
    if (root == v) {
      of_v = components.count++;
      components.sizes.push_back(0);
    } else {
      of_v = components.of[static_cast<std::size_t>(root)];
    }
    ++components.sizes[static_cast<std::size_t>(of_v)];
  }
  return components;
}

}  // namespace subspace
