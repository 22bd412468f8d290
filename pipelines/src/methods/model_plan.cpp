// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/model_plan.h"

#include <cmath>
#include <map>
#include <vector>

namespace subspace::pipelines {
namespace {

/// Points around their means: affine subspaces of dimension 0.
Subspaces center_subspaces(const Matrix& points, const Labels& labels) {
  std::map<int, std::vector<Index>> members;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    members[labels[j]].push_back(static_cast<Index>(j));
  }
  const auto count = static_cast<Index>(members.size());
  Subspaces model;
  model.bases.assign(members.size(), Matrix(points.rows(), 0));
  model.dimensions.assign(members.size(), 0);
  model.means.setZero(points.rows(), count);
  model.residuals.setZero(count);
  for (const auto& [label, own] : members) {
    const auto k = static_cast<Index>(model.classes.size());
    const auto size = static_cast<double>(own.size());
    for (const Index j : own) model.means.col(k) += points.col(j) / size;
    for (const Index j : own) {
      model.residuals[k] += (points.col(j) - model.means.col(k)).squaredNorm() / size;
    }
    model.residuals[k] = std::sqrt(model.residuals[k]);
    model.classes.push_back(label);
  }
  return model;
}

}  // namespace

ClusterModel make_model(const ModelPlan& plan, const ModelOptions& options, const ConstMatrixRef& X,
                        const Labels& labels, std::uint64_t seed, const Context& context) {
  ClusterModel model;
  model.preprocessor = fit_preprocessor(X, plan.preprocess, context);
  const Matrix points = apply(model.preprocessor, X, context).points;
  if (plan.centers) {
    model.subspaces = center_subspaces(points, labels);
    return model;
  }
  model.rule = options.rule;
  model.subspaces = fit_subspaces(
      points, labels,
      {.dimension = options.subspace_dimension > 0 ? options.subspace_dimension : plan.dimension,
       .energy = plan.energy > 0.0 ? plan.energy : options.subspace_energy,
       .center = plan.affine},
      context);
  if (options.rule == ModelRule::kExemplars) {
    model.exemplars = choose_exemplars(
        points, labels,
        {.per_class = options.exemplars_per_cluster, .lambda = options.exemplar_weight}, seed,
        context);
  }
  return model;
}

}  // namespace subspace::pipelines
