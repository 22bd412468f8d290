// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Records whose channels lie column by column, as those of STL-10.
#include "images/picture_records.h"

#include <gtest/gtest.h>

namespace subspace::datasets {
namespace {

TEST(PictureRecordsTest, ColumnsBecomeRowsInEveryChannel) {
  // Two pictures of 2 channels, 2 rows, 3 columns; a value is 100 c + 10 y + x, plus 1 in the
  // second.
  const ImageShape shape = {2, 2, 3};
  std::vector<std::byte> stored;
  for (int picture = 0; picture < 2; ++picture) {
    for (int c = 0; c < 2; ++c) {
      for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 2; ++y) {
          stored.push_back(static_cast<std::byte>(100 * c + 10 * y + x + picture));
        }
      }
    }
  }
  const MappedFile file("records", stored);
  PictureRecords records = {
      .content = open_content(file), .count = 2, .shape = shape, .columns_first = true};
  const Resampler resampler("records", shape, {.color = true});
  Matrix X(shape.num_values(), 2);
  read_pictures(records, resampler, {}, X, 0);
  for (int picture = 0; picture < 2; ++picture) {
    for (int c = 0; c < 2; ++c) {
      for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 3; ++x) {
          EXPECT_EQ(X((c * 2 + y) * 3 + x, picture), (100 * c + 10 * y + x + picture) / 255.0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace subspace::datasets
