// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images/png_read.h"

#include <png.h>

#include <csetjmp>
#include <cstring>

#include <subspace/core/memory.h>

#include "arrays/element_type.h"
#include "io/byte_stream.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

constexpr png_uint_32 kLongestSide = ImageShape::kLongestSide;
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26;

/// What libpng is reading, and the last thing it complained of.
struct Reading {
  std::span<const std::byte> rest = {};
  char problem[128] = "damaged";
};

/// What the header says once the transformations of start() are set.
struct Header {
  png_uint_32 width = 0;
  png_uint_32 height = 0;
  int depth = 0;
  int channels = 0;
  bool has_alpha = false;
};

extern "C" {

void read_bytes(png_structp png, png_bytep out, std::size_t size) {
  auto* reading = static_cast<Reading*>(png_get_io_ptr(png));
  if (size > reading->rest.size()) png_error(png, "the file is cut short");
  std::memcpy(out, reading->rest.data(), size);
  reading->rest = reading->rest.subspan(size);
}

[[noreturn]] void keep_error(png_structp png, png_const_charp text) {
  auto* reading = static_cast<Reading*>(png_get_error_ptr(png));
  std::strncpy(reading->problem, text, sizeof reading->problem - 1);
  std::longjmp(*png_set_longjmp_fn(png, std::longjmp, sizeof(std::jmp_buf)), 1);
}

void ignore_warning(png_structp, png_const_charp) {}

}  // extern "C"

/// Reads up to the first pixel. Returns false where libpng gave up: it leaves by longjmp, so
/// nothing with a destructor may live in this frame or the next.
bool start(png_structp png, png_infop info, Header& header) {
  if (setjmp(*png_set_longjmp_fn(png, std::longjmp, sizeof(std::jmp_buf))) != 0) return false;
  png_set_user_limits(png, kLongestSide, kLongestSide);
  png_set_chunk_cache_max(png, 64);
  png_set_chunk_malloc_max(png, 1 << 20);
  png_read_info(png, info);
  header.depth = png_get_bit_depth(png, info);
  const int color = png_get_color_type(png, info);
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (color == PNG_COLOR_TYPE_GRAY && header.depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (png_get_valid(png, info, PNG_INFO_tRNS) != 0) png_set_tRNS_to_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  header.width = png_get_image_width(png, info);
  header.height = png_get_image_height(png, info);
  header.channels = png_get_channels(png, info);
  header.has_alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0;
  return true;
}

bool read_rows(png_structp png, png_infop info, png_bytepp rows) {
  if (setjmp(*png_set_longjmp_fn(png, std::longjmp, sizeof(std::jmp_buf))) != 0) return false;
  png_read_image(png, rows);
  png_read_end(png, info);
  return true;
}

/// Owns libpng's structures.
class PngReader {
 public:
  PngReader(const std::string& origin, std::span<const std::byte> bytes) : origin_(origin) {
    reading_.rest = bytes;
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading_, keep_error, ignore_warning);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, &reading_, read_bytes);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Header read_header() {
    Header header;
    if (!start(png_, info_, header)) fail();
    return header;
  }

  std::vector<std::uint8_t> read_pixels(const Header& header) {
    const std::size_t stride =
        std::size_t{header.width} * static_cast<std::size_t>(header.channels);
    std::vector<std::uint8_t> pixels(stride * header.height);
    std::vector<png_bytep> rows;
    for (std::size_t y = 0; y < header.height; ++y) rows.push_back(pixels.data() + y * stride);
    if (!read_rows(png_, info_, rows.data())) fail();
    return pixels;
  }

 private:
  [[noreturn]] void fail() const {
    throw_io_error(origin_, ": not a readable PNG: ", printable(reading_.problem));
  }

  const std::string& origin_;
  Reading reading_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

bool has_signature(std::span<const std::byte> bytes) {
  constexpr std::size_t kSize = 8;
  return bytes.size() >= kSize &&
         png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, kSize) == 0;
}

/// libpng takes memory for some chunks by the length they declare, before it reads them. Files that
/// are no .png at all are left to its own words.
void check_chunks(const std::string& origin, std::span<const std::byte> bytes) {
  if (!has_signature(bytes)) return;
  constexpr std::size_t kSignature = 8, kLengthAndType = 8, kChecksum = 4;
  std::size_t at = kSignature;
  while (bytes.size() - at >= kLengthAndType) {
    const std::uint64_t length = load_big<std::uint32_t>(bytes.data() + at);
    const std::size_t left = bytes.size() - at - kLengthAndType;
    if (length + kChecksum > left) {
      throw_io_error(origin, ": byte ", at, ": a PNG chunk of ", length, " bytes, the file has ",
                     left, " left; it is cut short or damaged");
    }
    const bool is_end = std::memcmp(bytes.data() + at + 4, "IEND", 4) == 0;
    if (is_end) return;  // what is behind it is nobody's business
    at += kLengthAndType + length + kChecksum;
  }
}

void check(const std::string& origin, const Header& header, std::size_t file_bytes,
           const Context& context) {
  if (header.depth > 8) {
    throw_io_error(origin, ": PNG of ", header.depth, " bits a channel, expected at most 8");
  }
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  // A pixel takes at least one bit before compression.
  if (pixels > kMostPixels || pixels / 8 / kMaxDeflateRatio > file_bytes) {
    throw_io_error(origin, ": ", file_bytes, " bytes cannot hold the declared ", header.width,
                   " x ", header.height, " pixels");
  }
  // As libpng gives them, and once more channel by channel.
  const double needed = 2.0 * static_cast<double>(pixels) * header.channels;
  check_memory(origin, needed, allowed_memory(context), "leave the picture out or raise the limit");
}

}  // namespace

Picture decode_png(const std::string& origin, std::span<const std::byte> bytes,
                   const Context& context) {
  check_chunks(origin, bytes);
  PngReader reader(origin, bytes);
  const Header header = reader.read_header();
  check(origin, header, bytes.size(), context);
  const std::vector<std::uint8_t> pixels = reader.read_pixels(header);

  const auto stored = static_cast<std::size_t>(header.channels);
  Picture picture;
  picture.shape = {header.channels - (header.has_alpha ? 1 : 0), static_cast<int>(header.height),
                   static_cast<int>(header.width)};
  const auto num_pixels = static_cast<std::size_t>(picture.shape.num_pixels());
  picture.values.resize(static_cast<std::size_t>(picture.shape.num_values()));
  for (std::size_t c = 0; c < static_cast<std::size_t>(picture.shape.channels); ++c) {
    for (std::size_t p = 0; p < num_pixels; ++p) {
      picture.values[c * num_pixels + p] = pixels[p * stored + c];
    }
  }
  for (std::size_t p = 0; header.has_alpha && p < num_pixels; ++p) {
    if (pixels[p * stored + stored - 1] == 255) continue;
    throw_io_error(origin, ": row ", p / header.width, ", column ", p % header.width,
                   " is transparent; expected an opaque picture");
  }
  return picture;
}

}  // namespace subspace::datasets
