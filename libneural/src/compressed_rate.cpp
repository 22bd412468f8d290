// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/coding_rate.h>

#include <torch/torch.h>

#include <map>

#include <subspace/core/error.h>

#include "loss_checks.h"
#include "rate_factors.h"

namespace subspace::neural {
namespace {

using detail::check_finite;
using detail::check_positive;
using detail::check_shape;
using detail::tracked;

/// Keeps the rate of an empty cluster, and its gradient, finite.
constexpr double kLeastSize = 1e-8;

/// What value and gradients of R_c share. With A_k = I + a_k Z' diag(pi_k) Z, a_k = p / (t_k e):
struct Clusters {
  torch::Tensor rows;     // Z (m, p)
  torch::Tensor weights;  // pi (m, K)
  torch::Tensor sizes;    // t (K)
  torch::Tensor scales;   // a (K)
  torch::Tensor factors;  // L_k of A_k = L_k L_k' (K, p, p)
  torch::Tensor logdets;  // logdet A_k (K)
  /// For clusters whose A_k has lost its 1: sqrt(a_k diag(pi_k)) Z by singular values.
  std::map<std::int64_t, detail::SingularForm> singular;
};

/// One product per cluster: a batch would hold K copies of Z.
torch::Tensor weighted_grams(const torch::Tensor& rows, const torch::Tensor& weights) {
  const std::int64_t num_clusters = weights.size(1);
  torch::Tensor grams = torch::empty({num_clusters, rows.size(1), rows.size(1)}, rows.options());
  torch::Tensor weighted = torch::empty_like(rows);
  for (std::int64_t k = 0; k < num_clusters; ++k) {
    at::mul_out(weighted, rows, weights.select(1, k).unsqueeze(1));
    torch::Tensor gram = grams.select(0, k);
    at::mm_out(gram, rows.t(), weighted);
  }
  return grams;
}

Clusters factorise(const torch::Tensor& Z, const torch::Tensor& membership, double distortion) {
  Clusters all;
  all.rows = Z.detach().to(torch::kFloat64).contiguous();
  all.weights = membership.detach().to(torch::kFloat64);
  all.sizes = all.weights.sum(0) + kLeastSize;
  all.scales = static_cast<double>(Z.size(1)) / (distortion * all.sizes);
  torch::Tensor A = weighted_grams(all.rows, all.weights);
  A.mul_(all.scales.view({-1, 1, 1}));
  A.diagonal(0, -2, -1).add_(1.0);
  const auto [factors, failed_at] = at::linalg_cholesky_ex(A);
  all.factors = factors;
  all.logdets = detail::logdet_of_factor(all.factors);
  const torch::Tensor lost = detail::needs_singular_values(A, failed_at);
  if (!lost.any().item<bool>()) return all;
  for (std::int64_t k = 0; k < all.logdets.size(0); ++k) {
    if (!lost[k].item<bool>()) continue;
    const torch::Tensor roots = (all.scales[k] * all.weights.select(1, k)).sqrt().unsqueeze(1);
    const detail::SingularForm form =
        detail::singular_form("compressed_rate", detail::at_least_square(all.rows * roots));
    all.logdets[k] = form.logdet();
    all.singular.emplace(k, form);
  }
  return all;
}

/// What the gradients take from cluster k.
struct Solved {
  torch::Tensor q;              // q_ik = z_i' A_k^-1 z_i (m)
  torch::Tensor weighted_rows;  // diag(pi_k) Z A_k^-1 (m, p), where it is asked for
};

Solved solve(const Clusters& all, std::int64_t k, bool of_features) {
  const torch::Tensor weights = all.weights.select(1, k).unsqueeze(1);
  Solved result;
  if (const auto singular = all.singular.find(k); singular != all.singular.end()) {
    const detail::SingularForm& form = singular->second;
    result.q = form.quadratic_forms(all.rows);
    if (of_features) {
      // diag(pi) Z = diag(sqrt(pi / a)) Y with Y = sqrt(a diag(pi)) Z.
      const torch::Tensor rows = form.solved().narrow(0, 0, all.rows.size(0));
      result.weighted_rows = rows * (weights / all.scales[k]).sqrt();
    }
    return result;
  }
  const torch::Tensor L = all.factors.select(0, k);
  const torch::Tensor W = at::linalg_solve_triangular(L, all.rows.t(), /*upper=*/false);
  result.q = W.square().sum(0);
  if (of_features) {
    result.weighted_rows = at::linalg_solve_triangular(L.mT(), W, /*upper=*/true).t() * weights;
  }
  return result;
}

struct Gradients {
  torch::Tensor Z;           // (m, p)
  torch::Tensor membership;  // (m, K)
};

/// With s = p / (m e) = t_k a_k / m, d logdet A = tr(A^-1 dA) and q_ik = z_i' A_k^-1 z_i:
///     dR_c/dZ     = sum_k t_k/(2m) 2 a_k diag(pi_k) Z A_k^-1 = s sum_k diag(pi_k) Z A_k^-1,
///     dR_c/dpi_ik = s/2 q_ik + dR_c/dt_k,
/// the latter because t_k, in front and within a_k, holds pi_ik as well:
///     dR_c/dt_k   = 1/(2m) (logdet A_k - tr(A_k^-1 (A_k - I)))
///                 = 1/(2m) (logdet A_k - a_k sum_i pi_ik q_ik).
/// q comes from W = L_k^-1 Z' as a sum of squares, and A_k^-1 Z' is L_k^-T W (solve(), above).
Gradients differentiate(const Clusters& all, double distortion, bool of_features) {
  const auto m = static_cast<double>(all.rows.size(0));
  const double s = static_cast<double>(all.rows.size(1)) / (m * distortion);
  Gradients result;
  result.membership = torch::empty_like(all.weights);
  if (of_features) result.Z = torch::zeros_like(all.rows);
  for (std::int64_t k = 0; k < all.weights.size(1); ++k) {
    const torch::Tensor weights = all.weights.select(1, k);
    const Solved solved = solve(all, k, of_features);
    const torch::Tensor by_size = all.logdets[k] - all.scales[k] * weights.dot(solved.q);
    result.membership.select(1, k).copy_(0.5 * s * solved.q + by_size / (2.0 * m));
    if (of_features) result.Z.add_(solved.weighted_rows, s);
  }
  return result;
}

class CompressedRate : public torch::autograd::Function<CompressedRate> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& Z,
                               const torch::Tensor& membership, double distortion) {
    const Clusters all = factorise(Z, membership, distortion);
    if (Z.requires_grad() || membership.requires_grad()) {
      const Gradients gradients = differentiate(all, distortion, Z.requires_grad());
      context->save_for_backward(
          {gradients.Z.defined() ? gradients.Z.to(Z.scalar_type()) : torch::Tensor(),
           gradients.membership.to(membership.scalar_type())});
    }
    return all.sizes.dot(all.logdets) / (2.0 * static_cast<double>(Z.size(0)));
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list outer) {
    if (torch::GradMode::is_enabled()) {
      throw InvalidArgument("compressed_rate: differentiable once only");
    }
    torch::autograd::variable_list gradients = context->get_saved_variables();
    for (torch::Tensor& gradient : gradients) {
      if (gradient.defined()) gradient = gradient * outer[0].to(gradient.scalar_type());
    }
    gradients.emplace_back();
    return gradients;
  }
};

void check_membership(const torch::Tensor& membership, std::int64_t m) {
  check_shape("compressed_rate", "membership", membership, 2);
  if (membership.size(0) != m) {
    throw DataError(message("compressed_rate: membership has ", membership.size(0), " rows, Z has ",
                            m, "; they must agree"));
  }
  check_finite("compressed_rate", "membership", membership);
  const double least = membership.detach().min().item<double>();
  if (least < 0.0) {
    throw DataError(
        message("compressed_rate: a membership is ", least, ", must satisfy membership >= 0"));
  }
}

}  // namespace

torch::Tensor compressed_rate(const torch::Tensor& Z, const torch::Tensor& membership,
                              double distortion) {
  check_shape("compressed_rate", "Z", Z, 2);
  check_positive("compressed_rate", "distortion", distortion);
  check_finite("compressed_rate", "feature", Z);
  check_membership(membership, Z.size(0));
  return CompressedRate::apply(tracked(Z), tracked(membership), distortion);
}

torch::Tensor rate_reduction(const torch::Tensor& Z, const torch::Tensor& membership,
                             double distortion) {
  return coding_rate(Z, distortion) - compressed_rate(Z, membership, distortion);
}

}  // namespace subspace::neural
