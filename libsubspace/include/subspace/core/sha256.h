// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// SHA-256 [FIPS 180-4], fed in pieces of any size. Uses the processor's SHA instructions where it
/// has them, so that hashing a file costs about as much as reading it.
class SUBSPACE_API Sha256 {
 public:
  Sha256();
  void update(std::span<const std::byte> bytes);
  /// The digest as 64 hexadecimal digits. The object must not be used afterwards.
  std::string finish();

  /// Forces the portable code path, so that a test can hold both paths against each other.
  void use_portable_code();

 private:
  using Compress = void (*)(std::array<std::uint32_t, 8>& state, const std::byte* blocks,
                            std::size_t num_blocks);
  std::array<std::uint32_t, 8> state_;
  std::array<std::byte, 64> pending_ = {};
  std::uint64_t num_bytes_ = 0;
  Compress compress_;
};

SUBSPACE_API std::string sha256(std::span<const std::byte> bytes);

/// SHA-256 of the values of X as little-endian doubles, column after column: the payload of
/// a .npy file of doubles.
SUBSPACE_API std::string content_sha256(const ConstMatrixRef& X);

}  // namespace subspace
