// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "tcr_trainer.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/neural/coding_rate.h>

#include "module_arrays.h"

namespace subspace::neural {
namespace {

constexpr const char* kHistory = "history";

torch::optim::AdamOptions adam_options(const TcrOptions& options) {
  return torch::optim::AdamOptions(options.learning_rate)
      .betas({options.beta1, options.beta2})
      .weight_decay(options.weight_decay);
}

Encoder make_encoder(const TcrOptions& options, int channels, std::uint64_t seed,
                     torch::Device device) {
  Encoder encoder(options.network, channels, seed);
  encoder->to(device);
  encoder->train();
  return encoder;
}

std::span<float> values_of(const torch::Tensor& tensor) {
  return {tensor.mutable_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// Both terms of the objective, with their graph.
struct Objective {
  torch::Tensor rate;        // float64
  torch::Tensor similarity;  // float64
};

/// z holds the features of the first views, then those of the second.
Objective measure(const torch::Tensor& z, double distortion) {
  const std::int64_t m = z.size(0) / 2;
  const torch::Tensor z1 = z.slice(0, 0, m);
  const torch::Tensor z2 = z.slice(0, m);
  const torch::Tensor mean = torch::nn::functional::normalize(0.5 * (z1 + z2));
  return {coding_rate(mean, distortion), (z1 * z2).sum(1).mean().to(torch::kFloat64)};
}

void check_stats(const StepStats& stats, std::int64_t m, const TcrOptions& options,
                 std::int64_t step) {
  if (!std::isfinite(stats.loss)) {
    throw NumericalError(message("train_tcr: step ", step, ": the loss is not finite (coding rate ",
                                 stats.coding_rate, ", similarity ", stats.similarity,
                                 "); lower learning_rate"));
  }
  const double least = collapsed_rate(options.network.features, options.distortion);
  const double most = isotropic_rate(m, options.network.features, options.distortion);
  if (stats.coding_rate - least < 1e-3 * (most - least)) {
    throw NumericalError(message("train_tcr: step ", step, ": the features have collapsed: coding ",
                                 "rate ", stats.coding_rate, " of ", least, " (all equal) to ",
                                 most, "; are the images all the same, or similarity too large?"));
  }
}

}  // namespace

std::vector<Index> images_of_step(Index num_images, int batch, std::uint64_t seed,
                                  std::int64_t step) {
  std::vector<Index> numbers(static_cast<std::size_t>(num_images));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (batch == 0 || batch >= num_images) return numbers;
  // An epoch is as many whole batches as there are; what is left over changes with its permutation.
  const std::int64_t batches = num_images / batch;
  RandomStream random = stream(seed, Stream::kBatches, static_cast<std::uint32_t>(step / batches));
  for (std::size_t i = numbers.size() - 1; i > 0; --i) {
    std::swap(numbers[i], numbers[random.below(i + 1)]);
  }
  const auto begin = numbers.begin() + (step % batches) * batch;
  return {begin, begin + batch};
}

double learning_rate(const TcrOptions& options, std::int64_t step) {
  if (options.schedule == Schedule::kNone) return options.learning_rate;
  const double done = static_cast<double>(step) / options.steps;
  return options.learning_rate * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
}

TcrTrainer::TcrTrainer(torch::Tensor images, const ImageShape& shape, const TcrOptions& options,
                       std::uint64_t seed, torch::Device device)
    : images_(std::move(images)),
      shape_(shape),
      options_(options),
      seed_(seed),
      device_(device),
      encoder_(make_encoder(options, shape.channels, seed, device)),
      optimizer_(encoder_->parameters(), adam_options(options)) {}

torch::Tensor TcrTrainer::make_views(const Context& context) {
  const std::vector<Index> chosen =
      images_of_step(images_.size(0), options_.batch, seed_, steps_done());
  const auto m = static_cast<std::int64_t>(chosen.size());
  if (!views_.defined()) {
    views_ = torch::empty({2 * m, shape_.channels, shape_.height, shape_.width}, torch::kFloat32);
  }
  for (const std::uint32_t view : {0U, 1U}) {
    augment(options_.augmentation, shape_,
            {.seed = seed_, .step = static_cast<std::uint32_t>(steps_done()), .view = view},
            values_of(images_), chosen, values_of(views_.slice(0, view * m, (view + 1) * m)),
            context);
  }
  return views_.to(device_);
}

void TcrTrainer::step(const Context& context) try {
  const torch::Tensor z = encoder_->forward(make_views(context));
  if (!z.detach().isfinite().all().item<bool>()) {
    throw NumericalError(message("train_tcr: step ", steps_done(),
                                 ": the features, and so the loss, are not finite; lower "
                                 "learning_rate"));
  }
  const Objective objective = measure(z, options_.distortion);
  const torch::Tensor loss = -objective.rate - options_.similarity * objective.similarity;
  const StepStats stats = {loss.item<double>(), objective.rate.item<double>(),
                           objective.similarity.item<double>()};
  check_stats(stats, z.size(0) / 2, options_, steps_done());
  optimizer_.zero_grad();
  loss.backward();
  optimizer_.param_groups()[0].options().set_lr(learning_rate(options_, steps_done()));
  optimizer_.step();
  history_.push_back(stats);
} catch (const c10::Error& error) {
  throw NumericalError(
      message("train_tcr: step ", steps_done(), ": LibTorch: ", error.what_without_backtrace()));
}

NamedArrays TcrTrainer::arrays() const {
  NamedArrays all;
  put_module(*encoder_, all);
  put_adam(*encoder_, optimizer_, all);
  torch::Tensor rows = torch::empty({steps_done(), 3}, torch::kFloat64);
  for (std::int64_t i = 0; i < steps_done(); ++i) {
    const StepStats& stats = history_[static_cast<std::size_t>(i)];
    double* row = rows.mutable_data_ptr<double>() + 3 * i;
    row[0] = stats.loss, row[1] = stats.coding_rate, row[2] = stats.similarity;
  }
  all[kHistory] = to_array(rows, kHistory);
  return all;
}

void TcrTrainer::restore(const NamedArrays& arrays) {
  get_module(arrays, *encoder_);
  get_adam(arrays, *encoder_, optimizer_);
  const auto found = arrays.find(kHistory);
  if (found == arrays.end() || found->second.shape.size() != 2 || found->second.shape[1] != 3) {
    throw DataError("checkpoint of another network: it has no history");
  }
  const torch::Tensor rows = torch::empty(found->second.shape, torch::kFloat64);
  copy_array(arrays, kHistory, rows);
  history_.clear();
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const double* row = rows.const_data_ptr<double>() + 3 * i;
    history_.push_back({row[0], row[1], row[2]});
  }
}

}  // namespace subspace::neural
