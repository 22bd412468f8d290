// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <subspace/datasets/load.h>

#include "datasets/files.h"
#include "datasets/fixtures.h"

namespace subspace::datasets {
namespace {

enum : std::uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kInt16 = 3,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kSingle = 7,
  kDouble = 9,
  kInt64 = 12,
  kUint64 = 13
};
constexpr std::uint32_t kDoubleClass = 6;

class Mat5Test : public ::testing::Test {
 protected:
  template <typename... Parts>
  void expect_refused(const std::string& file, const Parts&... parts) {
    const auto path = folder_.write("bad.mat", file);
    expect_io_error([&] { load_points(path); }, path.string(), parts...);
  }
  /// 2 x 3, columns (1, 2), (3, 4), (5, 6).
  std::string six_doubles(const MatWriter& mat) const {
    return mat.element(kDouble, raw(std::vector<double>{1, 2, 3, 4, 5, 6}, mat.big_endian));
  }
  TempFolder folder_;
};

TEST_F(Mat5Test, ReadsWhatScipyWrites) {
  Matrix X(3, 4);
  for (Index i = 0; i < 12; ++i) X.data()[i] = static_cast<double>(i) / 4 - 1;
  for (const auto hex : {fixtures::kMatPlain, fixtures::kMatCompressed}) {
    const auto path = folder_.write_hex("a.mat", hex);
    const PointSet set = load_points(path);
    EXPECT_EQ(set.X, X);
    EXPECT_EQ(set.variable, "fea");
    EXPECT_EQ(load_points(path, {.columns_are_samples = true}).X, X.transpose());
    EXPECT_EQ(load_labels(path), (Labels{3, -1, 7, 7}));
    EXPECT_EQ(load_labels(path, {.y = "flags"}), (Labels{1, 0, 1}));
    EXPECT_EQ(load_labels(path, {.y = "small"}), (Labels{7}));
  }
}

TEST_F(Mat5Test, ManyAxesAreFlattenedInMatlabOrder) {
  const auto path = folder_.write_hex("a.mat", fixtures::kMatCompressed);
  const Matrix X = load_points(path, {.x = "cube"}).X;  // cube(i, j, k) = 12 i + 4 j + k, 2 x 3 x 4
  ASSERT_EQ(X.rows(), 12);
  ASSERT_EQ(X.cols(), 2);
  const Matrix by_last = load_points(path, {.x = "cube", .columns_are_samples = true}).X;
  ASSERT_EQ(by_last.rows(), 6);
  ASSERT_EQ(by_last.cols(), 4);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      for (Index k = 0; k < 4; ++k) {
        const auto value = static_cast<double>(12 * i + 4 * j + k);
        EXPECT_EQ(X(j + 3 * k, i), value);
        EXPECT_EQ(by_last(i + 2 * j, k), value);
      }
    }
  }
}

TEST_F(Mat5Test, ListsEverythingWithItsClass) {
  for (const auto hex : {fixtures::kMatPlain, fixtures::kMatCompressed}) {
    std::vector<std::string> found;
    for (const auto& v : list_variables(folder_.write_hex("a.mat", hex))) {
      found.push_back(v.name + " " + v.type + (v.numeric ? " +" : " -"));
    }
    EXPECT_THAT(found, ::testing::ElementsAre("note char -", "cell cell -", "record struct -",
                                              "sparse sparse -", "wave complex double -",
                                              "fea double +", "small uint8 +", "flags logical +",
                                              "cube int16 +", "gnd double +"));
  }
}

TEST_F(Mat5Test, OtherClassesAreRefusedByNameOnlyWhenAskedFor) {
  const auto path = folder_.write_hex("a.mat", fixtures::kMatCompressed);
  for (const std::string name : {"note", "cell", "record", "sparse", "wave"}) {
    expect_io_error([&] { load_points(path, {.x = name}); }, "variable '" + name + "' is ",
                    "expected a full array of real numbers", "fea (4, 3) double");
  }
}

TEST_F(Mat5Test, BothByteOrdersCompressedOrNot) {
  const Matrix expected = (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished();
  for (const bool big : {false, true}) {
    const MatWriter mat{big};
    const std::string array = mat.array(kDoubleClass, {2, 3}, "fea", six_doubles(mat));
    EXPECT_EQ(load_points(folder_.write("p.mat", mat.header() + array)).X, expected);
    EXPECT_EQ(load_points(folder_.write("c.mat", mat.header() + mat.compressed(array))).X,
              expected);
  }
}

TEST_F(Mat5Test, NumbersMayBeStoredInASmallerType) {
  for (const bool big : {false, true}) {
    const MatWriter mat{big};
    const auto expect_read = [&](const std::string& numbers) {
      const auto path = folder_.write(
          "s.mat", mat.header() + mat.array(kDoubleClass, {2, 2}, "features", numbers));
      EXPECT_EQ(load_points(path).X, (Matrix(2, 2) << 1, 2, 3, 4).finished());
    };
    expect_read(mat.element(kInt8, raw(std::vector<std::int8_t>{1, 2, 3, 4})));
    expect_read(mat.element(kUint8, raw(std::vector<std::uint8_t>{1, 2, 3, 4})));
    expect_read(mat.small_element(kUint8, raw(std::vector<std::uint8_t>{1, 2, 3, 4})));
    expect_read(mat.element(kInt16, raw(std::vector<std::int16_t>{1, 2, 3, 4}, big)));
    expect_read(mat.element(kUint16, raw(std::vector<std::uint16_t>{1, 2, 3, 4}, big)));
    expect_read(mat.element(kInt32, raw(std::vector<std::int32_t>{1, 2, 3, 4}, big)));
    expect_read(mat.element(kUint32, raw(std::vector<std::uint32_t>{1, 2, 3, 4}, big)));
    expect_read(mat.element(kSingle, raw(std::vector<float>{1, 2, 3, 4}, big)));
    expect_read(mat.element(kInt64, raw(std::vector<std::int64_t>{1, 2, 3, 4}, big)));
    expect_read(mat.element(kUint64, raw(std::vector<std::uint64_t>{1, 2, 3, 4}, big)));
  }
}

TEST_F(Mat5Test, NamelessWorkspacesDoNotDisturbTheGuess) {
  const MatWriter mat;
  const std::string hidden = mat.array(9, {2, 2}, "", mat.small_element(kUint8, "abcd"));
  const auto path = folder_.write(
      "w.mat",
      mat.header() + mat.array(kDoubleClass, {2, 3}, "EYALEB_DATA", six_doubles(mat)) + hidden);
  EXPECT_EQ(load_points(path).variable, "EYALEB_DATA");
  EXPECT_EQ(list_variables(path).size(), 1U);
}

TEST_F(Mat5Test, OtherVersionsAreRefusedWithAdvice) {
  std::string hdf = "MATLAB 7.3 MAT-file, Platform: GLNXA64";
  hdf.resize(512, ' ');
  expect_refused(hdf + "\x89HDF\r\n\x1a\n", "MATLAB 7.3 (HDF5)", "'-v7'");
  expect_refused("\x89HDF\r\n\x1a\n and more", "MATLAB 7.3 (HDF5)", "'-v7'");
  expect_refused(raw(std::vector<std::int32_t>{0, 2, 2, 0, 2}) + "X", "MATLAB 4", "'-v7'");
  expect_refused(std::string(200, 'x'), "byte 126", "found 'xx'", "no MATLAB 5 file");
  expect_refused("short", "found 5 bytes", "header of 128");
  expect_refused(MatWriter().header(), "holds no variables");
  std::string version = MatWriter().header();
  version[124] = 7;
  expect_refused(version, "byte 124", "expected 256");
}

TEST_F(Mat5Test, LyingHeadersAreRefused) {
  const MatWriter mat;
  const std::string numbers = six_doubles(mat);
  const auto file = [&](const std::string& array) { return mat.header() + array; };
  const auto shaped = [&](const std::vector<std::int32_t>& shape) {
    return file(mat.array(kDoubleClass, shape, "fea", numbers));
  };
  expect_refused(shaped({2, -3}), "negative dimension -3");
  expect_refused(shaped({3, 3}), "found 48 bytes of numbers, expected 72", "shape (3, 3)");
  expect_refused(shaped({2147483647, 2147483647}),
                 "found 48 bytes of numbers, expected more than 2^63");
  expect_refused(shaped({6}), "found 4 bytes of dimensions");
  expect_refused(shaped(std::vector<std::int32_t>(65, 1)), "dimensions has 260 bytes");
  expect_refused(file(mat.array(kDoubleClass, {2, 3}, "fea",
                                mat.element(kDouble, raw(std::vector<double>(5, 1))))),
                 "found 40 bytes of numbers, expected 48");
  expect_refused(file(mat.array(kDoubleClass, {2, 3}, "fea", numbers + numbers)),
                 "48 bytes of numbers in an array with 104 bytes left");
  expect_refused(file(mat.array(kDoubleClass, {2, 3}, "fea", mat.element(14, "abcdefgh"))),
                 "data type 14");
  expect_refused(file(mat.array(kDoubleClass, {2, 3}, "fea", "")), "ends before its numbers");
  expect_refused(file(mat.element(kDouble, "abcdefgh")), "found type 9, expected an array");
  expect_refused(file("abc"), "byte 128", "found 3 bytes, expected a tag");

  std::string too_long = shaped({2, 3});
  too_long.replace(132, 4, raw(std::uint32_t{0x7fffffff}));
  expect_refused(too_long, "byte 128", "declares 2147483647 bytes");
}

TEST_F(Mat5Test, CompressedLiesAndBombsAreRefused) {
  const MatWriter mat;
  const std::string array = mat.array(kDoubleClass, {2, 3}, "fea", six_doubles(mat));
  expect_refused(mat.header() + mat.compressed(array + "more"),
                 "more bytes than the header declares");
  expect_refused(mat.header() + mat.compressed(array.substr(0, array.size() - 8)),
                 "inflating gave");
  std::string liar = array;
  liar.replace(4, 4, raw(std::uint32_t{0x7ffffff0}));
  expect_refused(mat.header() + mat.compressed(liar), "cannot inflate to the declared");
  expect_refused(mat.header() + mat.compressed(mat.element(kDouble, "abcdefgh")),
                 "inside compressed data");

  std::string wrong_sum = mat.header() + mat.compressed(array);
  wrong_sum.back() = static_cast<char>(wrong_sum.back() ^ 1);
  expect_refused(wrong_sum, "damaged");

  const std::string zeros =
      mat.array(9, {60000, 1000}, "fea", mat.element(kUint8, std::string(60000000, '\0')));
  expect_refused(mat.header() + mat.compressed(zeros), "likely bomb");
}

TEST_F(Mat5Test, ManyAxesMustBeNamed) {
  const MatWriter mat;
  const std::string camera =
      mat.array(kDoubleClass, {2, 2}, "K", mat.small_element(kUint8, "abcd"));
  const std::string tracks = mat.array(kDoubleClass, {1, 2, 3}, "x", six_doubles(mat));
  const auto path = folder_.write("h.mat", mat.header() + camera + tracks);
  expect_io_error([&] { load_points(path); }, "cannot tell which axis of 'x' counts the samples",
                  "x (1, 2, 3) double");
  EXPECT_EQ(load_points(path, {.x = "x"}).X.rows(), 6);
  EXPECT_EQ(load_points(path, {.x = "K"}).X.rows(), 2);
}

}  // namespace
}  // namespace subspace::datasets
