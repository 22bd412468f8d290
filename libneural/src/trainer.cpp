// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "trainer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/neural/coding_rate.h>
#include <subspace/neural/losses.h>

#include "module_arrays.h"
#include "on_cpu.h"
#include "views.h"

namespace subspace::neural {
namespace {

constexpr const char* kHistory = "history";
constexpr std::int64_t kColumns = 4;  // of the history: the fields of StepStats

// Steps that features may stay collapsed: a large similarity draws them together at first, and the
// coding rate spreads them again.
constexpr std::int64_t kCollapsePatience = 100;

Encoder make_encoder(const TrainingOptions& options, const ImageShape& shape, std::uint64_t seed,
                     torch::Device device) {
  Encoder encoder(options.network, shape, seed);
  encoder->to(device);
  encoder->train();
  encoder->train_only(options.trained);
  return encoder;
}

/// While it lives, batch normalisation leaves its running statistics alone.
class RunningStatisticsAtRest {
 public:
  explicit RunningStatisticsAtRest(torch::nn::Module& network) {
    for (const auto& module : network.modules()) {
      if (auto* plane = module->as<torch::nn::BatchNorm2d>()) rest(*plane);
      if (auto* row = module->as<torch::nn::BatchNorm1d>()) rest(*row);
    }
  }
  RunningStatisticsAtRest(const RunningStatisticsAtRest&) = delete;
  RunningStatisticsAtRest& operator=(const RunningStatisticsAtRest&) = delete;
  ~RunningStatisticsAtRest() {
    for (const auto& wake : wakes_) wake();
  }

 private:
  template <typename Norm>
  void rest(Norm& norm) {
    wakes_.push_back(
        [&norm, momentum = norm.options.momentum(), counted = norm.num_batches_tracked.clone()] {
          norm.options.momentum(momentum);
          norm.num_batches_tracked.copy_(counted);
        });
    norm.options.momentum(0.0);
  }
  std::vector<std::function<void()>> wakes_;
};

/// A device has an error of its own for it; that of main memory is known by its words alone.
bool is_out_of_memory(const c10::Error& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  return std::string_view(error.what_without_backtrace()).find("not enough memory") !=
         std::string_view::npos;
}

/// Calls body(begin, end) for the fewest micro-batches of at most `size` images that m images need,
/// as equal as can be: a remainder of one image would have no statistics of its own.
template <typename Body>
void for_micro_batches(std::int64_t m, std::int64_t size, const Body& body) {
  const std::int64_t parts = (m + size - 1) / size;
  for (std::int64_t i = 0; i < parts; ++i) body(m * i / parts, m * (i + 1) / parts);
}

torch::Tensor leaf(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.detach().requires_grad_() : tensor;
}

}  // namespace

Trainer::Trainer(torch::Tensor images, const ImageShape& shape, const TrainingOptions& options,
                 std::uint64_t seed, torch::Device device)
    : images_(std::move(images)),
      shape_(shape),
      options_(options),
      seed_(seed),
      device_(device),
      encoder_(make_encoder(options, shape, seed, device)),
      update_(*encoder_, options.optimizer) {}

/// Data sets come class by class: micro-batches of neighbours would each be normalised by the
/// statistics of a few classes, and the running statistics would be those of the last ones.
WholeSetOrder Trainer::whole_set_order() const {
  const bool in_parts =
      options_.gradient == GradientMode::kGhostBn && options_.micro_batch < images_.size(0);
  return in_parts ? WholeSetOrder::kMixed : WholeSetOrder::kAsGiven;
}

torch::Tensor Trainer::make_views(const std::vector<Index>& chosen, const Context& context) {
  const auto m = static_cast<std::int64_t>(chosen.size());
  if (!views_.defined()) {
    views_ =
        torch::empty({options_.objective.views, m, shape_.channels, shape_.height, shape_.width},
                     on_cpu(torch::kFloat32));
  }
  for (std::int64_t view = 0; view < views_.size(0); ++view) {
    const ViewKey key = {.seed = seed_,
                         .step = static_cast<std::uint32_t>(steps_done()),
                         .view = static_cast<std::uint32_t>(view)};
    draw_views(options_.augmentation, shape_, key, images_, chosen, views_[view], context);
  }
  return views_.to(device_);
}

torch::Tensor Trainer::make_gumbel(const std::vector<Index>& chosen) const {
  if (options_.objective.objective != Objective::kNmce) return {};
  std::vector<torch::Tensor> views;
  for (int view = 0; view < options_.objective.views; ++view) {
    const ViewKey key = {.seed = seed_,
                         .step = static_cast<std::uint32_t>(steps_done()),
                         .view = static_cast<std::uint32_t>(view)};
    views.push_back(draw_gumbel(key, chosen, options_.network.cluster_outputs));
  }
  return torch::stack(views).to(device_);
}

ViewOutputs Trainer::outputs_of(const torch::Tensor& views) {
  const std::int64_t V = views.size(0);
  const std::int64_t m = views.size(1);
  const EncoderOutput all = encoder_->output(views.flatten(0, 1));
  ViewOutputs outputs;
  outputs.features = all.features.view({V, m, -1});
  if (all.logits.defined()) outputs.logits = all.logits.view({V, m, -1});
  return outputs;
}

bool Trainer::lasted_below(double rate) const {
  if (steps_done() < kCollapsePatience) return false;
  return std::all_of(history_.end() - kCollapsePatience, history_.end(),
                     [rate](const StepStats& past) { return past.coding_rate < rate; });
}

StepStats Trainer::checked(const StepStats& stats, std::int64_t m) const {
  if (!std::isfinite(stats.loss)) {
    throw NumericalError(message("train: step ", steps_done(),
                                 ": the loss is not finite (coding rate ", stats.coding_rate,
                                 ", similarity ", stats.similarity, "); lower learning_rate"));
  }
  const std::int64_t p = options_.network.features;
  const double least = collapsed_rate(p, options_.objective.distortion);
  const double most = isotropic_rate(m, p, options_.objective.distortion);
  const double threshold = least + 1e-3 * (most - least);
  if (stats.coding_rate < threshold &&
      (steps_done() + 1 == options_.steps || lasted_below(threshold))) {
    throw NumericalError(message("train: step ", steps_done(),
                                 ": the features have collapsed: ", "coding rate ",
                                 stats.coding_rate, " of ", least, " (all equal) to ", most,
                                 "; are the images all the same, or similarity too large?"));
  }
  return stats;
}

StepStats Trainer::whole_gradient(const torch::Tensor& views, const torch::Tensor& gumbel) {
  const Measured measured = measure(outputs_of(views), gumbel, options_.objective);
  const StepStats stats = checked(measured.stats, views.size(1));
  measured.loss.backward();
  return stats;
}

ViewOutputs Trainer::gather_outputs(const torch::Tensor& views) {
  const torch::NoGradGuard no_graph;
  const RunningStatisticsAtRest at_rest(*encoder_);  // the second pass moves them
  std::vector<torch::Tensor> features;
  std::vector<torch::Tensor> logits;
  for_micro_batches(views.size(1), options_.micro_batch, [&](std::int64_t begin, std::int64_t end) {
    const ViewOutputs part = outputs_of(views.slice(1, begin, end));
    features.push_back(part.features);
    if (part.logits.defined()) logits.push_back(part.logits);
  });
  return {torch::cat(features, 1), logits.empty() ? torch::Tensor() : torch::cat(logits, 1)};
}

StepStats Trainer::ghost_gradient(const torch::Tensor& views, const torch::Tensor& gumbel) {
  const ViewOutputs gathered = gather_outputs(views);
  const ViewOutputs leaves = {leaf(gathered.features), leaf(gathered.logits)};
  const Measured measured = measure(leaves, gumbel, options_.objective);
  const StepStats stats = checked(measured.stats, views.size(1));
  measured.loss.backward();
  for_micro_batches(views.size(1), options_.micro_batch, [&](std::int64_t begin, std::int64_t end) {
    const ViewOutputs part = outputs_of(views.slice(1, begin, end));
    std::vector<torch::Tensor> outputs = {part.features};
    std::vector<torch::Tensor> slopes = {leaves.features.grad().slice(1, begin, end)};
    if (leaves.logits.defined() && leaves.logits.grad().defined()) {
      outputs.push_back(part.logits);
      slopes.push_back(leaves.logits.grad().slice(1, begin, end));
    }
    torch::autograd::backward(outputs, slopes);
  });
  return stats;
}

void Trainer::step(const Context& context) try {
  const std::vector<Index> chosen =
      images_of_step(images_.size(0), options_.batch, seed_, steps_done(), whole_set_order());
  const torch::Tensor views = make_views(chosen, context);
  const torch::Tensor gumbel = make_gumbel(chosen);
  update_.zero_grad();
  const StepStats stats = options_.gradient == GradientMode::kWhole ? whole_gradient(views, gumbel)
                                                                    : ghost_gradient(views, gumbel);
  update_.step(learning_rate(options_.optimizer, steps_done(), options_.steps));
  history_.push_back(stats);
} catch (const NumericalError& error) {
  const std::string text = error.what();
  if (text.starts_with("train:")) throw;
  throw NumericalError(message("train: step ", steps_done(), ": ", text));
} catch (const c10::Error& error) {
  const std::string text =
      message("train: step ", steps_done(), ": LibTorch: ", error.what_without_backtrace());
  if (is_out_of_memory(error)) throw ResourceError(text + "; set batch lower");
  throw NumericalError(text);
} catch (const Error&) {
  throw;
} catch (const std::runtime_error& error) {
  // How LibTorch says that a scalar is beyond float32, in our steps a multiple of the rate.
  if (std::string_view(error.what()).find("without overflow") == std::string_view::npos) throw;
  throw NumericalError(
      message("train: step ", steps_done(), ": LibTorch: ", error.what(), "; lower learning_rate"));
}

NamedArrays Trainer::arrays() const {
  NamedArrays all;
  put_module(*encoder_, all);
  update_.put(all);
  torch::Tensor rows = torch::empty({steps_done(), kColumns}, on_cpu(torch::kFloat64));
  double* row = rows.mutable_data_ptr<double>();
  for (const StepStats& stats : history_) {
    *row++ = stats.loss;
    *row++ = stats.coding_rate;
    *row++ = stats.compressed_rate;
    *row++ = stats.similarity;
  }
  all[kHistory] = to_array(rows, kHistory);
  return all;
}

void Trainer::restore(const NamedArrays& arrays) {
  get_module(arrays, *encoder_);
  update_.get(arrays);
  const auto found = arrays.find(kHistory);
  if (found == arrays.end() || found->second.shape.size() != 2 ||
      found->second.shape[1] != kColumns) {
    throw DataError("checkpoint of another network: it has no history");
  }
  const torch::Tensor rows = torch::empty(found->second.shape, on_cpu(torch::kFloat64));
  copy_array(arrays, kHistory, rows);
  history_.clear();
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const double* row = rows.const_data_ptr<double>() + kColumns * i;
    history_.push_back({row[0], row[1], row[2], row[3]});
  }
}

void Trainer::start_from(const NamedArrays& arrays, bool new_heads) {
  start_module(arrays, new_heads, *encoder_);
}

}  // namespace subspace::neural
