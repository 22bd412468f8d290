// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/synthetic.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/datasets/sha256.h>

namespace subspace::datasets {
namespace {

void check(const UnionOfSubspacesOptions& options) {
  const auto require = [](bool holds, const char* name, auto value, const char* rule) {
    if (!holds)
      throw InvalidArgument(
          message("union_of_subspaces: ", name, " = ", value, ", must satisfy ", rule));
  };
  require(options.num_subspaces >= 1, "num_subspaces", options.num_subspaces, "num_subspaces >= 1");
  require(options.points_per_subspace >= 1, "points_per_subspace", options.points_per_subspace,
          "points_per_subspace >= 1");
  require(options.ambient >= 1, "ambient", options.ambient, "ambient >= 1");
  require(options.dimension >= 1 && options.dimension <= options.ambient, "dimension",
          options.dimension, "1 <= dimension <= ambient");
  require(std::isfinite(options.noise) && options.noise >= 0.0, "noise", options.noise,
          "0 <= noise < infinity");
}

Vector normal_vector(RandomStream& random, Index size) {
  Vector v(size);
  for (double& value : v) value = random.normal();
  return v;
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

}  // namespace

Generated union_of_subspaces(const UnionOfSubspacesOptions& options) {
  check(options);
  const Index per_subspace = options.points_per_subspace;
  Generated out;
  out.points.X.resize(options.ambient, options.num_subspaces * per_subspace);
  for (int l = 0; l < options.num_subspaces; ++l) {
    RandomStream random = stream(options.seed, Stream::kGenerator, static_cast<std::uint32_t>(l));
    const Matrix U = random_basis(random, options.ambient, options.dimension);
    for (Index j = 0; j < per_subspace; ++j) {
      auto x = out.points.X.col(l * per_subspace + j);
      x.noalias() = U * normal_vector(random, options.dimension).normalized();
      // Drawn even when unused, so that the clean points do not depend on the noise.
      x += options.noise * normal_vector(random, options.ambient);
      out.truth.push_back(l);
    }
  }
  out.points.name = "union-of-subspaces";
  out.points.sha256 = content_sha256(out.points.X);
  return out;
}

}  // namespace subspace::datasets
