// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/text.h"

namespace subspace::datasets {

/// Deflate cannot expand its input by more than this factor (zlib, technical details), so a header
/// that promises more lies, and nothing needs to be inflated to know it.
inline constexpr std::uint64_t kMaxDeflateRatio = 1032;

/// The bytes of one array in the order of the file, wherever they come from. Views instead of
/// copies where the bytes are in memory already.
class ByteStream {
 public:
  /// The most that take() gives at once, which bounds the memory of a stream that must inflate.
  static constexpr std::size_t kMaxTake = std::size_t{1} << 22;

  explicit ByteStream(std::string origin) : origin_(std::move(origin)) {}
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// The next n bytes, n <= kMaxTake, valid until the next call. Throws IoError if they are not
  /// there.
  std::span<const std::byte> take(std::size_t n);
  /// A copy of the next n bytes, however many.
  std::vector<std::byte> read(std::size_t n);
  /// Says that all was taken: throws IoError if bytes are left over or a checksum is wrong.
  virtual void finish() = 0;

  std::uint64_t offset() const { return offset_; }
  const std::string& origin() const { return origin_; }

  template <typename... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    throw_io_error(origin_, ": byte ", offset_, ": ", parts...);
  }

 protected:
  virtual std::span<const std::byte> next(std::size_t n) = 0;

 private:
  std::string origin_;
  std::uint64_t offset_ = 0;
};

class MappedStream final : public ByteStream {
 public:
  /// `bytes` belong to a MappedFile.
  MappedStream(std::string origin, std::span<const std::byte> bytes)
      : ByteStream(std::move(origin)), rest_(bytes) {}
  void finish() override;

 protected:
  std::span<const std::byte> next(std::size_t n) override;

 private:
  std::span<const std::byte> rest_;
  std::size_t unreleased_ = 0;  ///< bytes before `rest_` whose pages are still held
};

class InflateStream final : public ByteStream {
 public:
  enum class Wrapper { kRaw, kZlib, kGzip };
  InflateStream(std::string origin, std::span<const std::byte> compressed, Wrapper wrapper);
  ~InflateStream() override;
  void finish() override;

 protected:
  std::span<const std::byte> next(std::size_t n) override;

 private:
  std::size_t inflate_into(std::span<std::byte> out);  ///< fewer than out.size() only at the end

  z_stream zlib_ = {};
  bool ended_ = false;
  std::span<const std::byte> rest_;
  std::vector<std::byte> buffer_;
};

/// Checks the CRC-32 of what passes through.
class CrcStream final : public ByteStream {
 public:
  CrcStream(std::unique_ptr<ByteStream> inner, std::uint32_t expected)
      : ByteStream(inner->origin()), inner_(std::move(inner)), expected_(expected) {}
  void finish() override;

 protected:
  std::span<const std::byte> next(std::size_t n) override;

 private:
  std::unique_ptr<ByteStream> inner_;
  std::uint32_t expected_;
  std::uint32_t crc_ = 0;
};

}  // namespace subspace::datasets
