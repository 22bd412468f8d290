// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/npy.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace subspace::datasets {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kLongestHeader = 65535;  // arrays of plain numbers need about 100 bytes

/// The grammar of the header, a Python dictionary of three known keys:
///   { 'descr': STRING , 'fortran_order': True|False , 'shape': ( [INT , ]* ) [,] } blanks newline
class HeaderParser {
 public:
  HeaderParser(const ByteStream& stream, std::string_view text) : stream_(stream), text_(text) {}

  struct Fields {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
  };

  Fields parse() {
    expect('{');
    while (!accept('}')) {
      parse_entry();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) fail("the end of the header");
    if (!descr_ || !fortran_order_ || !shape_) fail("the keys descr, fortran_order and shape");
    return {*descr_, *fortran_order_, *shape_};
  }

 private:
  void parse_entry() {
    const std::string key = parse_string();
    expect(':');
    if (key == "descr" && !descr_) {
      descr_ = parse_descr();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = parse_bool();
    } else if (key == "shape" && !shape_) {
      shape_ = parse_shape();
    } else {
      fail("each of the keys descr, fortran_order and shape once");
    }
  }

  std::string parse_string() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail("a quoted string");
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a closing quote");
    const std::string_view inside = text_.substr(at_, end - at_);
    if (inside.find('\\') != std::string_view::npos) fail("a string without backslashes");
    at_ = end + 1;
    return std::string(inside);
  }

  /// A list stands for records with named fields: skipped to its end, to be refused by name.
  std::string parse_descr() {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != '[') return parse_string();
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ >= text_.size()) fail("a closing bracket");
      if (text_[at_] == '\'' || text_[at_] == '"') {
        parse_string();
        continue;
      }
      depth += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
      ++at_;
    } while (depth > 0);
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool parse_bool() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("True or False");
  }

  std::vector<std::int64_t> parse_shape() {
    constexpr std::size_t kMostAxes = 64;
    std::vector<std::int64_t> shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(parse_length());
      if (shape.size() > kMostAxes) fail("at most 64 axes");
      if (!accept(',')) {
        expect(')');
        if (shape.size() == 1) fail("a comma before it, for (3) is no tuple");
        break;
      }
    }
    return shape;
  }

  std::int64_t parse_length() {
    skip_blanks();
    std::int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) fail("a length from 0 to 2^63 - 1");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote (3L, 4L)
    return value;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "'");
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw_io_error(stream_.origin(), ": .npy header, character ", at_, ": found '",
                   printable(text_.substr(at_, 20)), "', expected ", expected);
  }

  const ByteStream& stream_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::int64_t>> shape_;
};

/// "<f8" and the like; nothing for types that are not real numbers.
std::optional<ElementType> parse_descr(std::string_view descr) {
  if (descr.size() != 3) return std::nullopt;
  const char order = descr[0];
  const int bytes = descr[2] - '0';
  if (order != '<' && order != '>' && order != '|' && order != '=') return std::nullopt;
  const bool integer_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  const bool is_big = order == '>' || (order != '<' && std::endian::native == std::endian::big);
  ElementType type;
  type.bytes = bytes;
  type.swapped = is_big != (std::endian::native == std::endian::big);
  switch (descr[1]) {
    case 'u':
      type.kind = ElementType::Kind::kUnsigned;
      break;
    case 'i':
      type.kind = ElementType::Kind::kSigned;
      break;
    case 'f':
      type.kind = ElementType::Kind::kFloat;
      break;
    case 'b':
      type.kind = ElementType::Kind::kBool;
      break;
    default:
      return std::nullopt;
  }
  if (type.kind == ElementType::Kind::kBool ? bytes != 1 : !integer_size) return std::nullopt;
  if (type.kind == ElementType::Kind::kFloat && bytes == 1) return std::nullopt;
  if (order == '|' && bytes != 1) return std::nullopt;
  return type;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string name_of_unreadable(std::string_view descr) {
  if (descr.starts_with('[')) return "records with named fields";
  const char kind = descr.size() > 1 ? descr[1] : '?';
  switch (kind) {
    case 'O':
      return "object (pickled, never read)";
    case 'c':
      return "complex";
    case 'U':
    case 'S':
    case 'a':
      return "string";
    default:
      return message("'", printable(descr), "'");
  }
}

std::uint64_t read_header_length(ByteStream& stream) {
  const auto start = stream.take(8);
  if (as_text(start.first(6)) != kMagic) {
    throw_io_error(stream.origin(), ": found '", printable(as_text(start.first(6))),
                   "' at the start, expected \\x93NUMPY; this is no .npy");
  }
  const int version = std::to_integer<int>(start[6]);
  if (version < 1 || version > 3)
    stream.fail("found .npy version ", version, ", expected 1, 2 or 3");
  const std::uint64_t length = version == 1 ? load_little<std::uint16_t>(stream.take(2).data())
                                            : load_little<std::uint32_t>(stream.take(4).data());
  if (length > kLongestHeader)
    stream.fail("found a header of ", length, " bytes, expected at most ", kLongestHeader);
  return length;
}

}  // namespace

ArrayHeader read_npy_header(ByteStream& stream, const std::string& name,
                            std::uint64_t total_bytes) {
  const std::uint64_t length = read_header_length(stream);
  const std::string text(as_text(stream.take(static_cast<std::size_t>(length))));
  const auto fields = HeaderParser(stream, text).parse();

  ArrayHeader header;
  header.variable = {.name = name, .shape = fields.shape, .type = {}, .numeric = false};
  header.first_index_fastest = fields.fortran_order;
  const auto type = parse_descr(fields.descr);
  if (!type) {
    header.variable.type = name_of_unreadable(fields.descr);
    return header;
  }
  header.type = *type;
  header.variable.type = type_name(*type);
  header.variable.numeric = true;

  if (stream.offset() > total_bytes)
    stream.fail("the header alone is longer than the declared ", total_bytes);
  const std::uint64_t found = total_bytes - stream.offset();
  const auto expected = num_bytes(fields.shape, *type);
  if (!expected || *expected != found) {
    stream.fail("found ", found, " bytes of numbers, expected ",
                expected ? std::to_string(*expected) : "more than 2^63", " for ",
                header.variable.type, " of shape ", shape_text(fields.shape));
  }
  return header;
}

OpenArray open_npy(const MappedFile& file) {
  OpenArray array;
  array.payload = std::make_unique<MappedStream>(file.name(), file.bytes());
  array.header = read_npy_header(*array.payload, {}, file.bytes().size());
  return array;
}

}  // namespace subspace::datasets
