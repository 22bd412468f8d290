// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include <subspace/datasets/image.h>
#include <subspace/datasets/registry.h>

#include "datasets/files.h"
#include "support/message_of.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::message_of;

TEST(RegistryTest, EntriesAreConsistent) {
  std::set<std::string> names;
  for (const DatasetInfo& info : registry()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.title.empty() || info.values.empty() || info.origin.empty() ||
                 info.terms.empty())
        << info.name;
    if (!info.class_sizes.empty()) {
      EXPECT_EQ(std::accumulate(info.class_sizes.begin(), info.class_sizes.end(), Index{0}),
                info.samples)
          << info.name;
      EXPECT_EQ(static_cast<int>(info.class_sizes.size()), info.classes) << info.name;
    }
    EXPECT_TRUE(info.sha256.empty() || info.sha256.size() == 64) << info.name;
  }
  for (const char* name : {"coil20", "coil100", "yaleb", "orl", "mnist", "fashion-mnist", "usps",
                           "hopkins155", "cifar10", "cifar100", "cifar20", "stl10"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(RegistryTest, NamesTellSetItemAndSize) {
  const auto plain = parse_dataset_name("coil20");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->size);
  const auto sized = parse_dataset_name("yaleb@24x21");
  ASSERT_TRUE(sized && sized->size);
  EXPECT_EQ(sized->size->height, 24);
  EXPECT_EQ(sized->size->width, 21);
  const auto item = parse_dataset_name("hopkins155/1R2RC");
  ASSERT_TRUE(item);
  EXPECT_EQ(item->item, "1R2RC");
  EXPECT_FALSE(parse_dataset_name("coil20.mat"));
  EXPECT_FALSE(parse_dataset_name("./coil20"));
  for (const char* bad : {"coil20@", "coil20@0", "coil20@-3", "coil20@3x", "coil20@x3",
                          "coil20@99999", "coil20@32.5", "coil20@32x32x1"}) {
    EXPECT_THAT(message_of<InvalidArgument>([&] { parse_dataset_name(bad); }),
                HasSubstr("size of coil20"))
        << bad;
  }
}

TEST(RegistryTest, UnknownNamesGetASuggestion) {
  EXPECT_THAT(message_of<InvalidArgument>([] { find_dataset("coli20"); }),
              HasSubstr("did you mean 'coil20'"));
}

std::string idx_pictures(std::uint32_t count, std::uint32_t side = 28) {
  return std::string("\0\0\10\3", 4) + raw(count, true) + raw(side, true) + raw(side, true) +
         std::string(count * side * side, 'x');
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class DatasetTest : public ::testing::Test {
 protected:
  Dataset open(const std::string& name) {
    return Dataset(*parse_dataset_name(name), {folder_.path("")});
  }
  /// Pictures named like COIL-20's, all alike, of which one may be missing, as an archive.
  void write_coil20(bool complete, int side = 128) {
    fs::create_directories(folder_.path("coil20"));
    save_png(folder_.path("one.png"), {1, side, side},
             std::vector<std::uint8_t>(static_cast<std::size_t>(side * side), 20));
    const std::string png = read_file(folder_.path("one.png"));
    std::vector<ZipMember> members;
    for (int k = 1; k <= 20; ++k) {
      for (int v = 0; v < (complete || k < 20 ? 72 : 71); ++v) {
        members.push_back(
            {.name = message("coil-20-proc/obj", k, "__", v, ".png"), .content = png});
      }
    }
    folder_.write("coil20/coil-20-proc.zip", zip_file(members));
  }
  TempFolder folder_;
};

TEST_F(DatasetTest, WhatIsNotThereIsNamedWithWhereItWasSought) {
  EXPECT_THAT(message_of<IoError>([&] { open("coil20@64"); }),
              AllOf(HasSubstr("coil20@64: not found"), HasSubstr("coil-20-proc.zip"),
                    HasSubstr("COIL20.mat") /* of the right size only */,
                    HasSubstr("subspace data fetch coil20")));
}

TEST_F(DatasetTest, SizesAndItemsWhereThereAreNone) {
  EXPECT_THAT(message_of<InvalidArgument>([&] { open("hopkins155@32"); }),
              HasSubstr("no pictures"));
  EXPECT_FALSE(parse_dataset_name("mnist/3")) << "a path";
}

TEST_F(DatasetTest, ArchivesOfASetAreFoundAndCounted) {
  write_coil20(true);
  const Dataset set = open("coil20@4");
  const PointSet points = set.load_points();
  EXPECT_EQ(points.name, "coil20@4");
  EXPECT_EQ(points.X.cols(), 1440);
  EXPECT_EQ(points.image, (ImageShape{1, 4, 4}));
  EXPECT_EQ(points.X(0, 1439), 20 / 255.0);
  const Labels truth = set.load_labels();
  EXPECT_EQ(truth.size(), 1440U);
  EXPECT_EQ(truth.back(), 20);
  // These are not the real pictures, and that shows.
  expect_io_error([&] { set.verify(); }, "decoded values have SHA-256");
  EXPECT_TRUE(points.notes.empty());
  EXPECT_EQ(open("coil20@200").load_points().notes,
            std::vector<std::string>{"pictures of 128 x 128 were enlarged to 200 x 200"});
}

TEST_F(DatasetTest, PicturesOfAnotherSizeAreNotTheSet) {
  write_coil20(true, 16);
  expect_io_error([&] { open("coil20@128").load_points(); }, "obj1__0.png", "16 x 16 grey",
                  "expected 128 x 128 grey");
  expect_io_error([&] { open("coil20").load_points(); }, "expected 128 x 128");
  fs::create_directory(folder_.path("mnist"));
  folder_.write("mnist/t10k-images-idx3-ubyte", idx_pictures(3, 14));
  folder_.write("mnist/t10k-labels-idx1-ubyte", std::string("\0\0\10\1\0\0\0\3abc", 11));
  expect_io_error([&] { open("mnist-test").load_points(); }, "pictures of 14 x 14",
                  "expected 28 x 28");
}

TEST_F(DatasetTest, AMissingPictureIsNoticed) {
  write_coil20(false);
  expect_io_error([&] { open("coil20@8").load_points(); }, "coil20@8: 1439 samples",
                  "expected 1440");
  expect_io_error([&] { open("coil20@8").verify(); }, "1439 labels, expected 1440");
}

TEST_F(DatasetTest, WrongCountsOfStacksAreNoticed) {
  fs::create_directory(folder_.path("mnist"));
  folder_.write("mnist/t10k-images.idx3-ubyte.gz", gzip_compressed(idx_pictures(3)));
  folder_.write("mnist/t10k-labels-idx1-ubyte", std::string("\0\0\10\1\0\0\0\3abc", 11));
  expect_io_error([&] { open("mnist-test").load_points(); }, "mnist-test: 3 samples",
                  "expected 10000");
  EXPECT_EQ(open("mnist-test").load_labels().size(), 3U);
}

/// Records of CIFAR-100: picture i has the coarse label i mod 20, the fine label i mod 100, and
/// red, green and blue planes of the values 10, 20 and i mod 256.
std::string cifar100_records(int count) {
  std::string records;
  records.reserve(static_cast<std::size_t>(count) * 3074);
  for (int i = 0; i < count; ++i) {
    records += static_cast<char>(i % 20);
    records += static_cast<char>(i % 100);
    for (const int value : {10, 20, i % 256}) records.append(1024, static_cast<char>(value));
  }
  return records;
}

TEST_F(DatasetTest, Cifar100HasFineAndCoarseLabels) {
  fs::create_directories(folder_.path("cifar100/cifar-100-binary"));
  folder_.write("cifar100/cifar-100-binary/test.bin", cifar100_records(10000));
  const PointSet points = open("cifar100-test@2").load_points();
  EXPECT_EQ(points.image, (ImageShape{3, 2, 2}));
  ASSERT_EQ(points.X.cols(), 10000);
  EXPECT_EQ(points.X(0, 777), 10 / 255.0);
  EXPECT_EQ(points.X(4, 777), 20 / 255.0);
  EXPECT_EQ(points.X(8, 777), (777 % 256) / 255.0);
  const Labels fine = open("cifar100-test").load_labels();
  const Labels coarse = open("cifar20-test").load_labels();
  ASSERT_EQ(fine.size(), 10000U);
  ASSERT_EQ(coarse.size(), 10000U);
  EXPECT_EQ(fine[777], 77);
  EXPECT_EQ(coarse[777], 17);
  EXPECT_EQ(open("cifar20-test").info().classes, 20);
}

TEST_F(DatasetTest, HalfARecordOfCifar100IsNamed) {
  fs::create_directories(folder_.path("cifar100/cifar-100-binary"));
  folder_.write("cifar100/cifar-100-binary/test.bin", cifar100_records(2) + "x");
  expect_io_error([&] { open("cifar100-test").load_points(); }, "test.bin");
}

/// A .mat of 48 x 42 pictures as columns, like ExtendedYaleB.mat, but few.
std::string few_faces(std::uint8_t largest) {
  const MatWriter mat;
  std::vector<std::uint8_t> pixels(2016 * 2, 0);
  pixels[1] = largest;  // row 1 of column 0 of the first picture
  return mat.header() + mat.array(9, {2016, 2}, "EYALEB_DATA", mat.element(2, raw(pixels))) +
         mat.array(9, {1, 2}, "EYALEB_LABEL", mat.element(2, raw(std::vector<std::uint8_t>{1, 2})));
}

TEST_F(DatasetTest, RangesAndCountsOfMatricesAreChecked) {
  fs::create_directory(folder_.path("yaleb"));
  folder_.write("yaleb/ExtendedYaleB.mat", few_faces(1));
  expect_io_error([&] { open("yaleb").load_points(); }, "yaleb: values from 0 to 1",
                  "expected pixels of 0 to 255");
  folder_.write("yaleb/ExtendedYaleB.mat", few_faces(200));
  expect_io_error([&] { open("yaleb").load_points(); }, "2 samples", "expected 2414");
}

std::string sequence(double third) {
  const MatWriter mat;
  // x(:, p, f) = (p + 10 f, -p, third) for 2 points in 3 frames.
  std::vector<double> x;
  for (int f = 0; f < 3; ++f) {
    for (int p = 0; p < 2; ++p) x.insert(x.end(), {p + 10.0 * f, -1.0 * p, third});
  }
  const auto numbers = mat.element(9, raw(x));
  return mat.header() + mat.array(6, {3, 2, 3}, "x", numbers) +
         mat.array(6, {3, 2, 3}, "y", numbers) +
         mat.array(6, {2, 1}, "s", mat.element(9, raw(std::vector<double>{2, 1})));
}

TEST_F(DatasetTest, FilesOfTheSameNamesAreToldByTheirFolder) {
  folder_.write("t10k-images-idx3-ubyte", idx_pictures(3));
  folder_.write("t10k-labels-idx1-ubyte", std::string("\0\0\10\1\0\0\0\3abc", 11));
  expect_io_error([&] { open("fashion-mnist-test"); }, "not found");
  fs::create_directory(folder_.path("yaleb"));
  folder_.write("yaleb/ExtendedYaleB.mat.gz", "x");
  expect_io_error([&] { open("yaleb"); }, "not found");
}

TEST_F(DatasetTest, SequencesOfHopkins155) {
  fs::create_directory(folder_.path("hopkins155"));
  folder_.write(
      "hopkins155/Hopkins155.zip",
      zip_file({{.name = "H/cars10/cars10_truth.mat", .content = sequence(1)},
                {.name = "H/cars2/cars2_truth.mat", .content = sequence(1), .deflate = true},
                {.name = "H/head/two_cranes_truth.mat", .content = "a stray"},
                {.name = "H/bad/bad_truth.mat", .content = sequence(2)}}));
  const Dataset set = open("hopkins155/cars2");
  EXPECT_EQ(set.items(), (std::vector<std::string>{"bad", "cars2", "cars10"}));
  const PointSet points = set.load_points();
  EXPECT_EQ(points.name, "hopkins155/cars2");
  EXPECT_EQ(points.X, (Matrix(6, 2) << 0, 1, 0, -1, 10, 11, 0, -1, 20, 21, 0, -1).finished());
  EXPECT_EQ(set.load_labels(), (Labels{2, 1}));
  expect_io_error([&] { open("hopkins155/cars3").load_points(); }, "no sequence 'cars3'", "cars2");
  expect_io_error([&] { open("hopkins155").load_points(); }, "which sequence?");
  expect_io_error([&] { open("hopkins155/bad").load_points(); }, "homogeneous");
}

}  // namespace
}  // namespace subspace::datasets
