// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fuzz/read_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  const auto bytes = fuzz::bytes_of(data, size);
  fuzz::read_arrays(bytes, Format::kText);
  fuzz::succeeds([&] {
    const fuzz::InputFile input(bytes);
    fuzz::read_points(input.file(), Format::kText, {.y = "y"});
    fuzz::read_labels(input.file(), Format::kText, {.y = "y"});
  });
  return 0;
}
