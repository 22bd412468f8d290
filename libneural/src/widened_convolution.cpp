// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "widened_convolution.h"

#include <torch/torch.h>

#include <variant>

#include <subspace/core/instruction_sets.h>

namespace subspace::neural {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

torch::Tensor widened(const torch::Tensor& numbers) { return numbers.to(torch::kFloat32); }
torch::Tensor rounded(const torch::Tensor& numbers) { return numbers.to(torch::kBFloat16); }

class WidenedConvolution : public torch::autograd::Function<WidenedConvolution> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& planes,
                               const torch::Tensor& weights, std::vector<std::int64_t> stride,
                               std::vector<std::int64_t> padding) {
    const torch::Tensor narrow = rounded(weights);
    context->save_for_backward({planes, narrow});
    const torch::Tensor out =
        torch::conv2d(widened(planes), widened(narrow), /*bias=*/{}, stride, padding);
    context->saved_data["stride"] = std::move(stride);
    context->saved_data["padding"] = std::move(padding);
    return rounded(out);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!torch::GradMode::is_enabled(), "widened_convolution: has no second derivatives");
    const variable_list saved = context->get_saved_variables();
    const bool by_planes = context->needs_input_grad(0);
    const auto [of_planes, of_weights, of_bias] = at::convolution_backward(
        widened(gradients[0]), widened(saved[0]), widened(saved[1]), /*bias_sizes=*/{},
        context->saved_data["stride"].toIntVector(), context->saved_data["padding"].toIntVector(),
        /*dilation=*/{1, 1}, /*transposed=*/false, /*output_padding=*/{0, 0}, /*groups=*/1,
        {by_planes, context->needs_input_grad(1), false});
    return {by_planes ? rounded(of_planes) : torch::Tensor(), of_weights, {}, {}};
  }
};

std::vector<std::int64_t> both(const torch::ExpandingArray<2>& numbers) {
  return {numbers->at(0), numbers->at(1)};
}

}  // namespace

bool needs_widening(const torch::Tensor& planes) {
  return planes.is_cpu() && planes.scalar_type() == torch::kBFloat16 && lacks_bfloat16();
}

torch::Tensor widened_convolution(const torch::Tensor& planes, const torch::nn::Conv2dImpl& layer) {
  const auto& padding = std::get<torch::ExpandingArray<2>>(layer.options.padding());
  return WidenedConvolution::apply(planes, layer.weight, both(layer.options.stride()),
                                   both(padding));
}

}  // namespace subspace::neural
