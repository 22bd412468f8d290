// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "parameter_update.h"

#include <algorithm>

#include "module_arrays.h"
#include "on_cpu.h"

namespace subspace::neural {
namespace {

using torch::optim::AdamParamState;
using torch::optim::SGDParamState;
using Named = std::vector<std::pair<std::string, torch::Tensor>>;

std::vector<torch::Tensor> tensors(const Named& named) {
  std::vector<torch::Tensor> all;
  all.reserve(named.size());
  for (const auto& item : named) all.push_back(item.second);
  return all;
}

std::unique_ptr<torch::optim::Optimizer> make_sgd(const Named& named, double rate, double momentum,
                                                  double decay) {
  return std::make_unique<torch::optim::SGD>(
      tensors(named), torch::optim::SGDOptions(rate).momentum(momentum).weight_decay(decay));
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const Named& named,
                                                        const OptimizerOptions& options) {
  switch (options.optimizer) {
    case Optimizer::kSgd:
      return make_sgd(named, options.learning_rate, options.momentum, options.weight_decay);
    case Optimizer::kLars:  // scale_gradients() adds the decay
      return make_sgd(named, options.learning_rate, options.momentum, 0.0);
    default:
      return std::make_unique<torch::optim::Adam>(tensors(named),
                                                  torch::optim::AdamOptions(options.learning_rate)
                                                      .betas({options.beta1, options.beta2})
                                                      .weight_decay(options.weight_decay));
  }
}

std::string state_name(const std::string& parameter, const char* part) {
  return "optimizer/" + parameter + "." + part;
}

void put_tensor(NamedArrays& arrays, const std::string& name, const torch::Tensor& tensor) {
  arrays[name] = to_array(tensor, name);
}

torch::Tensor get_like(const NamedArrays& arrays, const std::string& name,
                       const torch::Tensor& parameter) {
  torch::Tensor tensor = torch::zeros_like(parameter.detach());
  copy_array(arrays, name, tensor);
  return tensor;
}

void put_adam(const std::string& name, const AdamParamState& state, NamedArrays& arrays) {
  put_tensor(arrays, state_name(name, "mean"), state.exp_avg());
  put_tensor(arrays, state_name(name, "mean_square"), state.exp_avg_sq());
  put_tensor(arrays, state_name(name, "step"), torch::tensor(state.step(), on_cpu(torch::kInt64)));
}

std::unique_ptr<torch::optim::OptimizerParamState> get_adam(const std::string& name,
                                                            const torch::Tensor& parameter,
                                                            const NamedArrays& arrays) {
  if (!arrays.contains(state_name(name, "step"))) return nullptr;
  const torch::Tensor step = torch::zeros({}, on_cpu(torch::kInt64));
  copy_array(arrays, state_name(name, "step"), step);
  auto state = std::make_unique<AdamParamState>();
  state->exp_avg(get_like(arrays, state_name(name, "mean"), parameter));
  state->exp_avg_sq(get_like(arrays, state_name(name, "mean_square"), parameter));
  state->step(step.item<std::int64_t>());
  return state;
}

std::unique_ptr<torch::optim::OptimizerParamState> get_sgd(const std::string& name,
                                                           const torch::Tensor& parameter,
                                                           const NamedArrays& arrays) {
  if (!arrays.contains(state_name(name, "momentum"))) return nullptr;
  auto state = std::make_unique<SGDParamState>();
  state->momentum_buffer(get_like(arrays, state_name(name, "momentum"), parameter));
  return state;
}

/// What is without a state has had no gradient yet: a cluster head that the objective ignores.
void put_state(const Named& named, const torch::optim::Optimizer& optimizer, NamedArrays& arrays) {
  for (const auto& [name, parameter] : named) {
    const auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;
    if (const auto* adam = dynamic_cast<const AdamParamState*>(found->second.get())) {
      put_adam(name, *adam, arrays);
    } else if (const auto* sgd = dynamic_cast<const SGDParamState*>(found->second.get())) {
      if (sgd->momentum_buffer().defined()) {
        put_tensor(arrays, state_name(name, "momentum"), sgd->momentum_buffer());
      }
    }
  }
}

void get_state(const Named& named, const NamedArrays& arrays, torch::optim::Optimizer& optimizer) {
  const bool adam = dynamic_cast<torch::optim::Adam*>(&optimizer) != nullptr;
  for (const auto& [name, parameter] : named) {
    auto state = adam ? get_adam(name, parameter, arrays) : get_sgd(name, parameter, arrays);
    if (state) optimizer.state()[parameter.unsafeGetTensorImpl()] = std::move(state);
  }
}

}  // namespace

void scale_gradients(const std::vector<torch::Tensor>& parameters, const OptimizerOptions& options,
                     double learning_rate) {
  const torch::NoGradGuard no_gradient;
  for (const torch::Tensor& parameter : parameters) {
    if (!parameter.grad().defined() || parameter.dim() < 2) continue;
    const double weight = parameter.norm().item<double>();
    const double slope = parameter.grad().norm().item<double>();
    if (weight == 0.0 || slope == 0.0) continue;
    const double ratio = options.trust * weight / (slope + options.weight_decay * weight + 1e-8);
    parameter.mutable_grad().add_(parameter, options.weight_decay);
    parameter.mutable_grad().mul_(std::min(ratio / learning_rate, 1.0));
  }
}

ParameterUpdate::ParameterUpdate(const EncoderImpl& encoder, const OptimizerOptions& options)
    : options_(options) {
  const std::vector<torch::Tensor> cluster = encoder.cluster_parameters();
  const auto in_cluster = [&](const torch::Tensor& parameter) {
    return std::ranges::any_of(cluster,
                               [&](const torch::Tensor& each) { return each.is_same(parameter); });
  };
  for (const auto& item : encoder.named_parameters()) {
    if (!item.value().requires_grad()) continue;
    const bool apart = options.cluster_learning_rate > 0.0 && in_cluster(item.value());
    (apart ? head_ : rest_).emplace_back(item.key(), item.value());
  }
  of_rest_ = make_optimizer(rest_, options);
  if (!head_.empty()) {
    of_head_ = make_sgd(head_, options.cluster_learning_rate, options.momentum,
                        options.cluster_weight_decay);
  }
}

void ParameterUpdate::zero_grad() {
  of_rest_->zero_grad();
  if (of_head_) of_head_->zero_grad();
}

void ParameterUpdate::step(double learning_rate) {
  if (options_.optimizer == Optimizer::kLars) {
    scale_gradients(tensors(rest_), options_, learning_rate);
  }
  of_rest_->param_groups()[0].options().set_lr(learning_rate);
  of_rest_->step();
  if (of_head_) of_head_->step();
}

void ParameterUpdate::put(NamedArrays& arrays) const {
  put_state(rest_, *of_rest_, arrays);
  if (of_head_) put_state(head_, *of_head_, arrays);
}

void ParameterUpdate::get(const NamedArrays& arrays) {
  get_state(rest_, arrays, *of_rest_);
  if (of_head_) get_state(head_, arrays, *of_head_);
}

}  // namespace subspace::neural
