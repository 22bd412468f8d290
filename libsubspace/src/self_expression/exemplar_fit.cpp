// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/exemplar_fit.h"

#include <algorithm>
#include <cmath>

#include <subspace/core/parallel.h>

#include "linalg/kernels.h"
#include "linalg/largest.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/column_blocks.h"

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 32;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Represents all points; correlations with the exemplars are recomputed from the data.
class ExemplarFit {
 public:
  ExemplarFit(const ExemplarSet& set, const EscOptions& options, const char* function,
              const Context& context)
      : set_(set), options_(options), function_(function), context_(context) {
    chosen_.resize(set.directions.rows(), set.size());
    position_.assign(at(set.directions.cols()), -1);
    for (Index i = 0; i < set.size(); ++i) {
      chosen_.col(i) = set.directions.col(set.exemplars[at(i)]);
      position_[at(set.exemplars[at(i)])] = static_cast<int>(i);
    }
  }

  void run(ExemplarExpression& result) {
    const Index n = set_.directions.cols();
    std::vector<Workspace> workspaces(at(resolve_threads(context_)));
    std::vector<ColumnBlock> blocks(at((n + kPointsPerTile - 1) / kPointsPerTile));
    result.costs.resize(n);
    result.solves.resize(at(n));
    for_tiles(
        context_, n, kPointsPerTile,
        [&](const Tile& tile) {
          Workspace& work = workspaces[at(tile.worker)];
          solve_tile(tile, work, blocks[at(tile.index)], result);
          certify_tile(tile, work, blocks[at(tile.index)], result);
        },
        "self-expression");
    result.coefficients =
        assemble(blocks, set_.size(), n, function_, "lower lambda or num_exemplars");
  }

 private:
  struct Workspace {
    ExemplarLasso lasso = {};
    Matrix residuals = {};     // D x tile
    Matrix correlations = {};  // k x tile
    std::vector<int> order = {};
  };

  void solve_tile(const Tile& tile, Workspace& work, ColumnBlock& block,
                  ExemplarExpression& result) const {
    for (Index j = tile.begin; j < tile.end; ++j) {
      SolveInfo& info = result.solves[at(j)];
      if (set_.directions.col(j).isZero(0.0)) {
        result.costs[j] = 0.0;
        info.iterations = 0;
        block.append({}, {}, work.order);
        continue;
      }
      if (position_[at(j)] >= 0) {
        work.lasso.set_exemplar(position_[at(j)], options_.lambda);
        result.costs[j] = least_cost(options_.lambda);
      } else {
        result.costs[j] = work.lasso.solve(set_, j, options_.lambda, context_.cancel);
      }
      info.iterations = work.lasso.iterations();
      block.append(work.lasso.support(), work.lasso.coefficients(), work.order);
    }
  }

  void certify_tile(const Tile& tile, Workspace& work, const ColumnBlock& block,
                    ExemplarExpression& result) const {
    const Matrix& X = set_.directions;
    work.residuals = X.middleCols(tile.begin, tile.size());
    work.correlations.resize(chosen_.cols(), tile.size());
    std::size_t first = 0;
    for (Index c = 0; c < tile.size(); ++c) {
      const Index count = block.sizes[at(c)];
      linalg::subtract_columns(chosen_.data(), chosen_.rows(), block.rows.data() + first,
                               block.values.data() + first, count, work.residuals.col(c).data(),
                               X.rows());
      first += at(count);
    }
    if (chosen_.cols() > 0) correlate(work);
    first = 0;
    for (Index c = 0; c < tile.size(); ++c) {
      const Index count = block.sizes[at(c)];
      SolveInfo& info = result.solves[at(tile.begin + c)];
      info.residual = violation(block.rows.data() + first, block.values.data() + first, count,
                                work.correlations.col(c));
      info.termination =
          info.residual <= options_.tolerance ? Termination::kConverged : Termination::kStalled;
      first += at(count);
    }
  }

  void correlate(Workspace& work) const {
    linalg::gemm({.transpose_a = true,
                  .m = chosen_.cols(),
                  .n = work.residuals.cols(),
                  .k = chosen_.rows(),
                  .a = chosen_.data(),
                  .lda = chosen_.outerStride(),
                  .b = work.residuals.data(),
                  .ldb = work.residuals.outerStride(),
                  .c = work.correlations.data(),
                  .ldc = work.correlations.outerStride()});
  }

  double violation(const int* rows, const double* values, Index count,
                   Eigen::Ref<Vector> correlations) const {
    double largest = 0.0;
    for (Index k = 0; k < count; ++k) {
      double& q = correlations[rows[k]];
      const double gap = std::fabs(options_.lambda * q - std::copysign(1.0, values[k]));
      keep_largest(gap, largest);
      q = 0.0;
    }
    const double outside = linalg::max_abs(correlations.data(), correlations.size());
    return std::max(largest, options_.lambda * outside - 1.0);
  }

  const ExemplarSet& set_;
  const EscOptions& options_;
  const char* function_;
  const Context& context_;
  Matrix chosen_;              // the exemplars, D x k
  std::vector<int> position_;  // of each point among the exemplars, or -1
};

}  // namespace

void fit_exemplars(const ExemplarSet& set, const EscOptions& options, const char* function,
                   const Context& context, ExemplarExpression& result) {
  ExemplarFit(set, options, function, context).run(result);
}

double exemplar_fit_bytes(Index dimension, Index num_exemplars, const Context& context) {
  const Index in_work = resolve_threads(context) * kPointsPerTile;
  return matrix_bytes(1.0, dimension, num_exemplars) +
         matrix_bytes(1.0, dimension + num_exemplars, in_work);
}

}  // namespace subspace
