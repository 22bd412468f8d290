// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cholesky_ladder.h"

#include <torch/torch.h>

#include <subspace/core/error.h>

namespace subspace::neural::detail {

torch::Tensor cholesky_ladder(const char* function, const torch::Tensor& G) {
  auto [factor, failed_at] = at::linalg_cholesky_ex(G);
  torch::Tensor failed = failed_at.ne(0);
  if (!failed.any().item<bool>()) return factor;
  const torch::Tensor mean_diagonal = G.diagonal(0, -2, -1).mean(-1, /*keepdim=*/true);
  torch::Tensor jitter = torch::zeros_like(mean_diagonal);
  for (const double rung : {1e-15, 1e-13, 1e-11, 1e-9}) {
    jitter.masked_fill_(failed.unsqueeze(-1), rung);
    torch::Tensor raised = G.clone();
    raised.diagonal(0, -2, -1).add_(jitter * mean_diagonal);
    std::tie(factor, failed_at) = at::linalg_cholesky_ex(raised);
    failed = failed_at.ne(0);
    if (!failed.any().item<bool>()) return factor;
  }
  throw NumericalError(message(function, ": I + s Z'Z has no Cholesky factor"));
}

torch::Tensor logdet_of_factor(const torch::Tensor& L) {
  return 2.0 * L.diagonal(0, -2, -1).log().sum(-1);
}

}  // namespace subspace::neural::detail
