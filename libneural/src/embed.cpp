// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/embed.h>

#include <torch/torch.h>

#include <algorithm>
#include <numeric>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/neural/encoder.h>
#include <subspace/neural/tensor_bridge.h>

#include "checkpoint_file.h"
#include "images.h"
#include "module_arrays.h"
#include "on_cpu.h"
#include "views.h"

namespace subspace::neural {
namespace {

/// Images of one forward pass. Fixed, so that results do not depend on the machine's memory.
constexpr std::int64_t kBlock = 128;

/// Views 0, 1, ... belong to training.
constexpr std::uint32_t kFirstView = 1U << 16;

/// A network at rest with the images it is to look at.
struct Reader {
  CheckpointFolder::Loaded loaded = {};
  torch::Tensor images = {};
  torch::Device device = torch::kCPU;
  Encoder encoder = nullptr;
};

void check_shape(const ImageShape& given, const ImageShape& trained, const char* function) {
  if (given == trained) return;
  throw DataError(message(function, ": images of ", given.channels, " x ", given.height, " x ",
                          given.width, ", the network was trained on ", trained.channels, " x ",
                          trained.height, " x ", trained.width));
}

/// Numbers of an image in this layer; what is pooled counts as the hidden layer, mostly the wider.
Index width_of(Layer layer, const NetworkOptions& network) {
  return layer == Layer::kFeatures ? network.features : network.hidden;
}

/// `outputs`: how many numbers of an image a network of these options gives.
template <typename Outputs>
Reader open(const ConstMatrixRef& X, const ImageShape& shape, const std::filesystem::path& folder,
            const std::string& device, const char* function, const Outputs& outputs,
            const Context& context) {
  Reader reader;
  const Device resolved = resolve_device(device);
  forbid_tf32(resolved);
  reader.device = to_torch(resolved);
  auto found = CheckpointFolder(folder).load();
  if (!found) throw IoError(message(function, ": ", folder.string(), " holds no checkpoint"));
  const CheckpointInfo& info = found->checkpoint.info;
  check_shape(shape, info.shape, function);
  const NetworkOptions& network = info.options.network;
  check_memory(function, embedding_bytes(network, shape, X.cols(), outputs(network)),
               allowed_memory(context), "give smaller images or fewer at a time");
  reader.images = to_inputs(X, shape, function);
  reader.encoder = Encoder(info.options.network, info.shape, 0);
  get_module(found->checkpoint.arrays, *reader.encoder);
  reader.encoder->to(reader.device);
  reader.encoder->eval();
  reader.loaded = std::move(*found);
  return reader;
}

const torch::Tensor& layer_of(const EncoderOutput& output, Layer layer) {
  switch (layer) {
    case Layer::kHidden:
      return output.hidden;
    case Layer::kPool:
      return output.pool;
    default:
      return output.features;
  }
}

torch::Tensor unit_rows(const torch::Tensor& rows) {
  return torch::nn::functional::normalize(rows);
}

/// Rows begin .. end of the images as the network is to see them: clean, or view number `view`.
torch::Tensor block_of(const Reader& reader, std::int64_t begin, std::int64_t end,
                       const EmbedOptions& options, int view, const Context& context) {
  const CheckpointInfo& info = reader.loaded.checkpoint.info;
  const torch::Tensor block = reader.images.slice(0, begin, end).clone();
  if (options.views == 0) {
    show_clean(info.options.augmentation, info.shape, block);
    return block.to(reader.device);
  }
  std::vector<Index> chosen(static_cast<std::size_t>(end - begin));
  std::iota(chosen.begin(), chosen.end(), begin);
  const ViewKey key = {.seed = options.seed, .view = kFirstView + static_cast<std::uint32_t>(view)};
  draw_views(info.options.augmentation, info.shape, key, reader.images, chosen, block, context);
  return block.to(reader.device);
}

/// Calls use(output, begin, end) for the blocks of the images, under one view.
template <typename Use>
void for_blocks(Reader& reader, const EmbedOptions& options, int view, const Context& context,
                const Use& use) {
  const std::int64_t n = reader.images.size(0);
  const int views = std::max(options.views, 1);
  for (std::int64_t begin = 0; begin < n; begin += kBlock) {
    context.throw_if_cancelled();
    const std::int64_t end = std::min(begin + kBlock, n);
    use(reader.encoder->output(block_of(reader, begin, end, options, view, context)), begin, end);
    context.report("embed", view * n + end, views * n);
  }
}

/// A zero or infinite feature has no direction; its normalised row is not a unit vector.
void check_rows(const torch::Tensor& rows, Layer layer) {
  const torch::Tensor good =
      layer == Layer::kFeatures ? (rows.norm(2, 1) - 1.0).abs() < 1e-6 : rows.isfinite().all(1);
  if (good.all().item<bool>()) return;
  throw NumericalError(message("embed: image ", good.to(torch::kInt).argmin().item<std::int64_t>(),
                               layer == Layer::kFeatures ? " has a feature without direction"
                                                         : " has a number that is not finite"));
}

}  // namespace

// The images are float64 rows before they are float32. Of the outputs there are the sum or the
// parts, the rows made of them and the matrix.
double embedding_bytes(const NetworkOptions& network, const ImageShape& shape, Index num_images,
                       Index outputs) {
  const auto n = static_cast<double>(num_images);
  const double numbers = n * static_cast<double>(shape.num_pixels());
  const double block = std::min<double>(kBlock, n) * bytes_per_image(network, shape, false);
  const double reading = (sizeof(double) + sizeof(float)) * numbers;
  const double making =
      sizeof(float) * numbers + block + 3.0 * sizeof(double) * n * static_cast<double>(outputs);
  return std::max(reading, making);
}

Features embed(const ConstMatrixRef& X, const ImageShape& shape,
               const std::filesystem::path& folder, const EmbedOptions& options,
               const Context& context) {
  if (options.views < 0) {
    throw InvalidArgument(message("embed: views = ", options.views, ", must satisfy views >= 0"));
  }
  const auto outputs = [&](const NetworkOptions& network) {
    return width_of(options.layer, network);
  };
  Reader reader = open(X, shape, folder, options.device, "embed", outputs, context);
  const ThreadsOfContext threads(context);
  const torch::InferenceMode no_graph;
  torch::Tensor sum;  // in float64, where unit rows are unit to its precision
  for (int view = 0; view < std::max(options.views, 1); ++view) {
    for_blocks(reader, options, view, context,
               [&](const EncoderOutput& output, std::int64_t begin, std::int64_t end) {
                 torch::Tensor rows =
                     layer_of(output, options.layer).to(torch::kCPU, torch::kFloat64);
                 if (options.layer == Layer::kFeatures) rows = unit_rows(rows);
                 if (!sum.defined()) {
                   sum = torch::zeros({X.cols(), rows.size(1)}, on_cpu(torch::kFloat64));
                 }
                 sum.slice(0, begin, end).add_(rows);
               });
  }
  const torch::Tensor rows = options.layer == Layer::kFeatures
                                 ? unit_rows(sum)
                                 : sum / static_cast<double>(std::max(options.views, 1));
  check_rows(rows, options.layer);
  return {to_points(rows), reader.loaded.checkpoint.info.step, reader.loaded.warnings};
}

HeadClusters head_clusters(const ConstMatrixRef& X, const ImageShape& shape,
                           const std::filesystem::path& folder, const std::string& device,
                           const Context& context) {
  const auto outputs = [](const NetworkOptions& network) { return network.cluster_outputs; };
  Reader reader = open(X, shape, folder, device, "head_clusters", outputs, context);
  const CheckpointInfo& info = reader.loaded.checkpoint.info;
  if (info.options.network.cluster_outputs == 0) {
    throw InvalidArgument(
        message("head_clusters: the network of ", folder.string(), " has no cluster head"));
  }
  const ThreadsOfContext threads(context);
  const torch::InferenceMode no_graph;
  std::vector<torch::Tensor> parts;
  for_blocks(reader, {}, 0, context, [&](const EncoderOutput& output, std::int64_t, std::int64_t) {
    parts.push_back(output.logits.to(torch::kCPU, torch::kFloat64).softmax(1));
  });
  const torch::Tensor rows = torch::cat(parts);
  if (!rows.isfinite().all().item<bool>()) {
    throw NumericalError("head_clusters: an image has logits that are not finite");
  }
  HeadClusters clusters = {{}, to_points(rows), info.step, reader.loaded.warnings};
  for (Index j = 0; j < clusters.probabilities.cols(); ++j) {
    Index best = 0;
    clusters.probabilities.col(j).maxCoeff(&best);
    clusters.labels.push_back(static_cast<int>(best));
  }
  return clusters;
}

}  // namespace subspace::neural
