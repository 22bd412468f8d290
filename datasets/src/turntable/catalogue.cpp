// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/catalogue.h"

#include "turntable/designed.h"

namespace subspace::datasets::turntable {

Object catalogue_object(int number, std::uint64_t seed) {
  static_cast<void>(seed);
  return designed_object(number % kDesigned);
}

}  // namespace subspace::datasets::turntable
