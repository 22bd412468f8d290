// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/trajectories.h"

#include <algorithm>
#include <cmath>

namespace subspace::datasets {
namespace {

const std::vector<std::int64_t>* shape_of(const std::vector<Variable>& variables,
                                          const char* name) {
  const auto found = std::ranges::find(variables, name, &Variable::name);
  return found != variables.end() && found->numeric ? &found->shape : nullptr;
}

}  // namespace

bool are_trajectories(const std::vector<Variable>& variables) {
  const auto* x = shape_of(variables, "x");
  const auto* y = shape_of(variables, "y");
  const auto* s = shape_of(variables, "s");
  if (x == nullptr || y == nullptr || s == nullptr || x->size() != 3 || *x != *y) return false;
  const auto num_labels = num_elements(*s);
  return (*x)[0] == 3 && num_labels && *num_labels == static_cast<std::uint64_t>((*x)[1]);
}

Matrix decode_trajectories(OpenArray& x, const Context& context) {
  const Index points = x.header.variable.shape[1];
  const Index frames = x.header.variable.shape[2];
  const std::vector<double> values = decode_sequence(x, context);
  Matrix X(2 * frames, points);
  for (Index f = 0; f < frames; ++f) {
    for (Index p = 0; p < points; ++p) {
      const double* coordinates = values.data() + 3 * (p + points * f);
      if (coordinates[2] != 1.0) {
        x.payload->fail("x(3, ", p + 1, ", ", f + 1, ") is ", coordinates[2],
                        ", expected homogeneous coordinates that end in 1");
      }
      X(2 * f, p) = coordinates[0];
      X(2 * f + 1, p) = coordinates[1];
    }
  }
  return X;
}

}  // namespace subspace::datasets
