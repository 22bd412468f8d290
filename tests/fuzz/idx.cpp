// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "datasets/files.h"
#include "fuzz/read_arrays.h"
#include "fuzz/read_pictures.h"

namespace subspace::datasets::fuzz {
namespace {

void read_idx(Bytes bytes) {
  read_arrays(bytes, Format::kIdx);
  read_pictures(bytes, Format::kIdx);
}

}  // namespace
}  // namespace subspace::datasets::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  const auto bytes = fuzz::bytes_of(data, size);
  fuzz::read_idx(bytes);
  fuzz::read_idx(fuzz::bytes_of(gzip_compressed(fuzz::text_of(bytes))));
  return 0;
}
