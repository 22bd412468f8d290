// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <zlib.h>

#include <cstring>

#include "fuzz/input.h"
#include "images/png_read.h"
#include "images/resample.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace subspace::datasets::fuzz {
namespace {

constexpr std::size_t kSignatureSize = 8, kChunkOverhead = 12;

std::uint32_t load_big(const std::uint8_t* data) {
  std::uint32_t value = 0;
  std::memcpy(&value, data, sizeof value);
  return __builtin_bswap32(value);
}

void store_big(std::uint32_t value, std::uint8_t* data) {
  value = __builtin_bswap32(value);
  std::memcpy(data, &value, sizeof value);
}

/// Makes the checksum of every chunk right: libpng looks at no chunk whose checksum is wrong.
void repair_checksums(std::uint8_t* data, std::size_t size) {
  for (std::size_t at = kSignatureSize; at + kChunkOverhead <= size;) {
    const std::size_t length = load_big(data + at);
    if (length > size - at - kChunkOverhead) return;
    std::uint8_t* const type = data + at + 4;
    const auto checksum = crc32_z(0, type, length + 4);
    store_big(static_cast<std::uint32_t>(checksum), type + 4 + length);
    at += kChunkOverhead + length;
  }
}

void decode(Bytes bytes) {
  const Picture picture = decode_png("input", bytes, small_context());
  require(static_cast<Index>(picture.values.size()) == picture.shape.num_values(),
          "a picture has all its pixels");
  const Resampler resampler("input", picture.shape, {.image_size = ImageSize{5, 7}});
  std::vector<double> values(static_cast<std::size_t>(resampler.shape().num_values()));
  resampler.apply(picture.values, values.data());
}

}  // namespace
}  // namespace subspace::datasets::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, most);
  // Wrong checksums stay in one of eight, for they must be refused too.
  if (seed % 8 != 0) subspace::datasets::fuzz::repair_checksums(data, mutated);
  return mutated;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  fuzz::succeeds([&] { fuzz::decode(fuzz::bytes_of(data, size)); });
  return 0;
}
