// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/network.h>

namespace subspace::neural {

Parameters describe(NetworkOptions& options) {
  return {
      choice("backbone", options.backbone,
             {{"resnet18", Backbone::kResnet18}, {"resnet10", Backbone::kResnet10}},
             "residual network: two (resnet18) or one (resnet10) blocks a stage"),
      parameter("filters", options.filters, "width of the first stage; doubles with each of four")
          .at_least(1)
          .at_most(1024),
      parameter("hidden", options.hidden, "width of the layer before the features")
          .at_least(1)
          .at_most(65536),
      parameter("features", options.features, "dimension of the features")
          .at_least(2)
          .at_most(4096)
          .written("p"),
      parameter("cluster_outputs", options.cluster_outputs,
                "width of the cluster head, which the total coding rate does not use; 0: none")
          .at_least(0)
          .at_most(65536),
  };
}

}  // namespace subspace::neural
