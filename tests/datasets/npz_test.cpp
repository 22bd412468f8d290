// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <subspace/datasets/load.h>

#include "datasets/files.h"
#include "datasets/fixtures.h"

namespace subspace::datasets {
namespace {

Matrix fixture_points() {
  Matrix X(3, 4);
  for (Index i = 0; i < 12; ++i) X.data()[i] = static_cast<double>(i) / 4 - 1;
  return X;
}

std::string small_npy() {
  return npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}",
                  raw(std::vector<double>{1, 2, 3, 4}));
}
Matrix small_points() { return (Matrix(2, 2) << 1, 3, 2, 4).finished(); }

class NpzTest : public ::testing::Test {
 protected:
  template <typename... Parts>
  void expect_refused(const std::string& file, const Parts&... parts) {
    const auto path = folder_.write("bad.npz", file);
    expect_io_error([&] { load_points(path); }, path.string(), parts...);
  }
  TempFolder folder_;
};

TEST_F(NpzTest, ReadsWhatNumpyStoresAndCompresses) {
  for (const auto hex : {fixtures::kNpzStored, fixtures::kNpzDeflated}) {
    const auto path = folder_.write_hex("a.npz", hex);
    const PointSet set = load_points(path);
    EXPECT_EQ(set.X, fixture_points());
    EXPECT_EQ(set.variable, "X");
    EXPECT_EQ(load_labels(path), (Labels{3, -1, 7, 7}));
  }
}

TEST_F(NpzTest, ImagesAreSamplesOfFlattenedRows) {
  const Matrix X = load_points(folder_.write_hex("i.npz", fixtures::kNpzImages)).X;
  ASSERT_EQ(X.rows(), 12);
  ASSERT_EQ(X.cols(), 2);
  for (Index i = 0; i < 24; ++i) EXPECT_EQ(X.data()[i], static_cast<double>(i));
}

TEST_F(NpzTest, ListsMembersWithShapesAndTypes) {
  const auto variables = list_variables(folder_.write_hex("a.npz", fixtures::kNpzDeflated));
  ASSERT_EQ(variables.size(), 3U);
  EXPECT_EQ(variables[0].name, "X");
  EXPECT_EQ(variables[0].shape, (std::vector<std::int64_t>{4, 3}));
  EXPECT_EQ(variables[0].type, "float64");
  EXPECT_TRUE(variables[0].numeric);
  EXPECT_EQ(variables[1].type, "int64");
  EXPECT_EQ(variables[2].type, "string");
  EXPECT_FALSE(variables[2].numeric);
}

TEST_F(NpzTest, HandMadeArchivesReadBack) {
  for (const bool deflate : {false, true}) {
    for (const bool zip64 : {false, true}) {
      const auto path = folder_.write(
          "h.npz",
          zip_file({{.name = "readme.txt", .content = "not an array"},
                    {.name = "X.npy", .content = small_npy(), .deflate = deflate, .zip64 = zip64}},
                   zip64));
      EXPECT_EQ(load_points(path).X, small_points()) << deflate << zip64;
    }
  }
}

TEST_F(NpzTest, AnArchiveCommentIsAllowed) {
  std::string file = zip_file({{.name = "X.npy", .content = small_npy()}});
  file[file.size() - 2] = 5;
  EXPECT_EQ(load_points(folder_.write("c.npz", file + "hello")).X, small_points());
  expect_refused(file, "no end-of-archive record");
}

TEST_F(NpzTest, DamageIsFoundByTheChecksum) {
  expect_refused(zip_file({{.name = "X.npy", .content = small_npy(), .crc_flip = 1}}),
                 "member 'X.npy'", "CRC-32");
  expect_refused(
      zip_file({{.name = "X.npy", .content = small_npy(), .deflate = true, .crc_flip = 1}}),
      "CRC-32");
}

TEST_F(NpzTest, LyingSizesAndOffsetsAreRefused) {
  expect_refused(zip_file({{.name = "X.npy", .content = small_npy(), .offset_shift = 7}}),
                 "signature of a member");
  expect_refused(zip_file({{.name = "X.npy", .content = small_npy(), .offset_shift = 4000000}}),
                 "byte 4000000", "expected 30 bytes here");
  expect_refused(zip_file({{.name = "X.npy", .content = small_npy(), .size_lie = 999}}),
                 "but declared as 999");
  expect_refused(
      zip_file({{.name = "X.npy", .content = small_npy(), .deflate = true, .size_lie = 999}}),
      "bytes of numbers, expected 32");
  expect_refused(
      zip_file({{.name = "X.npy", .content = small_npy(), .deflate = true, .size_lie = 12}}),
      "longer than the declared 12");
  expect_refused(
      zip_file(
          {{.name = "X.npy", .content = small_npy(), .deflate = true, .size_lie = 4000000000}}),
      "cannot inflate to the declared 4000000000");

  std::string file = zip_file({{.name = "X.npy", .content = small_npy()}});
  const std::size_t end = file.size() - 22;
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return std::string(file).replace(at, bytes.size(), bytes);
  };
  expect_refused(with(end + 16, raw(std::uint32_t{0xfffffff0})),
                 "does not lie before its end record");
  expect_refused(with(end + 12, raw(std::uint32_t{0x7fffffff})),
                 "does not lie before its end record");
  expect_refused(with(end + 10, raw(std::uint16_t{1000})), "1000 members do not fit");
  expect_refused(with(end + 16, raw(std::uint32_t{0xffffffff})), "zip64 locator");
}

TEST_F(NpzTest, BombsAreRefused) {
  // The member says honestly that it inflates to 8 numbers, but the data go on.
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (8, 1)}";
  const std::string longer = npy_file(header, std::string(1 << 20, '\0'));
  const auto honest_size =
      static_cast<std::uint32_t>(npy_file(header, std::string(64, '\0')).size());
  const auto path = folder_.write(
      "b.npz",
      zip_file({{.name = "X.npy", .content = longer, .deflate = true, .size_lie = honest_size}}));
  expect_io_error([&] { load_points(path, {.x = "X"}); }, "more bytes than the header declares");

  // Sixty million bytes of one value in 58 kB would become half a gigabyte of doubles.
  const std::string bomb =
      npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (60000, 1000)}",
               std::string(60000000, '\0'));
  expect_refused(zip_file({{.name = "X.npy", .content = bomb, .deflate = true}}), "likely bomb");
}

TEST_F(NpzTest, OtherArchivesAreRefused) {
  expect_refused(zip_file({{.name = "a.txt", .content = "hello"}}), "no .npy member");
  expect_refused(zip_file({}), "no .npy member");
  expect_refused(zip_file({{.name = "X.npy", .content = small_npy(), .flags = 1}}), "encrypted");
  expect_refused(zip_file({{.name = "X.npy", .content = small_npy()},
                           {.name = "X.npy", .content = small_npy()}}),
                 "occurs twice");
  expect_refused("no archive at all, only text", "this is no zip archive");
  std::string unknown_method = zip_file({{.name = "X.npy", .content = small_npy()}});
  unknown_method[8] = 12;
  unknown_method[unknown_method.rfind("PK\x01\x02") + 10] = 12;
  expect_refused(unknown_method, "compression method 12");
}

TEST_F(NpzTest, SeveralCandidatesAreListedAndRefused) {
  const std::string file = zip_file({{.name = "x_train.npy", .content = small_npy()},
                                     {.name = "x_test.npy", .content = small_npy()}});
  expect_refused(file, "cannot tell which variable holds the points", "option x",
                 "x_train (2, 2) float64", "x_test (2, 2) float64");
  const auto path = folder_.write("two.npz", file);
  EXPECT_EQ(load_points(path, {.x = "x_test"}).variable, "x_test");
  expect_io_error([&] { load_points(path, {.x = "nothing"}); }, "no variable 'nothing'",
                  "x_train (2, 2)");
  expect_io_error([&] { load_labels(path); }, "cannot tell which variable holds the labels",
                  "option y");
  expect_io_error([&] { load_labels(path, {.y = "x_train"}); }, "shape (2, 2), expected a vector");
}

TEST_F(NpzTest, NamesFromTheFileCannotUpsetATerminal) {
  expect_refused(zip_file({{.name = "a\x1b[2J\n.npy", .content = small_npy(), .crc_flip = 1}}),
                 "member 'a?[2J?.npy'");
}

}  // namespace
}  // namespace subspace::datasets
