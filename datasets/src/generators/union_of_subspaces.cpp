// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/synthetic.h>

#include <subspace/datasets/sha256.h>

#include "generators/draw.h"

namespace subspace::datasets {
namespace {

constexpr char kName[] = "union_of_subspaces";

/// One number a subspace: `each` unless `all` says otherwise.
std::vector<int> per_subspace(const UnionOfSubspacesOptions& options, const char* name,
                              const std::vector<int>& all, int each) {
  const auto count = static_cast<std::size_t>(options.num_subspaces);
  if (all.empty()) return std::vector<int>(count, each);
  require(all.size() == count, kName, std::string("length of ") + name, all.size(),
          "one number a subspace");
  return all;
}

void check(const UnionOfSubspacesOptions& options) {
  require_positive(kName, "num_subspaces", options.num_subspaces);
  require_positive(kName, "points_per_subspace", options.points_per_subspace);
  require_positive(kName, "ambient", options.ambient);
  for (const int size : per_subspace(options, "sizes", options.sizes, 1)) {
    require_positive(kName, "sizes", size);
  }
  for (const int dimension :
       per_subspace(options, "dimensions", options.dimensions, options.dimension)) {
    require(dimension >= 1 && dimension <= options.ambient, kName, "dimension", dimension,
            "1 <= dimension <= ambient");
  }
  require(options.num_outliers >= 0, kName, "num_outliers", options.num_outliers,
          "num_outliers >= 0");
  require_noise(kName, options.noise);
}

/// Gram-Schmidt on Gaussian columns: uniform over subspaces. Each column is cleaned twice, which
/// makes it orthogonal to machine precision.
Matrix random_basis(RandomStream& random, Index ambient, Index dimension) {
  Matrix U(ambient, dimension);
  for (Index k = 0; k < dimension; ++k) {
    U.col(k) = normal_vector(random, ambient);
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < k; ++i) U.col(k) -= U.col(i).dot(U.col(k)) * U.col(i);
      U.col(k).normalize();
    }
  }
  return U;
}

/// Streams of their own for what was added later, so that the rest does not depend on it.
constexpr std::uint32_t kOffsetStream = 0x40000000, kOutlierStream = 0x7fffffff;

Vector offset(const UnionOfSubspacesOptions& options, std::uint32_t subspace) {
  if (!options.affine) return Vector::Zero(options.ambient);
  RandomStream random = stream(options.seed, Stream::kGenerator, kOffsetStream + subspace);
  return normal_vector(random, options.ambient).normalized();
}

void draw_subspace(const UnionOfSubspacesOptions& options, int label, int dimension,
                   MatrixRef points) {
  const auto number = static_cast<std::uint32_t>(label);
  RandomStream random = stream(options.seed, Stream::kGenerator, number);
  const Matrix U = random_basis(random, options.ambient, dimension);
  const Vector b = offset(options, number);
  for (auto x : points.colwise()) {
    x.noalias() = U * normal_vector(random, dimension).normalized();
    // Drawn even when unused, so that the clean points do not depend on the noise.
    x += b + options.noise * normal_vector(random, options.ambient);
  }
}

void draw_outliers(const UnionOfSubspacesOptions& options, MatrixRef points) {
  RandomStream random = stream(options.seed, Stream::kGenerator, kOutlierStream);
  for (auto x : points.colwise()) x = normal_vector(random, options.ambient).normalized();
}

}  // namespace

Generated union_of_subspaces(const UnionOfSubspacesOptions& options) {
  check(options);
  const auto sizes = per_subspace(options, "sizes", options.sizes, options.points_per_subspace);
  const auto dimensions =
      per_subspace(options, "dimensions", options.dimensions, options.dimension);
  Generated out;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    out.truth.insert(out.truth.end(), static_cast<std::size_t>(sizes[l]), static_cast<int>(l));
  }
  const auto inliers = static_cast<Index>(out.truth.size());
  out.truth.insert(out.truth.end(), static_cast<std::size_t>(options.num_outliers), -1);
  out.points.X.resize(options.ambient, inliers + options.num_outliers);
  Index first = 0;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    draw_subspace(options, static_cast<int>(l), dimensions[l],
                  out.points.X.middleCols(first, sizes[l]));
    first += sizes[l];
  }
  draw_outliers(options, out.points.X.rightCols(options.num_outliers));
  out.points.name = "union-of-subspaces";
  out.points.sha256 = content_sha256(out.points.X);
  return out;
}

}  // namespace subspace::datasets
