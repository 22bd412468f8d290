// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <numeric>

#include "registry/sets.h"

namespace subspace::datasets {

std::vector<int> equal_sizes(int classes, int size) {
  return std::vector<int>(static_cast<std::size_t>(classes), size);
}

void set_classes(Entry& entry, std::vector<int> sizes) {
  entry.info.classes = static_cast<int>(sizes.size());
  entry.info.samples = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  entry.info.class_sizes = std::move(sizes);
}

Entry cai(const char* name, const char* title, int side, const char* file, double white) {
  Entry entry;
  entry.info = {.name = name,
                .title = title,
                .image = ImageShape{1, side, side},
                .values = white == 1.0 ? "as stored, 0..1" : "8-bit pixels / 255",
                .terms = "none stated with the file"};
  entry.folder = name;
  entry.layouts = {{.kind = Layout::Kind::kMatrix,
                    .files = {file},
                    .stored = {1, side, side},
                    .x = "fea",
                    .y = "gnd",
                    .white = white}};
  return entry;
}

std::string with_split(const std::string& name, Split split) {
  return name + pick(split, "", "-train", "-test");
}

std::string split_title(const std::string& title, Split split, const char* test_size,
                        const char* train_size) {
  const std::string train = std::string(train_size) + " for training";
  const std::string test = std::string(test_size) + " for testing";
  return title + ", " +
         (split == Split::kAll     ? train + ", then " + test
          : split == Split::kTrain ? train
                                   : test);
}

}  // namespace subspace::datasets
