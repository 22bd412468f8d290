// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/pipeline/pipeline.h>

#include "methods/method.h"

namespace subspace::pipelines {

/// What the N samples of the input are when they are no points.
enum class PrecomputedKind {
  kAffinity,      ///< rows of a symmetric, non-negative W
  kCoefficients,  ///< sample j is the representation of point j by all points
};

/// Spectral clustering of a matrix that was made elsewhere.
class Precomputed final : public MethodState {
 public:
  std::vector<MethodOption> options() override;
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override;
  Work work(const Points& points, int num_clusters, const Context& context) const override;
  bool estimates_count() const override { return true; }

 private:
  ClusteringResult run_dense(const ConstMatrixRef& X, const PipelineOptions& options,
                             const Context& context) const;
  ClusteringResult run_sparse(const SparseMatrix& X, const PipelineOptions& options,
                              const Context& context) const;

  PrecomputedKind kind_ = PrecomputedKind::kAffinity;
  PipelineOptions options_ = {};
  std::string postprocess_ = "none";
};

MethodDefinition precomputed_definition();

}  // namespace subspace::pipelines
