// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/content.h"

#include "arrays/element_type.h"

namespace subspace::datasets {
namespace {

// RFC 1952: 10 bytes of header, at least 2 of deflate, CRC-32 and the size modulo 2^32.
constexpr std::size_t kSmallestGzip = 20;

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

}  // namespace

Content open_content(const MappedFile& file) {
  const auto bytes = file.bytes();
  if (!is_gzip(bytes))
    return {std::make_unique<MappedStream>(file.name(), bytes), bytes.size(), std::nullopt};
  if (bytes.size() < kSmallestGzip) throw_io_error(file.name(), ": the gzip file is cut short");
  const std::uint64_t size = load_little<std::uint32_t>(bytes.data() + bytes.size() - 4);
  if (size / kMaxDeflateRatio > bytes.size()) {
    throw_io_error(file.name(), ": ", bytes.size(), " bytes cannot inflate to the ", size,
                   " of the gzip trailer");
  }
  return {std::make_unique<InflateStream>(file.name(), bytes, InflateStream::Wrapper::kGzip), size,
          bytes.size()};
}

}  // namespace subspace::datasets
