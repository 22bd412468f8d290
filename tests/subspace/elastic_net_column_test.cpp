// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_column.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace subspace {
namespace {

constexpr double kL1 = 0.3;
constexpr double kL2 = 0.1;

/// Adds columns [begin, end) of `atoms` to the candidates of the target and solves.
bool add_and_solve(ElasticNetColumn& column, const Matrix& atoms, const Vector& target, Index begin,
                   Index end) {
  std::vector<int> points(static_cast<std::size_t>(end - begin));
  std::iota(points.begin(), points.end(), static_cast<int>(begin));
  const Vector products = atoms.middleCols(begin, end - begin).transpose() * target;
  column.add_candidates(points.data(), products.data(), end - begin);
  column.new_gram() = atoms.leftCols(end).transpose() * atoms.middleCols(begin, end - begin);
  return column.solve();
}

Vector coefficients(const ElasticNetColumn& column, Index num_atoms) {
  Vector c = Vector::Zero(num_atoms);
  for (Index k = 0; k < column.support_size(); ++k) {
    c[column.support_point(k)] = column.support_value(k);
  }
  return c;
}

/// Of  min 1/2 |target - atoms c|^2 + l1 |c|_1 + l2/2 |c|^2, from its definition.
double violation(const Matrix& atoms, const Vector& target, const Vector& c) {
  const Vector gradient = atoms.transpose() * (target - atoms * c) - kL2 * c;
  double largest = 0.0;
  for (Index i = 0; i < c.size(); ++i) {
    largest = std::max(largest, c[i] != 0.0 ? std::abs(gradient[i] - std::copysign(kL1, c[i]))
                                            : std::abs(gradient[i]) - kL1);
  }
  return largest;
}

/// The unit vector at this angle to the first axis, in the plane with the second.
Vector at_angle(double angle) { return Vector{{std::cos(angle), std::sin(angle), 0.0}}; }

/// The first atoms stand for the target until the last one, the target itself, takes it all over:
/// on the way there they reach zero at the same step of the path.
struct World {
  const char* name;
  Matrix atoms;
};

std::vector<World> worlds_with_ties() {
  const double angle = std::acos(0.6);
  const Vector target = at_angle(0.0);
  const Vector a = at_angle(angle);
  const Vector mirrored = at_angle(-angle);
  const auto world = [&](std::initializer_list<Vector> first) {
    Matrix atoms(3, static_cast<Index>(first.size()) + 1);
    Index j = 0;
    for (const Vector& atom : first) atoms.col(j++) = atom;
    atoms.col(j) = target;
    return atoms;
  };
  return {{"duplicates", world({a, a})},
          {"three duplicates", world({a, a, a})},
          {"opposite signs", world({a, -a})},
          {"duplicates with both signs", world({a, -a, a, -a})},
          {"atoms symmetric about the target", world({a, mirrored})},
          {"two pairs of duplicates", world({a, mirrored, a, mirrored})}};
}

TEST(ElasticNetColumn, LetsCoefficientsThatVanishTogetherGoTogether) {
  const Vector target = at_angle(0.0);
  for (const World& world : worlds_with_ties()) {
    const Index last = world.atoms.cols() - 1;
    ElasticNetColumn column;
    column.start(kL1, kL2);
    ASSERT_TRUE(add_and_solve(column, world.atoms, target, 0, last)) << world.name;
    const Vector before = coefficients(column, last);
    EXPECT_GT(before.cwiseAbs().minCoeff(), 0.01) << world.name << ": all take part at first";
    EXPECT_LE(violation(world.atoms.leftCols(last), target, before), 1e-12) << world.name;

    ASSERT_TRUE(add_and_solve(column, world.atoms, target, last, last + 1)) << world.name;
    const Vector after = coefficients(column, last + 1);
    EXPECT_EQ(column.support_size(), 1) << world.name << ": only the target itself is left";
    EXPECT_NEAR(after[last], (1.0 - kL1) / (1.0 + kL2), 1e-12) << world.name;
    EXPECT_LE(violation(world.atoms, target, after), 1e-12) << world.name;
  }
}

// With l2 = 0 duplicates depend on one another and only one of them may be in the pattern.
TEST(ElasticNetColumn, TakesOneOfDuplicatesWithoutARidge) {
  const Vector target = at_angle(0.2);
  const Matrix atoms{{1.0, 1.0, -1.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  ElasticNetColumn column;
  column.start(kL1, 0.0);
  ASSERT_TRUE(add_and_solve(column, atoms, target, 0, 3));
  ASSERT_EQ(column.support_size(), 1);
  EXPECT_EQ(column.support_point(0), 0);
  EXPECT_NEAR(column.support_value(0), std::cos(0.2) - kL1, 1e-14);
}

}  // namespace
}  // namespace subspace
