// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/coding_rate.h>

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "loss_checks.h"
#include "rate_factors.h"

namespace subspace::neural {
namespace {

using detail::check_finite;
using detail::check_positive;
using detail::check_shape;
using detail::tracked;

/// Of matrices Z (..., m, p) with G = I + s Z'Z:
struct Solved {
  torch::Tensor logdets;  // logdet G (...)
  torch::Tensor rows;     // Z G^-1 (..., m, p), where gradients are asked for
};

/// Puts in what singular values say of the matrices whose G has lost its 1.
void put_in(Solved& solved, const torch::Tensor& rows, double s, const torch::Tensor& lost) {
  const double root = std::sqrt(s);
  const detail::SingularForm form = detail::singular_form("coding_rate", rows * root);
  solved.logdets = at::where(lost, form.logdet(), solved.logdets);
  if (!solved.rows.defined()) return;
  solved.rows = at::where(lost.unsqueeze(-1).unsqueeze(-1), form.solved() / root, solved.rows);
}

/// Rates of the matrices Z (..., m, p), shape (...).
class CodingRate : public torch::autograd::Function<CodingRate> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& Z,
                               double distortion) {
    const torch::Tensor rows = Z.detach().to(torch::kFloat64);
    const std::int64_t m = rows.size(-2);
    const std::int64_t p = rows.size(-1);
    const double s = static_cast<double>(p) / (static_cast<double>(m) * distortion);
    const bool wide = m < p;
    torch::Tensor G = (wide ? rows.matmul(rows.mT()) : rows.mT().matmul(rows)).mul_(s);
    G.diagonal(0, -2, -1).add_(1.0);
    const auto [factor, failed_at] = at::linalg_cholesky_ex(G);
    Solved solved{detail::logdet_of_factor(factor), {}};
    if (Z.requires_grad()) {
      // (I + s ZZ')^-1 Z = Z (I + s Z'Z)^-1.
      solved.rows = wide ? at::cholesky_solve(rows, factor)
                         : at::cholesky_solve(rows.mT().contiguous(), factor).mT();
    }
    const torch::Tensor lost = detail::needs_singular_values(G, failed_at);
    if (lost.any().item<bool>()) put_in(solved, rows, s, lost);
    if (solved.rows.defined()) {
      context->save_for_backward({(solved.rows * s).to(Z.scalar_type())});
    }
    return 0.5 * solved.logdets;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list outer) {
    if (torch::GradMode::is_enabled()) {
      throw InvalidArgument("coding_rate: differentiable once only");
    }
    const torch::Tensor gradient = context->get_saved_variables()[0];
    return {gradient * outer[0].to(gradient.scalar_type()).unsqueeze(-1).unsqueeze(-1),
            torch::Tensor()};
  }
};

}  // namespace

torch::Tensor coding_rate(const torch::Tensor& Z, double distortion) {
  check_shape("coding_rate", "Z", Z, 2);
  check_positive("coding_rate", "distortion", distortion);
  check_finite("coding_rate", "feature", Z);
  return CodingRate::apply(tracked(Z), distortion);
}

torch::Tensor coding_rates(const torch::Tensor& Z, double distortion) {
  check_shape("coding_rates", "Z", Z, 3);
  check_positive("coding_rates", "distortion", distortion);
  check_finite("coding_rates", "feature", Z);
  return CodingRate::apply(tracked(Z), distortion);
}

double collapsed_rate(std::int64_t p, double distortion) {
  return 0.5 * std::log1p(static_cast<double>(p) / distortion);
}

double isotropic_rate(std::int64_t m, std::int64_t p, double distortion) {
  const auto rank = static_cast<double>(std::min(m, p));
  return 0.5 * rank * std::log1p(static_cast<double>(p) / (rank * distortion));
}

}  // namespace subspace::neural
