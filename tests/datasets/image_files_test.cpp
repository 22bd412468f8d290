// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Folders and archives of .png files.
#include <gtest/gtest.h>

#include <filesystem>

#include <subspace/datasets/image.h>
#include <subspace/datasets/load.h>

#include "datasets/files.h"
#include "datasets/fixtures.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

class ImageFilesTest : public ::testing::Test {
 protected:
  /// A grey 2 x 2 picture of one value.
  void picture(const std::string& name, int value, ImageShape shape = {1, 2, 2}) {
    fs::create_directories(folder_.path(name).parent_path());
    save_png(folder_.path(name), shape,
             std::vector<std::uint8_t>(static_cast<std::size_t>(shape.num_values()),
                                       static_cast<std::uint8_t>(value)));
  }
  /// The first value of each point as a pixel.
  static std::vector<int> order(const PointSet& set) {
    std::vector<int> values;
    for (Index j = 0; j < set.X.cols(); ++j)
      values.push_back(static_cast<int>(set.X(0, j) * 255 + 0.5));
    return values;
  }
  fs::path zip(const std::vector<ZipMember>& members) {
    return folder_.write("a.zip", zip_file(members));
  }

  TempFolder folder_;
  const std::string grey_ = from_hex(fixtures::kPngGrey);
};

TEST_F(ImageFilesTest, TurntableNamesAreOrderedByTheirNumbers) {
  int value = 0;
  for (const char* name : {"s/obj10__0.png", "s/obj2__10.png", "s/obj2__9.png", "s/OBJ1__5.PNG"})
    picture(name, ++value);
  const PointSet set = load_points(folder_.path("s"));
  EXPECT_EQ(order(set), (std::vector<int>{4, 3, 2, 1}));
  EXPECT_EQ(load_labels(folder_.path("s")), (Labels{1, 2, 2, 10}));
  EXPECT_EQ(set.name, "s");
  EXPECT_EQ(set.image, (ImageShape{1, 2, 2}));
  EXPECT_TRUE(set.notes.empty());
}

TEST_F(ImageFilesTest, ClassFoldersInNaturalOrder) {
  picture("s/p10/a.png", 1);
  picture("s/p9/b10.png", 2);
  picture("s/p9/b9.png", 3);
  picture("s/p9/.hidden.png", 4);
  folder_.write("s/p9/readme.txt", "x");
  const PointSet set = load_points(folder_.path("s"));
  EXPECT_EQ(order(set), (std::vector<int>{3, 2, 1}));
  EXPECT_EQ(load_labels(folder_.path("s")), (Labels{0, 0, 1}));
  ASSERT_EQ(set.notes.size(), 1U);
  EXPECT_EQ(set.notes[0], "files left out because they are not .png: 1");
}

TEST_F(ImageFilesTest, TheLastFolderIsTheClass) {
  picture("s/test/b/1.png", 1);
  picture("s/train/a/2.png", 2);
  picture("s/train/b/3.png", 3);
  const PointSet set = load_points(folder_.path("s"));
  EXPECT_EQ(load_labels(folder_.path("s")), (Labels{0, 1, 1}));
  EXPECT_EQ(order(set), (std::vector<int>{2, 1, 3}));
  EXPECT_EQ(set.notes, std::vector<std::string>{"2 classes by folder: a b"});
}

TEST_F(ImageFilesTest, LinksToFoldersAreFollowedButNotInCircles) {
  picture("else/x.png", 1);
  picture("s/a/y.png", 2);
  fs::create_directory_symlink(folder_.path("else"), folder_.path("s/b"));
  EXPECT_EQ(load_labels(folder_.path("s")), (Labels{0, 1}));
  fs::create_directory_symlink(folder_.path("s"), folder_.path("s/loop"));
  expect_io_error([&] { load_points(folder_.path("s")); }, "a loop of links?");
}

TEST_F(ImageFilesTest, AViewThatOccursTwiceIsRefused) {
  picture("s/x/obj1__0.png", 1);
  picture("s/y/obj1__0.png", 2);
  expect_io_error([&] { load_points(folder_.path("s")); }, "obj1__0.png occurs twice");
}

TEST_F(ImageFilesTest, FlatFoldersHaveNoLabels) {
  picture("s/b.png", 1);
  picture("s/a.png", 2);
  EXPECT_EQ(order(load_points(folder_.path("s"))), (std::vector<int>{2, 1}));
  expect_io_error([&] { load_labels(folder_.path("s")); }, "tell no classes", "objK__V.png");
}

TEST_F(ImageFilesTest, TheHashTellsFoldersApart) {
  picture("s/a.png", 1);
  const std::string one = load_points(folder_.path("s")).sha256;
  EXPECT_EQ(load_points(folder_.path("s")).sha256, one);
  picture("s/a.png", 2);
  EXPECT_NE(load_points(folder_.path("s")).sha256, one);
}

TEST_F(ImageFilesTest, PicturesMustFitTogether) {
  picture("s/a.png", 1);
  picture("s/b.png", 2, {1, 2, 3});
  expect_io_error([&] { load_points(folder_.path("s")); }, "b.png: 2 x 3 grey", "a.png is 2 x 2");
  EXPECT_EQ(load_points(folder_.path("s"), {.image_size = ImageSize{2, 2}}).X.cols(), 2);
  picture("s/b.png", 2, {3, 2, 2});
  EXPECT_EQ(order(load_points(folder_.path("s"))), (std::vector<int>{1, 2})) << "all become grey";
  expect_io_error([&] { load_points(folder_.path("s"), {.color = true}); }, "2 x 2 colour",
                  "leave out --color");
}

TEST_F(ImageFilesTest, EmptyFoldersAndArchivesAreRefused) {
  fs::create_directory(folder_.path("s"));
  expect_io_error([&] { load_points(folder_.path("s")); }, "no .png among its 0 files");
  expect_io_error([&] { load_points(zip({{.name = "a.txt", .content = "x"}})); },
                  "no .png among its 1 files");
}

/// What Pillow wrote: grey 3 x 4 of 0, 20, ..., 220.
Vector grey_values() { return Vector::LinSpaced(12, 0, 220) / 255.0; }

TEST_F(ImageFilesTest, EveryKindOfPngGivesItsStoredNumbers) {
  const auto load = [&](std::string_view hex, bool color = false) {
    fs::create_directory(folder_.path("p"));
    folder_.write_hex("p/a.png", hex);
    return load_points(folder_.path("p"), {.color = color});
  };
  const Vector grey = grey_values();
  EXPECT_LT((load(fixtures::kPngGrey).X - grey).norm(), 1e-15);
  EXPECT_LT((load(fixtures::kPngGreyLinear).X - grey).norm(), 1e-15) << "no gamma correction";
  EXPECT_LT((load(fixtures::kPngGreyAlpha).X - grey).norm(), 1e-15);
  Vector rgb(36);
  rgb << grey, (grey.array() + 5 / 255.0).matrix(), (1.0 - grey.array()).matrix();
  for (const auto hex : {fixtures::kPngRgb, fixtures::kPngOpaque}) {
    const PointSet set = load(hex, true);
    EXPECT_EQ(set.image, (ImageShape{3, 3, 4}));
    EXPECT_LT((set.X - rgb).norm(), 1e-14);
    const Vector mean = (grey.array() + 260 / 255.0).matrix() / 3;
    EXPECT_LT((load(hex).X - mean).norm(), 1e-14) << "grey is the mean of the channels";
  }
  EXPECT_EQ(load(fixtures::kPngPalette, true).image, (ImageShape{3, 3, 4}));
  EXPECT_EQ(load(fixtures::kPngBits).X, (grey.array() * 255 > 100).cast<double>().matrix());
  expect_io_error([&] { load(fixtures::kPngHalfClear); }, "a.png: row 1, column 2 is transparent");
  expect_io_error([&] { load(fixtures::kPng16); }, "16 bits a channel");
}

TEST_F(ImageFilesTest, WhatWeWriteWeRead) {
  const ImageShape shape = {3, 2, 3};
  std::vector<std::uint8_t> values(18);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * 14);
  fs::create_directory(folder_.path("s"));
  save_png(folder_.path("s/a.png"), shape, values);
  const PointSet set = load_points(folder_.path("s"), {.color = true});
  for (Index i = 0; i < 18; ++i)
    EXPECT_EQ(set.X(i, 0), values[static_cast<std::size_t>(i)] / 255.0);
  EXPECT_EQ(set.X.col(0), to_points({shape, 1, values}).col(0));
}

TEST_F(ImageFilesTest, ArchivesAreReadInPlace) {
  const auto path = zip({{.name = "set/", .content = ""},
                         {.name = "set/obj2__0.png", .content = grey_, .deflate = true},
                         {.name = "set/obj1__0.png", .content = grey_},
                         {.name = "__MACOSX/set/._obj1__0.png", .content = "x"},
                         {.name = "set/notes.txt", .content = "x"}});
  const PointSet set = load_points(path);
  EXPECT_EQ(set.X.cols(), 2);
  EXPECT_LT((set.X.col(1) - grey_values()).norm(), 1e-15);
  EXPECT_EQ(load_labels(path), (Labels{1, 2}));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("")), fs::directory_iterator()), 1)
      << "nothing is unpacked";
}

TEST_F(ImageFilesTest, ArchivesMadeToDoHarmAreRefused) {
  for (const std::string name :
       {"../x.png", "a/../../x.png", "/x.png", "C:\\x.png", "a\\..\\x.png"}) {
    expect_io_error([&] { load_points(zip({{.name = name, .content = grey_}})); },
                    "would lead out of its folder");
  }
  ZipMember link = {.name = "a.png", .content = "/etc/passwd"};
  link.mode = 0120777;
  expect_io_error([&] { load_points(zip({link})); }, "'a.png' is a link");
}

TEST_F(ImageFilesTest, MembersThatOverlapAreRefused) {
  std::vector<ZipMember> members;
  for (int i = 0; i < 50; ++i) {
    members.push_back(
        {.name = message("m", i, ".png"), .content = std::string(2000, 'x'), .share_first = i > 0});
  }
  expect_io_error([&] { load_points(zip(members)); }, "they overlap");
}

TEST_F(ImageFilesTest, APngThatClaimsMoreThanItsBytesHoldIsRefused) {
  std::string huge = grey_;
  // IHDR: width at byte 16, height at 20; its CRC at 29.
  huge.replace(16, 8, std::string("\0\0\x7f\xff\0\0\x7f\xff", 8));
  huge.replace(29, 4, raw(crc32_of(huge.substr(12, 17)), true));
  fs::create_directory(folder_.path("s"));
  folder_.write("s/a.png", huge);
  expect_io_error([&] { load_points(folder_.path("s")); }, "a.png", "cannot hold the declared");
}

// libpng took the memory that a text chunk of 1.1 GB would need.
TEST_F(ImageFilesTest, ChunksLongerThanTheFileAreRefused) {
  folder_.write_hex("a.png",
                    "89504e470d0a1a0a0000000d494844520000000400000001080400000053"
                    "35c7464600000069545874547"
                    "89c6364f82fc22069434350535480c600002a7d025de9c4467200000000"
                    "49454e4400008f93");
  expect_io_error([&] { load_points(folder_.path(".")); }, "a.png", "byte 33",
                  "chunk of 1174405120 bytes", "39 left");
}

TEST_F(ImageFilesTest, OtherFilesCalledPngAreRefused) {
  for (const std::string bytes : {"P", "GIF89a, and more bytes than a signature has"}) {
    folder_.write("a.png", bytes);
    expect_io_error([&] { load_points(folder_.path(".")); }, "a.png", "not a readable PNG");
  }
}

// One bit a pixel in the file, eight bytes while it is decoded; what is asked for is small.
TEST_F(ImageFilesTest, PicturesAreDecodedWithinTheMemoryAllowed) {
  constexpr std::uint32_t kSide = 4096;
  const std::string wide = png_file({.width = kSide, .height = kSide, .depth = 1, .color = 3},
                                    std::string(kSide * (1 + kSide / 8), '\0'),
                                    png_chunk("PLTE", "333333") + png_chunk("tRNS", "\xff\xff"));
  const LoadOptions options = {.image_size = ImageSize{2, 2}};
  const Context context = {.max_memory = 64 << 20};
  const auto alone = zip({{.name = "a.png", .content = wide}});
  EXPECT_THROW(load_points(alone, options, context), ResourceError);
  EXPECT_EQ(load_points(alone, options).X, Matrix::Constant(4, 1, 0.2));
  const auto second =
      zip({{.name = "a.png", .content = grey_}, {.name = "b.png", .content = wide}});
  EXPECT_THROW(load_points(second, options, context), ResourceError);
}

}  // namespace
}  // namespace subspace::datasets
