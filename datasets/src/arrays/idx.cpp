// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/idx.h"

#include "io/content.h"

namespace subspace::datasets {
namespace {

ElementType element_type(const ByteStream& stream, unsigned code) {
  using Kind = ElementType::Kind;
  constexpr bool kSwapped = std::endian::native != std::endian::big;
  switch (code) {
    case 0x08:
      return {Kind::kUnsigned, 1, false};
    case 0x09:
      return {Kind::kSigned, 1, false};
    case 0x0b:
      return {Kind::kSigned, 2, kSwapped};
    case 0x0c:
      return {Kind::kSigned, 4, kSwapped};
    case 0x0d:
      return {Kind::kFloat, 4, kSwapped};
    case 0x0e:
      return {Kind::kFloat, 8, kSwapped};
    default:
      stream.fail("type ", code, ", expected 8, 9, 11, 12, 13 or 14");
  }
}

}  // namespace

OpenArray open_idx(const MappedFile& file) {
  Content content = open_content(file);
  OpenArray array;
  array.compressed_bytes = content.compressed;
  array.payload = std::move(content.stream);
  const auto magic = array.payload->take(4);
  if (magic[0] != std::byte{0} || magic[1] != std::byte{0}) {
    array.payload->fail("found ", load_big<std::uint32_t>(magic.data()),
                        ", expected the two zeros an idx file starts with");
  }
  const auto num_axes = std::to_integer<unsigned>(magic[3]);
  array.header.type = element_type(*array.payload, std::to_integer<unsigned>(magic[2]));
  for (unsigned axis = 0; axis < num_axes; ++axis) {
    array.header.variable.shape.push_back(load_big<std::uint32_t>(array.payload->take(4).data()));
  }
  array.header.variable.type = type_name(array.header.type);
  array.header.variable.numeric = true;

  const auto bytes = num_bytes(array.header.variable.shape, array.header.type);
  const std::uint64_t found = content.size - std::min(content.size, array.payload->offset());
  if (!bytes || *bytes != found) {
    array.payload->fail("shape ", shape_text(array.header.variable.shape), " of ",
                        array.header.variable.type, " does not fill the ", found,
                        " bytes that follow");
  }
  return array;
}

bool is_picture_stack(const ArrayHeader& header) {
  return header.variable.shape.size() == 3 && header.type.kind == ElementType::Kind::kUnsigned &&
         header.type.bytes == 1;
}

}  // namespace subspace::datasets
