// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/classify/exemplar_vote.h>
#include <subspace/classify/nearest_subspace.h>
#include <subspace/cluster/ksubspaces.h>
#include <subspace/cluster/lossy_coding.h>
#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/preprocess/preprocess.h>

namespace subspace {

/// Each way into the pipeline counts itself before its first stage, and refuses what does not fit.
/// What is in use while a stage runs: what it is given, what it allocates, and what the caller and
/// earlier stages keep.
struct StageMemory {
  std::string stage = {};  ///< load, preprocess, self-expression, affinity, embedding, assignment
  double bytes = 0.0;
};

/// Predicts, stage after stage, what cluster() takes for points of this shape within the memory of
/// the context. A solver that streams where its inner products do not fit counts as it will run; a
/// step of the eigensolver that is passed over where it does not fit does not count. How many
/// points represent a point is known beforehand of some methods alone; of the others (EnSC, SSC by
/// active sets, KSSC) 50 are counted. Where the number of clusters is estimated, max_clusters + 1
/// eigenpairs count, which the estimate looks at whatever embedding.dimensions is, and max_clusters
/// clusters after it; a graph of more components is split into more than are counted. Throws
/// InvalidArgument for a num_clusters below 1 that is not estimated, and for a max_clusters
/// below 2.
SUBSPACE_API std::vector<StageMemory> predicted_memory(const PipelineOptions& options,
                                                       Index dimension, Index num_points,
                                                       const Context& context = {});

/// The stage that takes most, the earliest among equals; its bytes are the peak of the run.
SUBSPACE_API StageMemory largest_stage(const std::vector<StageMemory>& stages);
SUBSPACE_API StageMemory predicted_peak_memory(const PipelineOptions& options, Index dimension,
                                               Index num_points, const Context& context = {});

/// Throws ResourceError "cluster, stage affinity: needs about 4.2 GB of memory, 2 GB allowed;
/// ..." when the predicted peak is more than the context allows, with what would take less.
SUBSPACE_API void check_peak_memory(const PipelineOptions& options, Index dimension,
                                    Index num_points, const Context& context = {});

/// k-means, K-subspaces or lossy coding on preprocessed points.
template <typename Options>
struct PointsClustering {
  PreprocessOptions preprocess = {};
  Options method = {};  ///< of labels to start from: with one restart
  int num_clusters = 0;
};

/// The same for these: load, preprocess and assignment.
SUBSPACE_API std::vector<StageMemory> predicted_memory(const PointsClustering<KMeansOptions>& run,
                                                       Index dimension, Index num_points,
                                                       const Context& context = {});
SUBSPACE_API std::vector<StageMemory> predicted_memory(
    const PointsClustering<KSubspacesOptions>& run, Index dimension, Index num_points,
    const Context& context = {});
SUBSPACE_API std::vector<StageMemory> predicted_memory(
    const PointsClustering<LossyCodingOptions>& run, Index dimension, Index num_points,
    const Context& context = {});
SUBSPACE_API void check_peak_memory(const PointsClustering<KMeansOptions>& run, Index dimension,
                                    Index num_points, const Context& context = {});
SUBSPACE_API void check_peak_memory(const PointsClustering<KSubspacesOptions>& run, Index dimension,
                                    Index num_points, const Context& context = {});
SUBSPACE_API void check_peak_memory(const PointsClustering<LossyCodingOptions>& run,
                                    Index dimension, Index num_points, const Context& context = {});

/// The same for the labels of further points by what was kept of clusters: load, preprocess and
/// assignment, the model and the points counted with each. Of the representation of a point by
/// exemplars 50 coefficients count.
SUBSPACE_API std::vector<StageMemory> predicted_memory(const Preprocessor& preprocessor,
                                                       const Subspaces& model, Index num_points,
                                                       const Context& context = {});
SUBSPACE_API std::vector<StageMemory> predicted_memory(const Preprocessor& preprocessor,
                                                       const LabelledExemplars& model,
                                                       Index num_points,
                                                       const Context& context = {});

/// A matrix of one's own, coefficients or an affinity of `num_points` points.
struct OwnMatrix {
  Index num_points = 0;
  double entries = 0.0;  ///< that are not zero, or that are stored
  bool full = false;     ///< given with all its zeros
  bool kept = true;      ///< by the caller; false of a matrix that is given away
};
SUBSPACE_API OwnMatrix measured(const SparseMatrix& A);
SUBSPACE_API OwnMatrix measured(const ConstMatrixRef& A);

/// The same for cluster_coefficients(): load, affinity, embedding and assignment.
SUBSPACE_API std::vector<StageMemory> predicted_coefficients_memory(const PipelineOptions& options,
                                                                    const OwnMatrix& C,
                                                                    const Context& context = {});
/// And for cluster_affinity(): load, embedding and assignment.
SUBSPACE_API std::vector<StageMemory> predicted_affinity_memory(const PipelineOptions& options,
                                                                const OwnMatrix& W,
                                                                const Context& context = {});
SUBSPACE_API void check_coefficients_memory(const PipelineOptions& options, const OwnMatrix& C,
                                            const Context& context = {});
SUBSPACE_API void check_affinity_memory(const PipelineOptions& options, const OwnMatrix& W,
                                        const Context& context = {});

/// Methods with a path: each point by few others (elastic_net_path()), or all points by all
/// (lsr_path(), edsc_path()).
SUBSPACE_API bool has_sparse_path(const Method& method);
SUBSPACE_API bool has_full_path(const Method& method);

/// The method at several values of its weight.
struct PathSize {
  Index num_values = 1;
  Index num_paths = 0;         ///< points whose paths are asked for; 0: all
  double bytes_of_step = 0.0;  ///< what the caller keeps of a point at a value
};

/// The same for a path on preprocessed points, clustered value after value where num_clusters > 0:
/// load, preprocess, self-expression, record (all values, with what the caller keeps of them) and,
/// of the clusters, affinity, embedding (also that of an eigengap) and assignment. 50 coefficients
/// count for a point at each value. Throws InvalidArgument for a method without a path.
SUBSPACE_API std::vector<StageMemory> predicted_path_memory(const PipelineOptions& options,
                                                            const PathSize& path, Index dimension,
                                                            Index num_points,
                                                            const Context& context = {});
/// Throws ResourceError "path, stage self-expression: needs about ...".
SUBSPACE_API void check_path_memory(const PipelineOptions& options, const PathSize& path,
                                    Index dimension, Index num_points, const Context& context = {});

}  // namespace subspace
