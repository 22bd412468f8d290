// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/omp_job.h"

#include <cmath>

#include "linalg/kernels.h"
#include "linalg/largest.h"

namespace subspace {
namespace {

// Beyond this the factor has lost digits that a step of refinement brings back.
constexpr double kRefineAbove = 1e-13;
// Squared lengths this small beside the largest are lost to underflow.
constexpr double kShortest = 1e-280;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// max |x_i'r| / (|x_i| |x_j|) over the support, with r = x_j - X c.
double orthogonality(const OmpJob& job, OmpPath& path, OmpFitWorkspace& work) {
  const Index d = job.X.rows();
  work.residual.resize(at(d));
  work.products.resize(path.support().size());
  std::copy_n(job.X.col(path.point()).data(), d, work.residual.data());
  linalg::subtract_columns(job.X.data(), job.X.outerStride(), path.support().data(),
                           path.coefficients().data(), path.size(), work.residual.data(), d);
  double largest = 0.0;
  for (std::size_t k = 0; k < work.products.size(); ++k) {
    const int i = path.support()[k];
    work.products[k] = linalg::dot(job.X.col(i).data(), work.residual.data(), d);
    const double lengths =
        std::sqrt(job.squared_lengths[i]) * std::sqrt(job.squared_lengths[path.point()]);
    const double relative = std::fabs(work.products[k]) / lengths;
    keep_largest(relative, largest);
  }
  return largest;
}

}  // namespace

void measure_lengths(OmpJob& job) {
  job.squared_lengths.resize(job.num_points());
  for (Index j = 0; j < job.num_points(); ++j) {
    const double* point = job.X.col(j).data();
    job.squared_lengths[j] = linalg::dot(point, point, job.X.rows());
  }
  const double shortest = kShortest * job.squared_lengths.maxCoeff();
  for (double& length : job.squared_lengths) {
    if (length < shortest) length = 0.0;
  }
}

void conclude(OmpJob& job, OmpPath& path, OmpFitWorkspace& work, ColumnBlock& block) {
  path.solve();
  SolveInfo info;
  info.iterations = static_cast<int>(path.size());
  info.residual = orthogonality(job, path, work);
  if (info.residual > kRefineAbove) {
    path.refine(work.products);
    info.residual = orthogonality(job, path, work);
  }
  info.termination =
      info.residual <= kOmpOrthogonality ? Termination::kConverged : Termination::kStalled;
  job.solves[at(path.point())] = info;
  block.append(path.support(), path.coefficients(), work.order);
}

}  // namespace subspace
