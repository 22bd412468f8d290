// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/catalogue.h"

#include "turntable/designed.h"
#include "turntable/drawn.h"

namespace subspace::datasets::turntable {

Object catalogue_object(int number, std::uint64_t seed) {
  return number < kDesigned ? designed_object(number) : drawn_object(number, seed);
}

}  // namespace subspace::datasets::turntable
