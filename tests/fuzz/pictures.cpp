// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <fuzzer/FuzzedDataProvider.h>

#include <array>

#include "datasets/files.h"
#include "datasets/fixtures.h"
#include "fuzz/memory_file.h"
#include "images/image_files.h"

namespace subspace::datasets::fuzz {
namespace {

void read_archive(Bytes bytes) {
  static const MemoryFile file;
  const auto path = file.write(bytes);
  const LoadOptions filtered = {.image_size = ImageSize{5, 7}, .color = true};
  for (const LoadOptions& options : {LoadOptions{}, filtered}) {
    succeeds([&] { require_sound(load_image_files(path, options, small_context()), false); });
  }
  succeeds([&] { load_image_labels(path); });
}

/// A whole archive of good pictures under any names: mutated bytes rarely get past the checksums of
/// two members.
std::string build_archive(FuzzedDataProvider& choices) {
  static const std::array kPictures = {
      from_hex(fixtures::kPngGrey),   from_hex(fixtures::kPngRgb),  from_hex(fixtures::kPngPalette),
      from_hex(fixtures::kPngOpaque), from_hex(fixtures::kPngBits), std::string("text")};
  constexpr int kMostMembers = 8;
  std::vector<ZipMember> members;
  while (choices.remaining_bytes() > 0 && members.size() < kMostMembers) {
    ZipMember member;
    member.content = choices.PickValueInArray(kPictures);
    member.deflate = choices.ConsumeBool();
    member.mode = choices.ConsumeBool() ? 0120777 : 0100644;
    member.name = choices.ConsumeRandomLengthString(40);
    members.push_back(member);
  }
  return zip_file(members);
}

}  // namespace
}  // namespace subspace::datasets::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  const auto bytes = fuzz::bytes_of(data, size);
  if (fuzz::text_of(bytes).starts_with("PK")) {
    fuzz::read_archive(bytes);
  } else {
    FuzzedDataProvider choices(data, size);
    fuzz::read_archive(fuzz::bytes_of(fuzz::build_archive(choices)));
  }
  return 0;
}
