// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fuzz/read_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  fuzz::read_arrays(fuzz::bytes_of(data, size), Format::kMat);
  return 0;
}
