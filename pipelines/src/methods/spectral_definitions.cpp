// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/spectral_pipeline.h"

/// The defaults of each method: its published affinity and assignment around the solver's own
/// defaults. Points are brought to unit length everywhere unless said.
namespace subspace::pipelines {
namespace {

template <PipelineOptions (*defaults)()>
std::unique_ptr<MethodState> make() {
  return std::make_unique<SpectralPipeline>(defaults());
}

/// As SSC's authors have it, and those who follow them.
AffinityOptions max_columns() { return {.kind = AffinityKind::kMaxColumns}; }

/// Normalised cuts as distributed with LSR and EDSC: eigenvectors of the random walk, discretised.
void cut_normalised(PipelineOptions& options) {
  options.embedding.scale = EmbeddingScale::kRandomWalk;
  options.assign.assignment = Assignment::kDiscretize;
}

PipelineOptions spectral() {
  PipelineOptions options;
  // scikit-learn's SpectralClustering(affinity="nearest_neighbors", n_neighbors=5) counts a point
  // among its own neighbours; the same number has to give the same graph here.
  options.method = NeighborGraphOptions{.k = 5, .metric = Metric::kEuclidean, .include_self = true};
  options.embedding.scale = EmbeddingScale::kRandomWalk;
  return options;
}

PipelineOptions ensc() { return {}; }

PipelineOptions ssc() {
  PipelineOptions options;
  options.method = SscOptions{};
  options.affinity = max_columns();
  return options;
}

PipelineOptions kssc() {
  PipelineOptions options;
  options.method = KsscOptions{};
  options.affinity = max_columns();
  return options;
}

PipelineOptions omp() {
  PipelineOptions options;
  options.method = OmpOptions{};
  options.affinity.top = 0;
  return options;
}

PipelineOptions smce() {
  PipelineOptions options;
  // Nearness, not direction, is what it goes by.
  options.preprocess.normalization = Normalization::kNone;
  options.method = SmceOptions{};
  options.affinity = {.kind = AffinityKind::kMaximum, .keep = 0.95};
  return options;
}

PipelineOptions lsr() {
  PipelineOptions options;
  options.method = LsrOptions{};
  options.affinity = max_columns();
  cut_normalised(options);
  return options;
}

PipelineOptions edsc() {
  PipelineOptions options;
  options.method = EdscOptions{};
  options.affinity = {.kind = AffinityKind::kLowRank, .dimension = 10};
  cut_normalised(options);
  return options;
}

PipelineOptions lrr() {
  PipelineOptions options;
  options.method = LrrOptions{};
  options.affinity = {.kind = AffinityKind::kLowRank, .symmetrize = false};
  options.embedding.scale = EmbeddingScale::kRandomWalk;
  return options;
}

PipelineOptions esc() {
  PipelineOptions options;
  options.method = EscOptions{};
  return options;
}

}  // namespace

const std::vector<MethodDefinition>& spectral_definitions() {
  static const std::vector<MethodDefinition> all = {
      {{"spectral",
        "spectral clustering of the nearest-neighbour graph; as in scikit-learn a point counts "
        "among its own neighbours (graph.include_self)",
        "U. von Luxburg. A tutorial on spectral clustering. Statistics and Computing 17, 2007."},
       make<spectral>},
      {{"ensc",
        "elastic net subspace clustering: each point as a sparse combination of the others, then "
        "spectral clustering of the coefficients",
        "C. You, C.-G. Li, D. Robinson, R. Vidal. Oracle based active set algorithm for scalable "
        "elastic net subspace clustering. CVPR 2016."},
       make<ensc>},
      {{"ssc",
        "sparse subspace clustering: each point by as few others as possible; affine subspaces and "
        "gross errors by option",
        "E. Elhamifar, R. Vidal. Sparse subspace clustering: algorithm, theory, and applications. "
        "IEEE TPAMI 35, 2013."},
       make<ssc>},
      {{"kssc", "sparse subspace clustering in the feature space of a kernel",
        "V. M. Patel, R. Vidal. Kernel sparse subspace clustering. ICIP 2014."},
       make<kssc>},
      {{"ssc-omp", "sparse subspace clustering by orthogonal matching pursuit",
        "C. You, D. Robinson, R. Vidal. Scalable sparse subspace clustering by orthogonal matching "
        "pursuit. CVPR 2016."},
       make<omp>},
      {{"lsr", "least squares regression: a ridge instead of sparsity, in closed form",
        "C.-Y. Lu, H. Min, Z.-Q. Zhao, L. Zhu, D.-S. Huang, S. Yan. Robust and efficient subspace "
        "segmentation via least squares regression. ECCV 2012."},
       make<lsr>},
      {{"edsc",
        "efficient dense subspace clustering: least squares, then the angles in the leading "
        "subspace of the coefficients",
        "P. Ji, M. Salzmann, H. Li. Efficient dense subspace clustering. WACV 2014."},
       make<edsc>},
      {{"lrr", "low-rank representation: the coefficients of least nuclear norm",
        "G. Liu, Z. Lin, S. Yan, J. Sun, Y. Yu, Y. Ma. Robust recovery of subspace structures by "
        "low-rank representation. IEEE TPAMI 35, 2013."},
       make<lrr>},
      {{"smce",
        "sparse manifold clustering and embedding: each point by few near ones, for manifolds that "
        "are not linear",
        "E. Elhamifar, R. Vidal. Sparse manifold clustering and embedding. NIPS 2011."},
       make<smce>},
      {{"esc",
        "exemplar-based subspace clustering: every point by a few chosen ones, for many points and "
        "classes of unequal size",
        "C. You, C. Li, D. Robinson, R. Vidal. Scalable exemplar-based subspace clustering on "
        "class-imbalanced data. ECCV 2018."},
       make<esc>},
  };
  return all;
}

}  // namespace subspace::pipelines
