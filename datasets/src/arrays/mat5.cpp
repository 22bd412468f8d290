// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/mat5.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace subspace::datasets {
namespace {

// Names and numbers of the data types (mi) and array classes (mx) are those of the "MAT-File
// Format" description by The MathWorks.
enum : std::uint32_t {
  kMiInt8 = 1,
  kMiUint8 = 2,
  kMiInt16 = 3,
  kMiUint16 = 4,
  kMiInt32 = 5,
  kMiUint32 = 6,
  kMiSingle = 7,
  kMiDouble = 9,
  kMiInt64 = 12,
  kMiUint64 = 13,
  kMiMatrix = 14,
  kMiCompressed = 15,
  kMiUtf8 = 16
};
enum : std::uint32_t {
  kMxCell = 1,
  kMxStruct = 2,
  kMxObject = 3,
  kMxChar = 4,
  kMxSparse = 5,
  kMxDouble = 6,
  kMxUint64 = 15,
  kMxFunction = 16,
  kMxOpaque = 17
};
constexpr std::uint32_t kComplexFlag = 0x0800;
constexpr std::uint32_t kLogicalFlag = 0x0200;

constexpr std::size_t kFileHeaderSize = 128;
constexpr std::uint32_t kMostAxes = 64;
constexpr std::uint32_t kLongestName = 4096;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string class_name(std::uint32_t array_class) {
  static constexpr std::string_view kNames[] = {
      "",      "cell",  "struct", "object", "char",   "sparse", "double", "single",   "int8",
      "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function", "object"};
  if (array_class == 0 || array_class >= std::size(kNames))
    return "class " + std::to_string(array_class);
  return std::string(kNames[array_class]);
}

/// Refuses files of other versions with words that say what to do. Returns whether bytes are
/// swapped.
bool check_file_header(const MappedFile& file) {
  const auto bytes = file.bytes();
  constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";
  const std::string_view text = text_of(bytes.first(std::min(bytes.size(), kFileHeaderSize)));
  const bool has_hdf5 =
      text.starts_with(kHdf5) || (bytes.size() >= 520 && text_of(bytes.subspan(512, 8)) == kHdf5);
  if (has_hdf5 || text.starts_with("MATLAB 7.3")) {
    throw_io_error(file.name(),
                   ": is a MATLAB 7.3 (HDF5) file; save it again with save(..., '-v7')");
  }
  // Version 4 starts with a number below 5000, so with a zero among its first bytes; version 5 with
  // text.
  if (text.substr(0, 4).find('\0') != std::string_view::npos) {
    throw_io_error(file.name(),
                   ": looks like a MATLAB 4 file; save it again with save(..., '-v7')");
  }
  if (bytes.size() < kFileHeaderSize) {
    throw_io_error(file.name(), ": found ", bytes.size(),
                   " bytes, a .mat file starts with a header of ", kFileHeaderSize);
  }
  const std::string_view mark = text.substr(126, 2);
  if (mark != "IM" && mark != "MI") {
    throw_io_error(file.name(), ": byte 126: found '", printable(mark),
                   "', expected IM or MI; this is no MATLAB 5 file");
  }
  const bool is_big = mark == "MI";
  const bool swapped = is_big != (std::endian::native == std::endian::big);
  const auto version = load_integer<std::uint16_t>(bytes.data() + 124, swapped);
  if (version != 0x0100)
    throw_io_error(file.name(), ": byte 124: found version ", version, ", expected 256 (MATLAB 5)");
  return swapped;
}

struct Tag {
  std::uint32_t type = 0;
  std::uint32_t bytes = 0;
  bool is_small = false;  ///< up to four bytes of data stand inside the tag
};

Tag parse_tag(std::span<const std::byte> bytes, bool swapped) {
  const auto first = load_integer<std::uint32_t>(bytes.data(), swapped);
  if (first >> 16 != 0) return {first & 0xffff, first >> 16, true};
  return {first, load_integer<std::uint32_t>(bytes.data() + 4, swapped), false};
}

/// The subelements of one array, in order: flags, dimensions, name, numbers.
class ArrayReader {
 public:
  ArrayReader(ByteStream& stream, std::uint64_t body_bytes, bool swapped)
      : stream_(stream), end_(stream.offset() + body_bytes), swapped_(swapped) {}

  /// Leaves the stream at the tag of the numbers.
  ArrayHeader read_header() {
    read_flags();
    if (array_class_ != kMxOpaque) read_shape();
    header_.variable.name = read_name();
    header_.first_index_fastest = header_.flatten_first_fastest = true;
    header_.variable.type = class_name(array_class_);
    header_.variable.numeric = array_class_ >= kMxDouble && array_class_ <= kMxUint64;
    if ((flags_ & kLogicalFlag) != 0)
      header_.variable.type = array_class_ == kMxSparse ? "sparse" : "logical";
    if ((flags_ & kComplexFlag) != 0) {
      header_.variable.type = "complex " + header_.variable.type;
      header_.variable.numeric = false;
    }
    return header_;
  }

  /// Checks the tag of the numbers and leaves the stream at the first of them. They may be stored
  /// in a smaller type than the class has. Returns the bytes of padding that belong to the array.
  std::uint64_t enter_numbers(ArrayHeader& header) {
    // A small element has its data in the second half of the tag, so only the first half is taken.
    const std::uint64_t left = end_ - stream_.offset();
    if (left < 8) stream_.fail("the array ends before its numbers");
    const auto first = load_integer<std::uint32_t>(stream_.take(4).data(), swapped_);
    const bool is_small = first >> 16 != 0;
    const std::uint32_t type = is_small ? first & 0xffff : first;
    const std::uint64_t bytes =
        is_small ? first >> 16 : load_integer<std::uint32_t>(stream_.take(4).data(), swapped_);
    if (is_small && bytes > 4)
      stream_.fail("found a small element of ", bytes, " bytes, expected at most 4");
    header.type = number_type(type);

    const auto expected = num_bytes(header.variable.shape, header.type);
    if (!expected || *expected != bytes) {
      stream_.fail("variable '", printable(header.variable.name), "': found ", bytes,
                   " bytes of numbers, expected ",
                   expected ? std::to_string(*expected) : "more than 2^63", " for ",
                   type_name(header.type), " of shape ", shape_text(header.variable.shape));
    }
    const std::uint64_t in_array = end_ - stream_.offset();
    if (in_array < bytes || in_array - bytes > 7) {
      stream_.fail("variable '", printable(header.variable.name), "': ", bytes,
                   " bytes of numbers in an array with ", in_array, " bytes left");
    }
    return in_array - bytes;
  }

 private:
  /// Takes a whole small-sized element; `most` bounds what a header may ask for.
  std::span<const std::byte> take_element(std::uint32_t type, std::uint32_t most,
                                          const char* what) {
    if (end_ - stream_.offset() < 8) stream_.fail("the array ends before its ", what);
    const auto bytes = stream_.take(8);
    const Tag tag = parse_tag(bytes, swapped_);
    const bool right_type =
        tag.type == type || (type == kMiInt8 && (tag.type == kMiUtf8 || tag.type == kMiUint8));
    if (!right_type)
      stream_.fail("found type ", tag.type, ", expected ", type, " for the array's ", what);
    if (tag.bytes > (tag.is_small ? 4 : most))
      stream_.fail("the array's ", what, " has ", tag.bytes, " bytes");
    if (tag.is_small) return bytes.subspan(4, tag.bytes);
    const std::uint64_t padded = (std::uint64_t{tag.bytes} + 7) / 8 * 8;
    if (padded > end_ - stream_.offset()) stream_.fail("the array ends inside its ", what);
    return stream_.take(static_cast<std::size_t>(padded)).first(tag.bytes);
  }

  void read_flags() {
    const auto bytes = take_element(kMiUint32, 8, "flags");
    if (bytes.size() != 8)
      stream_.fail("found ", bytes.size(), " bytes of array flags, expected 8");
    flags_ = load_integer<std::uint32_t>(bytes.data(), swapped_);
    array_class_ = flags_ & 0xff;
  }

  void read_shape() {
    const auto bytes = take_element(kMiInt32, 4 * kMostAxes, "dimensions");
    if (bytes.size() < 8 || bytes.size() % 4 != 0) {
      stream_.fail("found ", bytes.size(),
                   " bytes of dimensions, expected two or more 4-byte numbers");
    }
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      const auto length = load_integer<std::int32_t>(bytes.data() + i, swapped_);
      if (length < 0) stream_.fail("found the negative dimension ", length);
      header_.variable.shape.push_back(length);
    }
  }

  std::string read_name() {
    const auto text = text_of(take_element(kMiInt8, kLongestName, "name"));
    return std::string(text.substr(0, text.find('\0')));
  }

  ElementType number_type(std::uint32_t type) const {
    using Kind = ElementType::Kind;
    switch (type) {
      case kMiInt8:
        return {Kind::kSigned, 1, false};
      case kMiUint8:
        return {Kind::kUnsigned, 1, false};
      case kMiInt16:
        return {Kind::kSigned, 2, swapped_};
      case kMiUint16:
        return {Kind::kUnsigned, 2, swapped_};
      case kMiInt32:
        return {Kind::kSigned, 4, swapped_};
      case kMiUint32:
        return {Kind::kUnsigned, 4, swapped_};
      case kMiSingle:
        return {Kind::kFloat, 4, swapped_};
      case kMiDouble:
        return {Kind::kFloat, 8, swapped_};
      case kMiInt64:
        return {Kind::kSigned, 8, swapped_};
      case kMiUint64:
        return {Kind::kUnsigned, 8, swapped_};
      default:
        stream_.fail("found data type ", type, ", expected numbers");
    }
  }

  ByteStream& stream_;
  std::uint64_t end_;
  bool swapped_;
  std::uint32_t flags_ = 0;
  std::uint32_t array_class_ = 0;
  ArrayHeader header_;
};

/// One array of the file, positioned behind its outermost tag.
struct Element {
  std::unique_ptr<ByteStream> stream;
  std::uint64_t body_bytes = 0;
  std::optional<std::uint64_t> compressed_bytes;
};

Element open_compressed(const std::string& origin, std::span<const std::byte> data, bool swapped) {
  Element element;
  element.stream =
      std::make_unique<InflateStream>(origin + " (inflated)", data, InflateStream::Wrapper::kZlib);
  const Tag tag = parse_tag(element.stream->take(8), swapped);
  if (tag.is_small || tag.type != kMiMatrix) {
    element.stream->fail("found type ", tag.type, " inside compressed data, expected ",
                         std::uint32_t{kMiMatrix});
  }
  if (tag.bytes / kMaxDeflateRatio > data.size()) {
    element.stream->fail(data.size(), " bytes cannot inflate to the declared ", tag.bytes);
  }
  element.body_bytes = tag.bytes;
  element.compressed_bytes = data.size();
  return element;
}

/// Visits the arrays of the file in order until `visit` returns true.
void for_each_element(const MappedFile& file, bool swapped,
                      const std::function<bool(Element&)>& visit) {
  const auto bytes = file.bytes();
  std::size_t at = kFileHeaderSize;
  while (at < bytes.size()) {
    const std::string origin = message(file.name(), ": element at byte ", at);
    if (bytes.size() - at < 8)
      throw_io_error(origin, ": found ", bytes.size() - at, " bytes, expected a tag of 8");
    const Tag tag = parse_tag(bytes.subspan(at, 8), swapped);
    if (tag.is_small || (tag.type != kMiMatrix && tag.type != kMiCompressed)) {
      throw_io_error(origin, ": found type ", tag.type,
                     ", expected an array (14) or compressed data (15)");
    }
    at += 8;
    if (tag.bytes > bytes.size() - at) {
      throw_io_error(origin, ": declares ", tag.bytes, " bytes, the file has ", bytes.size() - at,
                     " left");
    }
    const auto data = bytes.subspan(at, tag.bytes);
    Element element;
    if (tag.type == kMiCompressed) {
      element = open_compressed(origin, data, swapped);
    } else {
      element.stream = std::make_unique<MappedStream>(origin, data);
      element.body_bytes = tag.bytes;
    }
    if (visit(element)) return;
    at += tag.bytes;
  }
}

}  // namespace

std::vector<ArrayHeader> list_mat5(const MappedFile& file) {
  const bool swapped = check_file_header(file);
  std::vector<ArrayHeader> arrays;
  for_each_element(file, swapped, [&](Element& element) {
    ArrayHeader header = ArrayReader(*element.stream, element.body_bytes, swapped).read_header();
    // MATLAB keeps the workspace of functions and objects in an array without a name: no user's
    // variable.
    if (!header.variable.name.empty()) arrays.push_back(std::move(header));
    return false;
  });
  if (arrays.empty()) throw_io_error(file.name(), ": holds no variables");
  return arrays;
}

OpenArray open_mat5(const MappedFile& file, const std::string& name) {
  const bool swapped = check_file_header(file);
  OpenArray array;
  for_each_element(file, swapped, [&](Element& element) {
    ArrayReader reader(*element.stream, element.body_bytes, swapped);
    array.header = reader.read_header();
    if (array.header.variable.name != name) return false;
    if (!array.header.variable.numeric) {
      throw_io_error(file.name(), ": variable '", printable(name), "' is ",
                     array.header.variable.type, ", expected a full array of real numbers");
    }
    array.trailing_bytes = reader.enter_numbers(array.header);
    array.compressed_bytes = element.compressed_bytes;
    array.payload = std::move(element.stream);
    return true;
  });
  if (!array.payload) throw_io_error(file.name(), ": no variable '", printable(name), "'");
  return array;
}

}  // namespace subspace::datasets
