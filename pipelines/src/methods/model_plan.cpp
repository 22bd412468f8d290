// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/model_plan.h"

#include <cmath>

namespace subspace::pipelines {
namespace {

/// Points around their means: affine subspaces of dimension 0.
Subspaces center_subspaces(const Matrix& points, const Labels& labels, const Context& context) {
  Subspaces model = fit_subspaces(points, labels, {.dimension = 1, .center = true}, context);
  for (std::size_t k = 0; k < model.bases.size(); ++k) {
    model.bases[k].resize(points.rows(), 0);
    model.dimensions[k] = 0;
  }
  const Matrix distances = residuals(model, points, context);
  for (Index k = 0; k < model.means.cols(); ++k) {
    double sum = 0.0;
    Index count = 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[j] != model.classes[static_cast<std::size_t>(k)]) continue;
      const double distance = distances(k, static_cast<Index>(j));
      sum += distance * distance;
      ++count;
    }
    model.residuals[k] = std::sqrt(sum / static_cast<double>(count));
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
    model.subspaces = center_subspaces(points, labels, context);
    return model;
  }
  model.rule = options.rule;
  model.subspaces = fit_subspaces(
      points, labels,
      {.dimension = options.subspace_dimension > 0 ? options.subspace_dimension : plan.dimension,
       .energy = options.subspace_energy,
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
