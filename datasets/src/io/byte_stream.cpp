// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/byte_stream.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "io/mapped_file.h"

namespace subspace::datasets {

std::span<const std::byte> ByteStream::take(std::size_t n) {
  assert(n <= kMaxTake);
  const auto bytes = next(n);
  offset_ += n;
  return bytes;
}

std::vector<std::byte> ByteStream::read(std::size_t n) {
  std::vector<std::byte> bytes;
  bytes.reserve(n);
  while (bytes.size() < n) {
    const auto piece = take(std::min(kMaxTake, n - bytes.size()));
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  return bytes;
}

std::span<const std::byte> MappedStream::next(std::size_t n) {
  if (n > rest_.size())
    fail("found ", rest_.size(), " bytes, expected ", n, "; the file is cut short");
  if (unreleased_ >= kReleaseEvery) {
    release_pages({rest_.data() - unreleased_, unreleased_});
    unreleased_ = 0;
  }
  const auto bytes = rest_.first(n);
  rest_ = rest_.subspan(n);
  unreleased_ += n;
  return bytes;
}

void MappedStream::finish() {
  if (!rest_.empty()) fail("found ", rest_.size(), " more bytes, expected the end");
}

namespace {

/// inflateInit2's windowBits, which also say what surrounds the deflate stream.
int window_bits(InflateStream::Wrapper wrapper) {
  switch (wrapper) {
    case InflateStream::Wrapper::kRaw:
      return -MAX_WBITS;
    case InflateStream::Wrapper::kGzip:
      return MAX_WBITS + 16;
    default:
      return MAX_WBITS;
  }
}

}  // namespace

InflateStream::InflateStream(std::string origin, std::span<const std::byte> compressed,
                             Wrapper wrapper)
    : ByteStream(std::move(origin)), rest_(compressed) {
  if (inflateInit2(&zlib_, window_bits(wrapper)) != Z_OK) throw std::bad_alloc();
}

InflateStream::~InflateStream() { inflateEnd(&zlib_); }

std::size_t InflateStream::inflate_into(std::span<std::byte> out) {
  zlib_.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib_.avail_out = static_cast<uInt>(out.size());
  while (!ended_ && zlib_.avail_out > 0) {
    if (zlib_.avail_in == 0) {
      const std::size_t piece =
          std::min<std::size_t>(rest_.size(), std::numeric_limits<uInt>::max());
      if (piece == 0) fail("the compressed data end too early");
      zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest_.data()));
      zlib_.avail_in = static_cast<uInt>(piece);
      rest_ = rest_.subspan(piece);
    }
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      ended_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      fail("the compressed data are damaged (", zlib_.msg != nullptr ? zlib_.msg : "zlib", ")");
    }
  }
  return out.size() - zlib_.avail_out;
}

std::span<const std::byte> InflateStream::next(std::size_t n) {
  if (buffer_.size() < n) buffer_.resize(n);
  const auto out = std::span(buffer_).first(n);
  const std::size_t found = inflate_into(out);
  if (found < n) fail("inflating gave ", found, " bytes, expected ", n);
  return out;
}

void InflateStream::finish() {
  std::byte extra;
  if (inflate_into(std::span(&extra, 1)) > 0)
    fail("inflating gives more bytes than the header declares");
  const std::size_t unused = rest_.size() + zlib_.avail_in;
  if (unused > 0) fail("found ", unused, " bytes behind the compressed data, expected none");
}

std::span<const std::byte> CrcStream::next(std::size_t n) {
  const auto bytes = inner_->take(n);
  crc_ = static_cast<std::uint32_t>(
      crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  return bytes;
}

void CrcStream::finish() {
  inner_->finish();
  if (crc_ != expected_)
    fail("CRC-32 is ", crc_, ", the archive says ", expected_, "; the data are damaged");
}

}  // namespace subspace::datasets
