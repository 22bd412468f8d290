// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/neural/network.h>

/// What a trained network makes of images. Free of Torch's headers.
namespace subspace::neural {

enum class Layer {
  kFeatures,  ///< "proj": unit columns
  kHidden,    ///< "pre-feature": the wide layer before the heads
  kPool       ///< the mean over the plane of the last stage
};

struct EmbedOptions {
  Layer layer = Layer::kFeatures;
  /// 0: of the clean image. Otherwise the mean over so many of the random views that the network
  /// was trained with, drawn from `seed`; features are scaled to unit norm after it.
  int views = 0;
  std::uint64_t seed = 0;
  std::string device = "auto";
};

/// Bytes in use beside so many images while a network makes `outputs` numbers of each, these
/// included: images as the network takes them, a block of them on its way through, and the numbers
/// until they are features. embed() and head_clusters() refuse by this.
SUBSPACE_API double embedding_bytes(const NetworkOptions& network, const ImageShape& shape,
                                    Index num_images, Index outputs);

struct Features {
  Matrix Z = {};                           ///< p x N
  std::int64_t step = 0;                   ///< of the checkpoint they come from
  std::vector<std::string> warnings = {};  ///< see TrainingResult
};

/// Features of images under the newest good checkpoint of a run: batch normalisation by its running
/// statistics, so that an image's feature does not depend on the others.
SUBSPACE_API Features embed(const ConstMatrixRef& X, const ImageShape& shape,
                            const std::filesystem::path& folder, const EmbedOptions& options = {},
                            const Context& context = {});

/// What the cluster head says of clean images.
struct HeadClusters {
  Labels labels = {};         ///< the cluster of the largest probability
  Matrix probabilities = {};  ///< K x N, columns sum to one
  std::int64_t step = 0;
  std::vector<std::string> warnings = {};
};

/// Throws InvalidArgument when the network has no cluster head.
SUBSPACE_API HeadClusters head_clusters(const ConstMatrixRef& X, const ImageShape& shape,
                                        const std::filesystem::path& folder,
                                        const std::string& device = "auto",
                                        const Context& context = {});

}  // namespace subspace::neural
