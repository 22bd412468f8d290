// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/network.h>

namespace subspace::neural {

Parameters describe(NetworkOptions& options) {
  return {
      choice("backbone", options.backbone,
             {{"resnet18", Backbone::kResnet18},
              {"resnet10", Backbone::kResnet10},
              {"resnet34", Backbone::kResnet34},
              {"mlp", Backbone::kMlp}},
             "residual network of 10, 18 or 34 layers for pictures, or a plain one for points"),
      choice("stem", options.stem, {{"5x5", Stem::k5x5}, {"3x3", Stem::k3x3}, {"7x7", Stem::k7x7}},
             "first convolution of a residual network: 5x5 and 7x7 shrink the picture fourfold"),
      parameter("filters", options.filters, "width of the first stage; doubles with each of four")
          .at_least(1)
          .at_most(1024),
      parameter("hidden", options.hidden,
                "width of the layer before the features; of every layer of an mlp")
          .at_least(1)
          .at_most(65536),
      parameter("layers", options.layers, "hidden layers of an mlp").at_least(1).at_most(100),
      parameter("features", options.features, "dimension of the features")
          .at_least(2)
          .at_most(4096)
          .written("p"),
      parameter("cluster_outputs", options.cluster_outputs,
                "width of the cluster head, which the total coding rate does not use; 0: none")
          .at_least(0)
          .at_most(65536),
      choice("precision", options.precision,
             {{"float32", Precision::kFloat32}, {"bfloat16", Precision::kBFloat16}},
             "of the convolutions of a residual network while it trains: bfloat16 takes half the "
             "memory, and less time where the processor has it"),
  };
}

}  // namespace subspace::neural
