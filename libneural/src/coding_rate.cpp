// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/coding_rate.h>

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

namespace subspace::neural {
namespace {

/// Cholesky factor of a symmetric G >= I. Unit rows give a condition number of at most 1 + p/e, far
/// from trouble; features that were not normalised may not, so the diagonal is raised step by step,
/// relative to its mean, before we give up.
torch::Tensor cholesky(const torch::Tensor& G) {
  const torch::Tensor mean_diagonal = G.diagonal().mean();
  for (const double jitter : {0.0, 1e-15, 1e-13, 1e-11, 1e-9}) {
    torch::Tensor raised = jitter > 0.0 ? G.clone() : G;
    if (jitter > 0.0) raised.diagonal().add_(jitter * mean_diagonal);
    const auto [factor, failed_at] = at::linalg_cholesky_ex(raised);
    if (failed_at.item<int>() == 0) return factor;
  }
  throw NumericalError("coding_rate: I + s Z'Z has no Cholesky factor");
}

class CodingRate : public torch::autograd::Function<CodingRate> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& Z,
                               double distortion) {
    const torch::Tensor rows = Z.detach().to(torch::kFloat64);
    const std::int64_t m = rows.size(0);
    const std::int64_t p = rows.size(1);
    const double s = static_cast<double>(p) / (static_cast<double>(m) * distortion);
    const bool wide = m < p;
    torch::Tensor G = (wide ? rows.mm(rows.t()) : rows.t().mm(rows)).mul_(s);
    G.diagonal().add_(1.0);
    const torch::Tensor factor = cholesky(G);
    // 1/2 logdet(L L') = sum of ln L_ii.
    const torch::Tensor rate = factor.diagonal().log().sum();
    if (Z.requires_grad()) {
      // (I + s ZZ')^-1 Z = Z (I + s Z'Z)^-1.
      const torch::Tensor gradient = wide ? at::cholesky_solve(rows, factor)
                                          : at::cholesky_solve(rows.t().contiguous(), factor).t();
      context->save_for_backward({(gradient * s).to(Z.scalar_type())});
    }
    return rate;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list outer) {
    if (torch::GradMode::is_enabled()) {
      throw InvalidArgument("coding_rate: differentiable once only");
    }
    const torch::Tensor gradient = context->get_saved_variables()[0];
    return {gradient * outer[0].to(gradient.scalar_type()), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor coding_rate(const torch::Tensor& Z, double distortion) {
  if (Z.dim() != 2 || Z.numel() == 0 || !Z.is_floating_point()) {
    throw DataError("coding_rate: Z must be a non-empty floating-point matrix");
  }
  if (!(distortion > 0.0) || !std::isfinite(distortion)) {
    throw InvalidArgument(
        message("coding_rate: distortion = ", distortion, ", must satisfy distortion > 0"));
  }
  if (!Z.detach().isfinite().all().item<bool>()) {
    throw NumericalError("coding_rate: a feature is not finite");
  }
  return CodingRate::apply(Z, distortion);
}

double collapsed_rate(std::int64_t p, double distortion) {
  return 0.5 * std::log1p(static_cast<double>(p) / distortion);
}

double isotropic_rate(std::int64_t m, std::int64_t p, double distortion) {
  const auto rank = static_cast<double>(std::min(m, p));
  return 0.5 * rank * std::log1p(static_cast<double>(p) / (rank * distortion));
}

}  // namespace subspace::neural
