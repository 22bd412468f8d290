// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/layer_features.h"

#include <subspace/core/error.h>
#include <subspace/neural/checkpoint.h>
#include <subspace/neural/embed.h>

#include "methods/training_stage.h"

namespace subspace::pipelines {
namespace {

neural::Layer layer_of(const std::string& name) {
  if (name == "proj") return neural::Layer::kFeatures;
  if (name == "pre-feature") return neural::Layer::kHidden;
  if (name == "pool") return neural::Layer::kPool;
  throw InvalidArgument(message("layer = '", name, "', must be one of proj, pre-feature, pool"));
}

}  // namespace

Matrix layer_features(const Points& points, const std::filesystem::path& folder,
                      const std::string& layer, int views, const Execution& execution,
                      const Context& context) {
  const neural::NetworkOptions network = neural::find_checkpoint(folder).info.options.network;
  const neural::EmbedOptions options = {
      .layer = layer_of(layer), .views = views, .seed = execution.seed, .device = execution.device};
  return neural::embed(points.X, shape_of(points, network, "the network"), folder, options, context)
      .Z;
}

}  // namespace subspace::pipelines
