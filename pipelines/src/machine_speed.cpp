// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "machine_speed.h"

#include <subspace/backend.h>
#include <subspace/core/parallel.h>

namespace subspace::pipelines {

double multiply_adds_per_second(const Context& context) {
  static const double one_thread = measure_product_speed();
  return one_thread * resolve_threads(context);
}

}  // namespace subspace::pipelines
