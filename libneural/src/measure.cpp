// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "measure.h"

#include <subspace/core/error.h>
#include <subspace/neural/coding_rate.h>
#include <subspace/neural/losses.h>

namespace subspace::neural {
namespace {

namespace F = torch::nn::functional;

torch::Tensor unit_rows(const torch::Tensor& features) {
  return F::normalize(features, F::NormalizeFuncOptions().dim(-1));
}

torch::Tensor rate_of_views(const torch::Tensor& z, const ObjectiveOptions& options) {
  if (options.rate_of == RateOf::kMeanView) return coding_rate(mean_view(z), options.distortion);
  torch::Tensor sum = coding_rate(z[0], options.distortion);
  for (std::int64_t view = 1; view < z.size(0); ++view) {
    sum = sum + coding_rate(z[view], options.distortion);
  }
  return sum / static_cast<double>(z.size(0));
}

/// Rate and similarity of what the objective does not minimise, for the record.
StepStats diagnose(const torch::Tensor& z, const ObjectiveOptions& options) {
  const torch::NoGradGuard no_graph;
  StepStats stats;
  stats.coding_rate = coding_rate(mean_view(z), options.distortion).item<double>();
  stats.similarity = view_similarity(z[0], z[1]).item<double>();
  return stats;
}

Measured total_coding_rate(const torch::Tensor& z, const ObjectiveOptions& options) {
  const torch::Tensor rate = rate_of_views(z, options);
  const torch::Tensor similarity = view_similarity(z[0], z[1]);
  const torch::Tensor loss = -rate - options.similarity * similarity;
  return {loss,
          {.loss = loss.item<double>(),
           .coding_rate = rate.item<double>(),
           .similarity = similarity.item<double>()}};
}

/// Assignments of both views are drawn apart and averaged, which makes the views agree on a
/// cluster.
torch::Tensor membership(const torch::Tensor& logits, const torch::Tensor& gumbel,
                         const ObjectiveOptions& options) {
  const torch::Tensor draws =
      gumbel_softmax(logits.flatten(0, 1), gumbel.flatten(0, 1).to(logits.scalar_type()),
                     options.temperature, options.straight_through);
  return draws.view(logits.sizes()).mean(0);
}

Measured clustering_and_embedding(const torch::Tensor& z, const torch::Tensor& logits,
                                  const torch::Tensor& gumbel, const ObjectiveOptions& options) {
  const torch::Tensor mean = mean_view(z);
  const torch::Tensor rate = coding_rate(mean, options.distortion);
  const torch::Tensor compressed =
      compressed_rate(mean, membership(logits, gumbel, options), options.distortion);
  const torch::Tensor similarity = view_similarity(z[0], z[1]);
  const torch::Tensor loss = compressed - rate - options.similarity * similarity;
  return {loss,
          {.loss = loss.item<double>(),
           .coding_rate = rate.item<double>(),
           .compressed_rate = compressed.item<double>(),
           .similarity = similarity.item<double>()}};
}

/// The losses of other publications.
torch::Tensor other_loss(const torch::Tensor& features, const torch::Tensor& z,
                         const ObjectiveOptions& options) {
  switch (options.objective) {
    case Objective::kMcr2:
      return mcr2_ctrl(z, options.distortion, options.rate_scale, options.rate_weight);
    case Objective::kSimclr:
      return simclr(z[0], z[1], options.temperature, options.decoupled);
    case Objective::kVicreg:
      return vicreg(features[0], features[1],
                    {.invariance = options.invariance,
                     .variance = options.variance,
                     .covariance = options.covariance});
    default:
      return barlow_twins(features[0], features[1], options.redundancy);
  }
}

void check_finite(const torch::Tensor& features) {
  if (features.detach().isfinite().all().item<bool>()) return;
  throw NumericalError("the features, and so the loss, are not finite; lower learning_rate");
}

}  // namespace

Measured measure(const ViewOutputs& outputs, const torch::Tensor& gumbel,
                 const ObjectiveOptions& options) {
  check_finite(outputs.features);
  const torch::Tensor z = unit_rows(outputs.features);
  if (options.objective == Objective::kTcr) return total_coding_rate(z, options);
  if (options.objective == Objective::kNmce) {
    return clustering_and_embedding(z, outputs.logits, gumbel, options);
  }
  Measured measured = {other_loss(outputs.features, z, options), diagnose(z, options)};
  measured.stats.loss = measured.loss.item<double>();
  return measured;
}

}  // namespace subspace::neural
