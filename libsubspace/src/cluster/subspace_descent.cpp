// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/subspace_descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cluster/subspace_assignment.h"
#include "labels/groups.h"
#include "linalg/largest.h"
#include "linalg/linalg.h"
#include "preprocess/mean.h"

namespace subspace {
namespace {

// A residual this small beside the longest point is rounding: the point is fitted exactly.
constexpr double kExactFit = 1e-9;

double root_mean_square(const Vector& residuals) {
  return residuals.norm() / std::sqrt(static_cast<double>(residuals.size()));
}

class Descent {
 public:
  Descent(const ConstMatrixRef& X, const DescentOptions& options, const Context& context)
      : X_(X), options_(options), context_(context) {
    for (Index j = 0; j < X.cols(); ++j) longest_ = std::max(longest_, X.col(j).norm());
  }

  DescentResult run(Labels labels) {
    DescentResult result;
    result.info.termination = Termination::kIterationLimit;
    while (result.info.iterations < options_.max_iterations) {
      context_.throw_if_cancelled();
      ++result.info.iterations;
      fit(labels, result.model);
      const bool changed = assign(labels, result);
      result.objective.push_back(root_mean_square(result.residuals));
      if (!changed) {
        result.info.termination = Termination::kConverged;
        break;
      }
      labels = result.labels;
      if (has_settled(result.objective)) {
        if (is_exact_ || options_.rough) {
          result.info.termination = Termination::kStalled;
          break;
        }
        is_exact_ = true;  // less than the rounding of the fast way: it has no more to say
        continue;
      }
      refill_empty_clusters(result.residuals, labels);
    }
    if (!is_answer_exact_ && !options_.rough) {  // stopped before
      is_exact_ = true;
      fit(result.labels, result.model);
      assign(result.labels, result);
      result.objective.back() = root_mean_square(result.residuals);
    }
    set_class_residuals(result);
    return result;
  }

 private:
  /// Improves the last model, the first time and at the end by the principal directions themselves.
  void fit(const Labels& labels, Subspaces& model) const {
    model = is_exact_ || model.classes.empty()
                ? fit_exactly(X_, labels, options_.shapes, context_)
                : fit_nearer(X_, labels, model, options_.shapes, context_);
  }

  /// Gives every point to its nearest subspace; false when all are there already. The fast way
  /// first; when it has no more to say, the exact one takes over for good.
  bool assign(const Labels& labels, DescentResult& result) {
    if (!is_exact_) {
      result.labels = labels;
      const bool moved = move_clearly_nearer(X_, result.model, result.labels, context_);
      if (moved || options_.rough) {
        is_answer_exact_ = false;
        result.residuals = own_residuals(X_, result.model, result.labels, context_);
        return moved;
      }
      is_exact_ = true;
      fit(labels, result.model);
    }
    is_answer_exact_ = true;
    NearestSubspaces nearest = nearest_subspaces(result.model, X_, context_);
    result.labels = std::move(nearest.labels);
    result.residuals = std::move(nearest.residuals);
    return result.labels != labels;
  }

  /// Labels that go round in a circle without lowering the objective differ by rounding alone.
  static bool has_settled(const std::vector<double>& objective) {
    return objective.size() > 1 && objective.back() >= objective[objective.size() - 2];
  }

  /// Gives each empty cluster the worst fitted points. They lie in their new subspace exactly, and
  /// the subspaces they leave fit what remains at least as well: the objective falls.
  void refill_empty_clusters(const Vector& residuals, Labels& labels) const {
    std::vector<Index> counts(options_.shapes.dimensions.size(), 0);
    for (const int label : labels) ++counts[static_cast<std::size_t>(label)];
    if (std::find(counts.begin(), counts.end(), 0) == counts.end()) return;
    std::vector<Index> worst(labels.size());
    std::iota(worst.begin(), worst.end(), Index{0});
    std::stable_sort(worst.begin(), worst.end(),
                     [&](Index a, Index b) { return residuals[a] > residuals[b]; });
    auto next = worst.begin();
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (counts[c] > 0) continue;
      const Index wanted = options_.shapes.dimensions[c] + (options_.shapes.affine ? 1 : 0);
      for (; next != worst.end() && counts[c] < wanted; ++next) {
        if (residuals[*next] <= kExactFit * longest_) return;
        int& label = labels[static_cast<std::size_t>(*next)];
        if (counts[static_cast<std::size_t>(label)] == 1) continue;
        --counts[static_cast<std::size_t>(label)];
        ++counts[c];
        label = static_cast<int>(c);
      }
    }
  }

  /// Those of the fit belong to labels and dimensions before the last assignment.
  static void set_class_residuals(DescentResult& result) {
    const Groups groups = group_by_label(result.labels);
    result.model.residuals.setZero();
    for (int g = 0; g < groups.size(); ++g) {
      const auto c = std::lower_bound(result.model.classes.begin(), result.model.classes.end(),
                                      groups.names[static_cast<std::size_t>(g)]) -
                     result.model.classes.begin();
      const std::vector<Index>& members = groups.members[static_cast<std::size_t>(g)];
      result.model.residuals[c] = root_mean_square(result.residuals(members));
    }
  }

  const ConstMatrixRef& X_;
  const DescentOptions& options_;
  const Context& context_;
  double longest_ = 0.0;
  bool is_exact_ = false;         ///< fits and assignments from here on
  bool is_answer_exact_ = false;  ///< the last assignment was, and so was its fit
};

// ---- the certificate ----------------------------------------------------------------------------

Matrix product(const Matrix& A, bool transpose_a, const Matrix& B, bool transpose_b) {
  Matrix C(transpose_a ? A.cols() : A.rows(), transpose_b ? B.rows() : B.cols());
  if (C.size() == 0) return C;
  linalg::gemm({.transpose_a = transpose_a,
                .transpose_b = transpose_b,
                .m = C.rows(),
                .n = C.cols(),
                .k = transpose_a ? A.rows() : A.cols(),
                .a = A.data(),
                .lda = A.outerStride(),
                .b = B.data(),
                .ldb = B.outerStride(),
                .c = C.data(),
                .ldc = C.outerStride()});
  return C;
}

/// |(I - B B') Z| relative to `size`.
double outside(const Matrix& B, const Matrix& Z, double size) {
  if (Z.cols() == 0) return 0.0;
  if (B.cols() == 0) return Z.norm() / size;
  return (Z - product(B, false, product(B, true, Z, false), false)).norm() / size;
}

/// Of the points Y of one cluster, relative to the mean of its subspace.
double cluster_stationarity(const Matrix& B, const Matrix& Y, bool affine) {
  const double squared = Y.squaredNorm();
  if (!(squared > 0.0)) return 0.0;
  const Matrix image = product(Y, false, product(B, true, Y, false), true);  // Y Y'B
  double largest = outside(B, image, squared);
  if (affine) {
    const double rms = std::sqrt(squared / static_cast<double>(Y.cols()));
    largest = std::max(largest, outside(B, mean_column(Y), rms));
  }
  return largest;
}

}  // namespace

DescentResult descend(const ConstMatrixRef& X, Labels labels, const DescentOptions& options,
                      const Context& context) {
  return Descent(X, options, context).run(std::move(labels));
}

double stationarity(const ConstMatrixRef& X, const DescentResult& result, bool affine,
                    const Context& context) {
  const Subspaces& model = result.model;
  const double size = X.norm();
  if (size == 0.0) return 0.0;
  const Matrix R = residuals(model, X, context);
  double largest = 0.0;
  const auto note = [&largest](double value) { keep_largest(value, largest); };
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    context.throw_if_cancelled();
    std::vector<Index> members;
    for (Index j = 0; j < X.cols(); ++j) {
      if (result.labels[static_cast<std::size_t>(j)] != model.classes[c]) continue;
      members.push_back(j);
      note((R(static_cast<Index>(c), j) - R.col(j).minCoeff()) / size);
    }
    if (members.empty()) continue;
    const Matrix Y = gather(X, members).colwise() - model.means.col(static_cast<Index>(c));
    note(cluster_stationarity(model.bases[c], Y, affine));
  }
  return largest;
}

}  // namespace subspace
