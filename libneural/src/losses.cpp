// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/losses.h>

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>

#include "loss_checks.h"
#include "on_cpu.h"
#include "view_stream.h"

namespace subspace::neural {
namespace {

using detail::check_finite;
using detail::check_positive;
using detail::check_shape;
using detail::check_weight;

void check_features(const char* function, const char* name, const torch::Tensor& z,
                    std::int64_t dimensions) {
  check_shape(function, name, z, dimensions);
  check_finite(function, "feature", z);
}

void check_same_shape(const char* function, const char* names, const torch::Tensor& a,
                      const torch::Tensor& b) {
  if (a.sizes() == b.sizes()) return;
  throw DataError(message(function, ": ", names, " have shapes ", a.sizes(), " and ", b.sizes(),
                          ", must be one"));
}

/// Two views of `least_pairs` images or more.
void check_pair(const char* function, const torch::Tensor& z1, const torch::Tensor& z2,
                std::int64_t least_pairs = 1) {
  check_features(function, "z1", z1, 2);
  check_features(function, "z2", z2, 2);
  check_same_shape(function, "z1 and z2", z1, z2);
  if (z1.size(0) < least_pairs) {
    throw DataError(
        message(function, ": ", z1.size(0), " pairs, must satisfy pairs >= ", least_pairs));
  }
}

torch::Tensor normalised(const torch::Tensor& z) { return torch::nn::functional::normalize(z); }

/// -ln(-ln u). The generator yields u = 0 once in 2^53 numbers; half its step stands for it.
double gumbel_number(RandomStream& random) {
  return -std::log(-std::log(std::max(random.uniform(), 0x1p-54)));
}

torch::Tensor diagonal_mask(const torch::Tensor& square) {
  return torch::eye(square.size(0), square.options().dtype(torch::kBool));
}

torch::Tensor squared_off_diagonal(const torch::Tensor& C) {
  return C.masked_fill(diagonal_mask(C), 0.0).square().sum();
}

}  // namespace

torch::Tensor view_similarity(const torch::Tensor& z1, const torch::Tensor& z2) {
  check_pair("view_similarity", z1, z2);
  return (normalised(z1) * normalised(z2)).sum(1).mean().to(torch::kFloat64);
}

torch::Tensor mean_view(const torch::Tensor& views) {
  check_features("mean_view", "views", views, 3);
  return normalised(views.mean(0));
}

torch::Tensor gumbel_softmax(const torch::Tensor& logits, const torch::Tensor& noise,
                             double temperature, bool straight_through) {
  check_shape("gumbel_softmax", "logits", logits, 2);
  check_shape("gumbel_softmax", "noise", noise, 2);
  check_same_shape("gumbel_softmax", "logits and noise", logits, noise);
  check_positive("gumbel_softmax", "temperature", temperature);
  check_finite("gumbel_softmax", "logit", logits);
  check_finite("gumbel_softmax", "noise number", noise);
  const torch::Tensor soft = torch::softmax((logits + noise.to(logits.options())) / temperature, 1);
  if (!straight_through) return soft;
  const torch::Tensor hard =
      torch::zeros_like(soft).scatter_(1, soft.detach().argmax(1, /*keepdim=*/true), 1.0);
  // The difference is zero to the last bit, so entries are 0 and 1; only its gradient remains.
  return hard + (soft - soft.detach());
}

torch::Tensor draw_gumbel(const ViewKey& key, std::span<const Index> images,
                          std::int64_t num_clusters) {
  if (num_clusters < 1) {
    throw InvalidArgument(
        message("draw_gumbel: num_clusters = ", num_clusters, ", must satisfy num_clusters >= 1"));
  }
  const torch::Tensor noise = torch::empty({static_cast<std::int64_t>(images.size()), num_clusters},
                                           on_cpu(torch::kFloat64));
  double* next = noise.mutable_data_ptr<double>();
  for (const Index image : images) {
    RandomStream random =
        detail::view_stream(key, Stream::kGumbel, static_cast<std::uint32_t>(image));
    next = std::generate_n(next, num_clusters, [&] { return gumbel_number(random); });
  }
  return noise;
}

torch::Tensor mcr2_ctrl(const torch::Tensor& views, double distortion, double gamma1,
                        double gamma2) {
  check_features("mcr2_ctrl", "views", views, 3);
  check_positive("mcr2_ctrl", "distortion", distortion);
  check_positive("mcr2_ctrl", "gamma1", gamma1);
  check_weight("mcr2_ctrl", "gamma2", gamma2);
  const torch::Tensor compressed = coding_rates(views.transpose(0, 1), distortion).mean();
  // gamma1 s is the scale of the smaller distortion e / gamma1.
  return compressed - gamma2 * coding_rate(views.flatten(0, 1), distortion / gamma1);
}

torch::Tensor simclr(const torch::Tensor& z1, const torch::Tensor& z2, double temperature,
                     bool decoupled) {
  check_pair("simclr", z1, z2, decoupled ? 2 : 1);
  check_positive("simclr", "temperature", temperature);
  const std::int64_t num_pairs = z1.size(0);
  const torch::Tensor z = torch::cat({normalised(z1), normalised(z2)});
  const torch::Tensor logits = z.mm(z.t()) / temperature;
  // Both halves of the symmetric matrix hold the same positives.
  const torch::Tensor positives = logits.diagonal(num_pairs);
  torch::Tensor left_out = diagonal_mask(logits);
  if (decoupled) {
    left_out.diagonal(num_pairs).fill_(true);
    left_out.diagonal(-num_pairs).fill_(true);
  }
  const torch::Tensor others =
      logits.masked_fill(left_out, -std::numeric_limits<double>::infinity()).logsumexp(1);
  return (others.mean() - positives.mean()).to(torch::kFloat64);
}

torch::Tensor vicreg(const torch::Tensor& z1, const torch::Tensor& z2,
                     const VicregOptions& options) {
  check_pair("vicreg", z1, z2, 2);
  check_weight("vicreg", "invariance", options.invariance);
  check_weight("vicreg", "variance", options.variance);
  check_weight("vicreg", "covariance", options.covariance);
  check_positive("vicreg", "deviation", options.deviation);
  check_positive("vicreg", "regularizer", options.regularizer);
  torch::Tensor loss = options.invariance * (z1 - z2).square().mean();
  for (const torch::Tensor& z : {z1, z2}) {
    const torch::Tensor centered = z - z.mean(0);
    const torch::Tensor C = centered.t().mm(centered) / static_cast<double>(z.size(0) - 1);
    const torch::Tensor deviations = (C.diagonal() + options.regularizer).sqrt();
    loss = loss + 0.5 * options.variance * torch::relu(options.deviation - deviations).mean() +
           options.covariance / static_cast<double>(z.size(1)) * squared_off_diagonal(C);
  }
  return loss.to(torch::kFloat64);
}

torch::Tensor barlow_twins(const torch::Tensor& z1, const torch::Tensor& z2,
                           double off_diagonal_weight) {
  check_pair("barlow_twins", z1, z2, 2);
  check_weight("barlow_twins", "off_diagonal_weight", off_diagonal_weight);
  const auto standardised = [](const torch::Tensor& z) {
    const torch::Tensor centered = z - z.mean(0);
    return centered / (centered.square().mean(0) + 1e-5).sqrt();
  };
  const torch::Tensor C =
      standardised(z1).t().mm(standardised(z2)) / static_cast<double>(z1.size(0));
  return ((1.0 - C.diagonal()).square().sum() + off_diagonal_weight * squared_off_diagonal(C))
      .to(torch::kFloat64);
}

}  // namespace subspace::neural
