// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/exemplar_vote.h>

#include <algorithm>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/exemplars.h>

#include "classify/predict_bytes.h"
#include "labels/groups.h"
#include "linalg/sizes.h"
#include "self_expression/solver_bytes.h"

namespace subspace {
namespace {

/// Where each class begins among the exemplars, and where the last ends.
std::vector<Index> class_bounds(const Labels& labels) {
  std::vector<Index> bounds = {0};
  for (std::size_t i = 1; i < labels.size(); ++i) {
    if (labels[i] != labels[i - 1]) bounds.push_back(static_cast<Index>(i));
  }
  bounds.push_back(static_cast<Index>(labels.size()));
  return bounds;
}

/// |x - E_k c_k| for each class.
Vector class_residuals(const LabelledExemplars& model, const std::vector<Index>& bounds,
                       const SparseMatrix& C, Index j, const Vector& x) {
  Matrix residuals = x.replicate(1, static_cast<Index>(bounds.size()) - 1);
  Index k = 0;
  for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry) {
    while (entry.row() >= bounds[static_cast<std::size_t>(k) + 1]) ++k;
    residuals.col(k) -= entry.value() * model.exemplars.col(entry.row());
  }
  return residuals.colwise().norm();
}

void decide(const Vector& residuals, const LabelledExemplars& model,
            const std::vector<Index>& bounds, Index j, NearestSubspaces& result) {
  Index best = 0;
  result.residuals[j] = residuals.minCoeff(&best);
  const Index first = bounds[static_cast<std::size_t>(best)];
  result.labels[static_cast<std::size_t>(j)] = model.labels[static_cast<std::size_t>(first)];
  double second = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < residuals.size(); ++k) {
    if (k != best) second = std::min(second, residuals[k]);
  }
  result.margins[j] = second - result.residuals[j];
}

}  // namespace

Parameters describe(ExemplarVoteOptions& options) {
  return {
      parameter("per_class", options.per_class, "exemplars of each class, farthest first")
          .at_least(1),
      parameter("lambda", options.lambda, "fit weight of the representation by exemplars")
          .above(1)
          .written("lambda"),
  };
}

LabelledExemplars choose_exemplars(const ConstMatrixRef& X, const Labels& labels,
                                   const ExemplarVoteOptions& options, std::uint64_t seed,
                                   const Context& context) {
  ExemplarVoteOptions checked = options;
  check(describe(checked), "choose_exemplars");
  require_labelled(X, labels, "choose_exemplars");
  const Groups groups = group_by_label(labels);
  const EscOptions search = {.num_exemplars = options.per_class, .lambda = options.lambda};
  LabelledExemplars model;
  model.lambda = options.lambda;
  std::vector<Index> chosen;
  for (int k = 0; k < groups.size(); ++k) {
    const auto& members = groups.members[static_cast<std::size_t>(k)];
    for (const int own : select_exemplars(gather(X, members), search, seed, context).points) {
      chosen.push_back(members[static_cast<std::size_t>(own)]);
      model.labels.push_back(groups.names[static_cast<std::size_t>(k)]);
    }
  }
  if (chosen.empty())
    throw DataError("choose_exemplars: all points are zero, none has a direction");
  model.exemplars = gather(X, chosen);
  normalize_columns(model.exemplars);
  return model;
}

double exemplar_votes_bytes(const LabelledExemplars& model, Index num_points,
                            const Context& context) {
  const Index dimension = model.exemplars.rows();
  const Index k = model.exemplars.cols();
  const double voting = matrix_bytes(2.0, dimension, num_points) +
                        represented_bytes(k, num_points) +
                        kLabelBytes * static_cast<double>(num_points);
  return std::max(representing_bytes(k, dimension, num_points, context), voting);
}

ExemplarVotes predict(const LabelledExemplars& model, const ConstMatrixRef& X,
                      const Context& context) {
  if (model.labels.empty() || static_cast<Index>(model.labels.size()) != model.exemplars.cols()) {
    throw InvalidArgument(message("predict: ", model.labels.size(), " labels of ",
                                  model.exemplars.cols(), " exemplars, must be one each and some"));
  }
  const EscOptions options = {.lambda = model.lambda};
  check_memory("predict", exemplar_votes_bytes(model, X.cols(), context), allowed_memory(context),
               "predict fewer points at a time");
  const ExemplarExpression expression =
      represent_by_exemplars(model.exemplars, X, options, context);
  const SparseMatrix& C = expression.coefficients;
  Matrix directions = X;
  normalize_columns(directions);
  const std::vector<Index> bounds = class_bounds(model.labels);
  ExemplarVotes result;
  for (const SolveInfo& solve : expression.solves) {
    if (solve.termination == Termination::kNotRun) continue;  // a zero point has nothing to solve
    result.largest_violation = std::max(result.largest_violation, solve.residual);
    result.converged = result.converged && solve.converged();
  }
  result.labels.resize(static_cast<std::size_t>(X.cols()));
  result.residuals.resize(X.cols());
  result.margins.resize(X.cols());
  constexpr Index kPointsPerTile = 64;
  for_tiles(context, X.cols(), kPointsPerTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      decide(class_residuals(model, bounds, C, j, directions.col(j)), model, bounds, j, result);
    }
  });
  return result;
}

}  // namespace subspace
