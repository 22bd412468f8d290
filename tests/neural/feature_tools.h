// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/torch.h>

#include <algorithm>
#include <cstdint>

#include <subspace/core/random.h>

/// Random features, and derivatives the slow way.
namespace subspace::neural::testing {

inline torch::Tensor gaussian(torch::IntArrayRef shape, std::uint32_t index = 0) {
  RandomStream random = stream(5, Stream::kTest, index);
  torch::Tensor result = torch::empty(shape, torch::kFloat64);
  double* numbers = result.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < result.numel(); ++i) numbers[i] = random.normal();
  return result;
}

inline torch::Tensor unit_rows(std::int64_t m, std::int64_t p, std::uint32_t index = 0) {
  return torch::nn::functional::normalize(gaussian({m, p}, index));
}

/// V views (V, m, p) of unit features, not far from one another.
inline torch::Tensor close_views(std::int64_t num_views, std::int64_t m, std::int64_t p) {
  const torch::Tensor views = unit_rows(m, p) + 0.2 * gaussian({num_views, m, p}, 1);
  return views / views.norm(2, -1, true);
}

inline torch::Tensor rotation(std::int64_t p) {
  return std::get<0>(torch::linalg_qr(gaussian({p, p}, 2)));
}

/// Gaussian numbers in steps of 1/parts: sums of products of few of them are exact in single
/// precision, so that two ways to compute them have the same signs and the same largest.
inline torch::Tensor rounded_gaussian(torch::IntArrayRef shape, double parts,
                                      std::uint32_t index = 0) {
  return (gaussian(shape, index) * parts).round() / parts;
}

/// The largest difference, relative to the largest of `expected`.
inline double relative_distance(const torch::Tensor& found, const torch::Tensor& expected) {
  const torch::Tensor reference = expected.to(torch::kFloat64);
  const double scale = std::max(1e-3, reference.abs().max().item<double>());
  return (found.to(torch::kFloat64) - reference).abs().max().item<double>() / scale;
}

inline double largest(const torch::Tensor& difference) {
  return difference.abs().max().item<double>();
}

/// By autograd; `function` maps a tensor to a scalar tensor.
template <typename Function>
torch::Tensor gradient_at(const torch::Tensor& x, const Function& function) {
  const torch::Tensor leaf = x.detach().clone().requires_grad_();
  function(leaf).backward();
  return leaf.grad();
}

/// (f(x + h e_i) - f(x - h e_i)) / 2h for every entry.
template <typename Function>
torch::Tensor central_differences(const torch::Tensor& x, const Function& function,
                                  double h = 1e-5) {
  torch::Tensor moved = x.detach().clone().contiguous();
  torch::Tensor result = torch::empty_like(moved);
  double* at = moved.mutable_data_ptr<double>();
  double* derivative = result.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < moved.numel(); ++i) {
    const double here = at[i];
    at[i] = here + h;
    const double above = function(moved).template item<double>();
    at[i] = here - h;
    const double below = function(moved).template item<double>();
    at[i] = here;
    derivative[i] = (above - below) / (2.0 * h);
  }
  return result;
}

/// The largest disagreement of the two.
template <typename Function>
double gradient_error(const torch::Tensor& x, const Function& function, double h = 1e-5) {
  return largest(gradient_at(x, function) - central_differences(x, function, h));
}

}  // namespace subspace::neural::testing
