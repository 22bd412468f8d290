// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Stacks of pictures in one file: idx and CIFAR, plain and gzip.
#include <gtest/gtest.h>
#include <zlib.h>

#include <numeric>

#include <subspace/datasets/load.h>

#include "datasets/files.h"

namespace subspace::datasets {
namespace {

std::string counting_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  return bytes;
}

class PicturesTest : public ::testing::Test {
 protected:
  PointSet load(const std::string& name, const std::string& bytes,
                const LoadOptions& options = {}) {
    return load_points(folder_.write(name, bytes), options);
  }
  TempFolder folder_;
};

TEST_F(PicturesTest, IdxPicturesBecomeUnitValuesWithTheirShape) {
  const std::string bytes = idx_file(8, {2, 2, 3}, std::string("\0\1\2\3\4\377abcdef", 12));
  for (const std::string name : {"a.idx", "t-images-idx3-ubyte", "t-images.idx3-ubyte"}) {
    const PointSet set = load(name, bytes);
    ASSERT_EQ(set.X.rows(), 6);
    ASSERT_EQ(set.X.cols(), 2);
    EXPECT_EQ(set.X(1, 0), 1 / 255.0);
    EXPECT_EQ(set.X(5, 0), 1.0);
    EXPECT_EQ(set.X(0, 1), 'a' / 255.0);
    EXPECT_EQ(set.image, (ImageShape{1, 2, 3}));
  }
  EXPECT_EQ(load("t-idx3-ubyte.gz", gzip_compressed(bytes)).X, load("a.idx", bytes).X);
  EXPECT_EQ(load("images.idx.gz", bytes).X, load("a.idx", bytes).X) << "gzip is known by content";
}

TEST_F(PicturesTest, OtherIdxFilesAreArraysAsTheyAre) {
  const PointSet floats =
      load("a.idx", idx_file(13, {2, 2}, raw(std::vector<float>{1.5F, -2, 3, 4}, true)));
  EXPECT_EQ(floats.X, (Matrix(2, 2) << 1.5, 3, -2, 4).finished());
  EXPECT_FALSE(floats.image);
  const auto labels = folder_.write("y-idx1-ubyte", idx_file(8, {3}, std::string("\7\0\11", 3)));
  EXPECT_EQ(load_labels(labels), (Labels{7, 0, 9}));
}

TEST_F(PicturesTest, LyingIdxHeadersAreRefused) {
  const auto refused = [&](const std::string& bytes, const std::string& text) {
    expect_io_error([&] { load("a.idx", bytes); }, "a.idx", text);
    expect_io_error([&] { load("a.idx.gz", gzip_compressed(bytes)); }, "a.idx.gz", text);
  };
  refused(idx_file(8, {2, 2, 2}, "1234567"), "does not fill the 7 bytes");
  refused(idx_file(8, {2, 2, 2}, "123456789"), "does not fill the 9 bytes");
  refused(idx_file(8, {0xffffffff, 0xffffffff, 0xffffffff}, "1"), "does not fill");
  refused(idx_file(7, {1}, "1"), "type 7");
  refused("\1\1\10\1\0\0\0\1x", "two zeros");
  refused(idx_file(8, {0, 28, 28}, ""), "");
  refused(std::string("\0\0\10\377", 4) + "x", "");
}

TEST_F(PicturesTest, GzipThatLiesAboutItsSizeIsRefused) {
  std::string bytes = gzip_compressed(idx_file(8, {2, 2, 2}, "12345678"));
  bytes.replace(bytes.size() - 4, 4, "\xff\xff\xff\x7f");
  expect_io_error([&] { load("a.idx.gz", bytes); }, "cannot inflate to the 2147483647");
  std::string damaged = gzip_compressed(idx_file(8, {2, 2, 2}, "12345678"));
  damaged[damaged.size() - 6] ^= 1;  // the CRC-32
  expect_io_error([&] { load("a.idx.gz", damaged); }, "damaged");
  expect_io_error([&] { load("a.idx.gz", "\x1f\x8b\x08"); }, "cut short");
}

TEST_F(PicturesTest, CifarRecordsByTheirSize) {
  const std::string ten = "\5" + counting_bytes(3072) + "\3" + counting_bytes(3072);
  const PointSet grey = load("a.bin", ten);
  ASSERT_EQ(grey.X.rows(), 1024);
  ASSERT_EQ(grey.X.cols(), 2);
  EXPECT_EQ(grey.X(7, 1), 7 / 255.0) << "1024 is a multiple of 256: all channels alike";
  const PointSet color = load("a.bin.gz", gzip_compressed(ten), {.color = true});
  EXPECT_EQ(color.X.rows(), 3072);
  EXPECT_EQ(color.image, (ImageShape{3, 32, 32}));
  EXPECT_EQ(load_labels(folder_.path("a.bin")), (Labels{5, 3}));

  const auto hundred = folder_.write("b.bin", "\1\2" + counting_bytes(3072));
  EXPECT_EQ(load_labels(hundred), (Labels{2}));
  EXPECT_EQ(load_labels(hundred, {.y = "coarse"}), (Labels{1}));
  expect_io_error([&] { load_labels(hundred, {.y = "rough"}); }, "coarse or fine");
  expect_io_error([&] { load("c.bin", std::string(3075, 'x')); }, "3075 bytes", "3073", "3074");
}

TEST_F(PicturesTest, BlockMeansAreExact) {
  // A 4 x 6 picture to 2 x 3: each value the mean of a 2 x 2 block, rounded once.
  std::string pixels;
  for (int i = 0; i < 24; ++i) pixels += static_cast<char>(i * i % 251);
  const PointSet set =
      load("a.idx", idx_file(8, {1, 4, 6}, pixels), {.image_size = ImageSize{2, 3}});
  ASSERT_EQ(set.X.rows(), 6);
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 3; ++x) {
      int sum = 0;
      for (int i = 0; i < 4; ++i) {
        sum += static_cast<unsigned char>(
            pixels[static_cast<std::size_t>((2 * y + i / 2) * 6 + 2 * x + i % 2)]);
      }
      EXPECT_EQ(set.X(y * 3 + x, 0), sum / (4 * 255.0));
    }
  }
}

TEST_F(PicturesTest, OtherSizesKeepConstants) {
  const std::string flat = idx_file(8, {1, 7, 5}, std::string(35, '\x64'));
  for (const ImageSize size : {ImageSize{3, 3}, ImageSize{11, 4}, ImageSize{7, 9}}) {
    const Matrix X = load("a.idx", flat, {.image_size = size}).X;
    EXPECT_EQ(X.rows(), size.height * size.width);
    EXPECT_LT((X.array() - 100 / 255.0).abs().maxCoeff(), 1e-15);
  }
}

TEST_F(PicturesTest, OtherSizesAreThoseOfPillow) {
  // Image.fromarray(a, mode="F").resize((width, height), Image.BILINEAR) of Pillow 12.
  std::string pixels;
  for (int i = 0; i < 35; ++i) pixels += static_cast<char>(i * i % 251);
  const std::string file = idx_file(8, {1, 5, 7}, pixels);
  const Vector smaller = (Vector(12) << 24.7619, 38.2800, 60.3600, 84.1905, 167.9894, 68.8622,
                          92.3778, 150.4444, 120.8299, 121.8857, 100.1429, 152.2857)
                             .finished();
  const Matrix X = load("a.idx", file, {.image_size = ImageSize{3, 4}}).X;
  EXPECT_LT((255 * X.col(0) - smaller).cwiseAbs().maxCoeff(), 1e-4);
  const Vector taller_begins = (Vector(10) << 0.3333, 2.6667, 9.3636, 20.0000, 32.3333, 23.8125,
                                33.6319, 49.1761, 68.6597, 88.4792)
                                   .finished();
  const Matrix Y = load("a.idx", file, {.image_size = ImageSize{8, 5}}).X;
  EXPECT_LT((255 * Y.col(0).head(10) - taller_begins).cwiseAbs().maxCoeff(), 1e-4);
}

TEST_F(PicturesTest, MemoryIsCheckedBeforeItIsTaken) {
  const auto path = folder_.write("a.bin", std::string(3073 * 40, 'x'));
  EXPECT_THROW(load_points(path, {}, {.max_memory = 100000}), ResourceError);
}

// A stream gives at most 4 MB at once: an assertion failed, or a promise on memory.
TEST_F(PicturesTest, APictureMayBeLargerThanAStreamGivesAtOnce) {
  constexpr std::uint32_t kSide = 2050;
  std::string pixels(kSide * kSide, '\x33');
  pixels.back() = '\xff';
  const std::string bytes = idx_file(8, {1, kSide, kSide}, pixels);
  for (const std::string& file : {bytes, gzip_compressed(bytes)}) {
    const Matrix X = load("a.idx.gz", file, {.image_size = ImageSize{2, 1}}).X;
    ASSERT_EQ(X.size(), 2);
    EXPECT_EQ(X(0, 0), 0.2);
    EXPECT_EQ(X(1, 0), (0.5 * kSide * kSide * 0x33 + 0xff - 0x33) / (0.5 * kSide * kSide * 255));
  }
}

// A small file of one large picture, of which next to nothing is asked for.
TEST_F(PicturesTest, TheStoredPictureCountsAsMemoryToo) {
  const std::string bytes = idx_file(8, {1, 4096, 4096}, std::string(1 << 24, '\0'));
  const auto path = folder_.write("a.idx.gz", gzip_compressed(bytes));
  const LoadOptions options = {.image_size = ImageSize{2, 2}};
  EXPECT_THROW(load_points(path, options, {.max_memory = 64 << 20}), ResourceError);
  EXPECT_EQ(load_points(path, options, {.max_memory = 128 << 20}).X, Matrix::Zero(4, 1));
}

}  // namespace
}  // namespace subspace::datasets
