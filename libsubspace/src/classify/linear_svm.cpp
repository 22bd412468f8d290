// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/linear_svm.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>

#include "classify/binary_svm.h"
#include "classify/sampling.h"
#include "labels/groups.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

void check_arguments(const ConstMatrixRef& X, const Labels& labels,
                     const LinearSvmOptions& options) {
  LinearSvmOptions checked = options;
  check(describe(checked), "fit_linear_svm");
  if (options.folds == 1) {
    throw InvalidArgument("fit_linear_svm: folds = 1, must be 0 or satisfy 2 <= folds");
  }
  require_labelled(X, labels, "fit_linear_svm");
  if (options.folds > X.cols()) {
    throw DataError(message("fit_linear_svm: folds = ", options.folds,
                            ", must satisfy folds <= ", X.cols(), ", the number of samples"));
  }
}

/// For each fit under way the points, their copy with the appended feature and its factor; for each
/// thread the Newton matrix, its sum, and a block of support vectors.
void check_svm_memory(const ConstMatrixRef& X, const LinearSvmOptions& options,
                      const Context& context) {
  const Index order = std::min(X.rows() + 1, X.cols());
  const int threads = resolve_threads(context);
  check_memory("fit_linear_svm",
               matrix_bytes(options.folds > 0 ? 3.0 * threads : 2.0, X.rows() + 1, X.cols()) +
                   threads * (matrix_bytes(3.0, order, order) +
                              matrix_bytes(1.0, order, std::min(X.cols(), kSupportBlock))),
               allowed_memory(context), "reduce the number of features, or use fewer threads");
}

/// The points with the appended feature. The minimiser lies in their span: where they are fewer
/// than the features, they are replaced by their coordinates there, Z = Q R.
class SpannedPoints {
 public:
  SpannedPoints(const ConstMatrixRef& X, double bias) : coordinates_(X.rows() + 1, X.cols()) {
    coordinates_.topRows(X.rows()) = X;
    coordinates_.bottomRows(1).setConstant(bias);
    if (coordinates_.rows() <= coordinates_.cols()) return;
    factor_.emplace(std::move(coordinates_));
    const Index n = X.cols();
    coordinates_ = factor_->matrixQR().topRows(n).triangularView<Eigen::Upper>();
  }

  const Matrix& coordinates() const { return coordinates_; }

  /// From coordinates to features.
  Vector lift(const Vector& weights) const {
    if (!factor_) return weights;
    Vector lifted = Vector::Zero(factor_->rows());
    lifted.head(weights.size()) = weights;
    lifted.applyOnTheLeft(factor_->householderQ());
    return lifted;
  }

 private:
  Matrix coordinates_;
  std::optional<Eigen::HouseholderQR<Matrix>> factor_;
};

Vector signs_of(const std::vector<Index>& members, Index num_points) {
  Vector signs = Vector::Constant(num_points, -1.0);
  for (const Index j : members) signs[j] = 1.0;
  return signs;
}

void mirror_second_class(LinearSvm& model) {
  model.weights.row(1) = -model.weights.row(0);
  model.solves[1] = model.solves[0];
}

/// All classes for one C.
LinearSvm fit_classes(const ConstMatrixRef& X, const Labels& labels,
                      const LinearSvmOptions& options, const Context& context) {
  const Groups groups = group_by_label(labels);
  const SpannedPoints points(X, options.bias);
  LinearSvm model;
  model.classes = groups.names;
  model.penalty = options.penalty;
  model.weights.resize(groups.size(), X.rows() + 1);
  model.solves.resize(static_cast<std::size_t>(groups.size()));
  const bool mirrored = groups.size() == 2;
  for_tiles(
      context, mirrored ? 1 : groups.size(), 1,
      [&](const Tile& tile) {
        const Index k = tile.begin;
        const BinarySvm solved = solve_binary_svm({.points = points.coordinates(),
                                                   .signs = signs_of(groups.members[k], X.cols()),
                                                   .penalty = options.penalty,
                                                   .tolerance = options.tolerance,
                                                   .max_iterations = options.max_iterations},
                                                  context);
        model.weights.row(k) = points.lift(solved.weights).transpose();
        model.weights(k, X.rows()) *= options.bias;
        model.solves[k] = solved.info;
      },
      "linear-svm");
  if (mirrored) mirror_second_class(model);
  return model;
}

Labels labels_at(const Labels& labels, const std::vector<Index>& places) {
  Labels chosen;
  chosen.reserve(places.size());
  for (const Index j : places) chosen.push_back(labels[j]);
  return chosen;
}

/// Points of the fold that a model of all other points labels rightly.
Index right_in_fold(const ConstMatrixRef& X, const Labels& labels, const std::vector<int>& fold_of,
                    int fold, const LinearSvmOptions& options, const Context& context) {
  std::vector<Index> inside;
  std::vector<Index> outside;
  for (Index j = 0; j < X.cols(); ++j) (fold_of[j] == fold ? inside : outside).push_back(j);
  const LinearSvm model =
      fit_classes(gather(X, outside), labels_at(labels, outside), options, context);
  const Labels predicted = predict(model, gather(X, inside), context);
  Index right = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) right += predicted[i] == labels[inside[i]];
  return right;
}

/// Fills `candidates` and `validation`; returns the C that was right most often.
double choose_penalty(const ConstMatrixRef& X, const Labels& labels,
                      const LinearSvmOptions& options, std::uint64_t seed, const Context& context,
                      LinearSvm& model) {
  const std::vector<int> fold_of = stratified_folds(labels, options.folds, seed);
  const Index num_candidates = 2 * options.grid + 1;
  model.candidates.resize(num_candidates);
  for (Index c = 0; c < num_candidates; ++c) {
    model.candidates[c] = options.penalty * std::pow(10.0, static_cast<double>(c - options.grid));
  }
  Context silent = context;
  silent.progress = {};
  std::vector<Index> right(static_cast<std::size_t>(num_candidates * options.folds));
  for_tiles(
      context, static_cast<Index>(right.size()), 1,
      [&](const Tile& tile) {
        LinearSvmOptions candidate = options;
        candidate.penalty = model.candidates[tile.begin / options.folds];
        right[tile.begin] = right_in_fold(
            X, labels, fold_of, static_cast<int>(tile.begin % options.folds), candidate, silent);
      },
      "cross-validation");
  model.validation = Vector::Zero(num_candidates);
  for (std::size_t i = 0; i < right.size(); ++i) {
    model.validation[static_cast<Index>(i) / options.folds] += static_cast<double>(right[i]);
  }
  model.validation /= static_cast<double>(X.cols());
  Index best = 0;
  model.validation.maxCoeff(&best);
  return model.candidates[best];
}

void require_same_features(const LinearSvm& model, const ConstMatrixRef& X) {
  if (X.rows() + 1 != model.weights.cols()) {
    throw DataError(message("scores: points have ", X.rows(), " features, the model has ",
                            model.weights.cols() - 1, "; they must agree"));
  }
}

}  // namespace

Parameters describe(LinearSvmOptions& options) {
  return {
      parameter("penalty", options.penalty, "weight of the squared hinge loss")
          .above(0.0)
          .written("C"),
      parameter("bias", options.bias, "appended feature; 0: no intercept").at_least(0.0),
      parameter("tolerance", options.tolerance, "largest duality gap, relative to the objective")
          .at_least(0.0),
      parameter("max_iterations", options.max_iterations, "Newton steps of one class").at_least(1),
      parameter("folds", options.folds, "parts of the cross-validation that chooses C; 0: none")
          .at_least(0),
      parameter("grid", options.grid, "C is chosen among penalty * 10^-grid .. 10^grid")
          .at_least(0)
          .at_most(12),
  };
}

bool LinearSvm::converged() const {
  return std::all_of(solves.begin(), solves.end(),
                     [](const SolveInfo& info) { return info.converged(); });
}

LinearSvm fit_linear_svm(const ConstMatrixRef& X, const Labels& labels,
                         const LinearSvmOptions& options, std::uint64_t seed,
                         const Context& context) {
  check_arguments(X, labels, options);
  check_svm_memory(X, options, context);
  LinearSvm validated;
  LinearSvmOptions chosen = options;
  if (options.folds > 0) {
    chosen.penalty = choose_penalty(X, labels, options, seed, context, validated);
  }
  LinearSvm model = fit_classes(X, labels, chosen, context);
  model.candidates = std::move(validated.candidates);
  model.validation = std::move(validated.validation);
  return model;
}

Matrix scores(const LinearSvm& model, const ConstMatrixRef& X, const Context& context) {
  require_finite(X, "scores");
  require_same_features(model, X);
  constexpr Index kColumnsPerTile = 1024;
  Matrix result(model.weights.rows(), X.cols());
  const Index last = X.rows();
  for_tiles(context, X.cols(), kColumnsPerTile, [&](const Tile& tile) {
    result.middleCols(tile.begin, tile.size()).colwise() = model.weights.col(last);
    linalg::gemm({.m = result.rows(),
                  .n = tile.size(),
                  .k = X.rows(),
                  .a = model.weights.data(),
                  .lda = model.weights.rows(),
                  .b = X.col(tile.begin).data(),
                  .ldb = X.outerStride(),
                  .c = result.col(tile.begin).data(),
                  .ldc = result.rows(),
                  .beta = 1.0});
  });
  return result;
}

Labels predict(const LinearSvm& model, const ConstMatrixRef& X, const Context& context) {
  const Matrix S = scores(model, X, context);
  Labels labels(static_cast<std::size_t>(X.cols()));
  for (Index j = 0; j < X.cols(); ++j) {
    Index best = 0;
    S.col(j).maxCoeff(&best);
    labels[j] = model.classes[best];
  }
  return labels;
}

}  // namespace subspace
