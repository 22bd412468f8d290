// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors

#include "registry/sets.h"

namespace subspace::datasets {
namespace {

using Kind = Layout::Kind;

constexpr char kCifar10TestLabels[] =
    "fb634e70100df2099590fd08f4d5c417c07ad8239ff7935a3706a0ab74a28665";
constexpr char kCifar10TestPixels[] =  // in the order of cifar-10_test10000.bin
    "e7fbd39c36a4497ecc61a8d15d647deab0d01582ddb794d3ec7eb318e23b9352";

void set_cifar_info(Entry& entry, const std::string& name, const std::string& title, Split split,
                    int classes) {
  entry.info = {.name = with_split(name, split),
                .title = split_title(title, split, "10000", "50000"),
                .image = ImageShape{3, 32, 32},
                .color = true,
                .values = "8-bit pixels / 255",
                .origin = "A. Krizhevsky, V. Nair, G. Hinton, University of Toronto 2009",
                .terms = "none stated with the files; the authors ask to be cited"};
  const int pictures = (has_train(split) ? 50000 : 0) + (has_test(split) ? 10000 : 0);
  set_classes(entry, equal_sizes(classes, pictures / classes));
}

}  // namespace

Entry cifar10(Split split) {
  Entry entry;
  set_cifar_info(entry, "cifar10", "CIFAR-10", split, 10);
  entry.folder = "cifar10";
  Layout layout = {.kind = Kind::kCifar, .stored = {3, 32, 32}};
  for (int batch = 1; has_train(split) && batch <= 5; ++batch) {
    layout.files.push_back("cifar-10-batches-bin/data_batch_" + std::to_string(batch) + ".bin");
  }
  if (has_test(split)) layout.files.push_back("cifar-10-batches-bin/test_batch.bin");
  entry.layouts = {layout};
  if (split == Split::kTest) {
    entry.layouts.push_back({.kind = Kind::kCifar,
                             .files = {"cifar-10_test10000.bin"},
                             .stored = {3, 32, 32},
                             .sha256 = kCifar10TestPixels,
                             .labels_sha256 = kCifar10TestLabels});
    entry.info.traps = {"cifar-10_test10000.bin.gz has the same pictures in another order"};
  }
  entry.sources = {{.url = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
                    .file = "cifar-10-batches-bin",
                    .unpack = true,
                    .most_bytes = 300 * kMega}};
  return entry;
}

Entry cifar100(Split split, bool coarse) {
  Entry entry;
  set_cifar_info(entry, coarse ? "cifar20" : "cifar100",
                 coarse ? "CIFAR-20 (CIFAR-100 with its coarse labels)" : "CIFAR-100", split,
                 coarse ? 20 : 100);
  entry.folder = "cifar100";
  Layout layout = {
      .kind = Kind::kCifar, .stored = {3, 32, 32}, .label_bytes = 2, .label_byte = coarse ? 0 : 1};
  if (has_train(split)) layout.files.push_back("cifar-100-binary/train.bin");
  if (has_test(split)) layout.files.push_back("cifar-100-binary/test.bin");
  entry.layouts = {std::move(layout)};
  entry.sources = {{.url = "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz",
                    .file = "cifar-100-binary",
                    .unpack = true,
                    .most_bytes = 300 * kMega}};
  return entry;
}

Entry stl10() {
  Entry entry;
  entry.info = {
      .name = "stl10",
      .title = "STL-10, the 13000 labelled pictures: 5000 for training, then 8000 for testing",
      .image = ImageShape{3, 96, 96},
      .color = true,
      .values = "8-bit pixels / 255",
      .origin = "A. Coates, H. Lee, A. Ng, Stanford 2011; from ImageNet",
      .terms = "ImageNet's: for research and education",
      .traps = {"channels are stored column by column", "labels are 1..10",
                "100000 unlabelled pictures in the same archive are not read"}};
  entry.folder = "stl10";
  set_classes(entry, equal_sizes(10, 1300));
  entry.layouts = {{.kind = Kind::kStl,
                    .files = {"stl10_binary/train_X.bin", "stl10_binary/train_y.bin",
                              "stl10_binary/test_X.bin", "stl10_binary/test_y.bin"},
                    .stored = {3, 96, 96}}};
  entry.sources = {{.url = "http://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz",
                    .file = "stl10_binary",
                    .unpack = true,
                    .most_bytes = 4000 * kMega}};
  return entry;
}

}  // namespace subspace::datasets
