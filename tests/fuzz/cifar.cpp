// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "datasets/files.h"
#include "fuzz/read_pictures.h"

namespace subspace::datasets::fuzz {
namespace {

void read_cifar(Bytes bytes) {
  read_pictures(bytes, Format::kCifar);
  succeeds([&] {
    const InputFile input(bytes);
    for (const std::string kind : {"", "coarse", "fine"}) {
      succeeds([&] { load_cifar_labels(input.file(), {.y = kind}, small_context()); });
    }
  });
}

/// The input filled up to whole records, for a size that is none stops everything at once.
std::string as_records(Bytes bytes, std::size_t record) {
  std::string records(text_of(bytes));
  records.resize((records.size() + record - 1) / record * record);
  return records;
}

}  // namespace
}  // namespace subspace::datasets::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  const auto bytes = fuzz::bytes_of(data, size);
  fuzz::read_cifar(bytes);
  const std::string records = fuzz::as_records(bytes, size % 2 == 0 ? 3073 : 3074);
  fuzz::read_cifar(fuzz::bytes_of(records));
  fuzz::read_cifar(fuzz::bytes_of(gzip_compressed(records)));
  return 0;
}
