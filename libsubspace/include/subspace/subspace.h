// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

/// Everything libsubspace offers, in the order of the data's way.
#include <subspace/core/context.h>
#include <subspace/core/error.h>
#include <subspace/core/types.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/preprocess/pca.h>
#include <subspace/preprocess/preprocess.h>
#include <subspace/neighbors/knn.h>
#include <subspace/self_expression/elastic_net.h>
#include <subspace/self_expression/elastic_net_path.h>
#include <subspace/self_expression/ssc.h>
#include <subspace/self_expression/kssc.h>
#include <subspace/self_expression/lsr.h>
#include <subspace/self_expression/edsc.h>
#include <subspace/self_expression/lrr.h>
#include <subspace/self_expression/smce.h>
#include <subspace/self_expression/exemplars.h>
#include <subspace/self_expression/omp.h>
#include <subspace/affinity/affinity.h>
#include <subspace/spectral/components.h>
#include <subspace/spectral/embedding.h>
#include <subspace/cluster/kmeans.h>
#include <subspace/cluster/ksubspaces.h>
#include <subspace/cluster/lossy_coding.h>
#include <subspace/cluster/discretize.h>
#include <subspace/cluster/assign.h>
#include <subspace/metrics/partition.h>
#include <subspace/metrics/feature_geometry.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/diagnostics/coding_rate.h>
#include <subspace/diagnostics/confidence.h>
#include <subspace/diagnostics/graph_cut.h>
#include <subspace/diagnostics/linearity.h>
#include <subspace/diagnostics/representation.h>
#include <subspace/classify/exemplar_vote.h>
#include <subspace/classify/linear_svm.h>
#include <subspace/classify/neighbor_vote.h>
#include <subspace/classify/nearest_subspace.h>
#include <subspace/classify/few_labels.h>
#include <subspace/visual/neighbor_map.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/pipeline/peak_memory.h>
