// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cmath>
#include <string>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/core/types.h>

namespace subspace::datasets {

/// Throws InvalidArgument "generator: name = value, must satisfy rule" unless it holds.
template <typename Value>
void require(bool holds, const char* generator, const std::string& name, const Value& value,
             const std::string& rule) {
  if (holds) return;
  throw InvalidArgument(message(generator, ": ", name, " = ", value, ", must satisfy ", rule));
}

inline void require_positive(const char* generator, const std::string& name, int value) {
  require(value >= 1, generator, name, value, name + " >= 1");
}

inline void require_noise(const char* generator, double noise) {
  require(std::isfinite(noise) && noise >= 0.0, generator, "noise", noise, "0 <= noise < infinity");
}

inline Vector normal_vector(RandomStream& random, Index size) {
  Vector v(size);
  for (double& value : v) value = random.normal();
  return v;
}

}  // namespace subspace::datasets
