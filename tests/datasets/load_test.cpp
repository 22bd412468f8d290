// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/load.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>

#include "datasets/files.h"
#include "datasets/fixtures.h"
#include "support/message_of.h"

namespace subspace::datasets {
namespace {

class LoadTest : public ::testing::Test {
 protected:
  Labels labels(const std::string& name, const std::string& bytes,
                const LoadOptions& options = {}) {
    return load_labels(folder_.write(name, bytes), options);
  }
  std::string npy(const std::string& descr, const std::string& shape, const std::string& payload) {
    return npy_file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + "}",
                    payload);
  }
  TempFolder folder_;
};

TEST_F(LoadTest, WrongPathsAreRefused) {
  expect_io_error([&] { load_points(folder_.path("none.npy")); }, "none.npy: no such file");
  expect_io_error([&] { load_points(folder_.path("none.xyz")); }, "extension '.xyz' is not known",
                  ".mat");
  expect_io_error([&] { list_variables(folder_.path("none")); }, "extension ''");
  std::filesystem::create_directory(folder_.path("folder.npy"));
  expect_io_error([&] { load_labels(folder_.path("folder.npy")); }, "no .png among its 0 files");
}

TEST_F(LoadTest, ExtensionsDoNotDependOnCase) {
  EXPECT_EQ(labels("Y.NPY", npy("<i4", "(2,)", raw(std::vector<std::int32_t>{4, 5}))),
            (Labels{4, 5}));
  EXPECT_EQ(labels("Y.Txt", "4\n5\n"), (Labels{4, 5}));
}

TEST_F(LoadTest, LabelsOfAnyIntegersInAnyShapeOfAVector) {
  const auto payload = raw(std::vector<double>{-2147483648.0, 0, 2147483647.0});
  for (const std::string shape : {"(3,)", "(3, 1)", "(1, 3)", "(1, 3, 1)"}) {
    EXPECT_EQ(labels("y.npy", npy("<f8", shape, payload)), (Labels{-2147483647 - 1, 0, 2147483647}))
        << shape;
  }
  EXPECT_EQ(labels("y.npy", npy("|b1", "(2,)", std::string("\1\0", 2))), (Labels{1, 0}));
  EXPECT_EQ(labels("one.npy", npy("<i8", "(1, 1)", raw(std::int64_t{9}))), (Labels{9}));
}

TEST_F(LoadTest, LabelsAsText) {
  EXPECT_EQ(labels("y.csv", "3\n-4\n5.0\n"), (Labels{3, -4, 5}));
  EXPECT_EQ(labels("y.txt", "3 -4 5\n"), (Labels{3, -4, 5}));
  EXPECT_EQ(labels("y.csv", "my label\n3\n4\n"), (Labels{3, 4}));
  EXPECT_EQ(labels("y.csv", "3\n4\n", {.y = "gnd"}), (Labels{3, 4}))
      << "the name is the other file's";
  expect_io_error([&] { labels("y.csv", "1,2\n3,4\n"); },
                  "found 2 columns, expected one label a line");
}

TEST_F(LoadTest, WhatIsNoIntegerIsNoLabel) {
  expect_io_error([&] { labels("y.csv", "3\n2.5\n1\n"); },
                  "label 2 of 3 is 2.5, expected an integer");
  expect_io_error([&] { labels("y.csv", "3\nnan\n"); }, "label 2 of 2 is nan");
  expect_io_error([&] { labels("y.csv", "2147483648\n"); }, "label 1 of 1 is 2147483648");
  expect_io_error([&] { labels("y.npy", npy("<i8", "(1,)", raw(std::int64_t{-3000000000}))); },
                  "is -3000000000");
  expect_io_error([&] { labels("y.npy", npy("<i8", "(2, 2)", std::string(32, '\0'))); },
                  "shape (2, 2), expected a vector");
  expect_io_error([&] { labels("y.npy", npy("<i8", "(0,)", "")); }, "no elements");
}

TEST_F(LoadTest, WordsAreNoLabelsAndTheMessageSaysWhatIs) {
  expect_io_error([&] { labels("y.csv", "species\nsetosa\nvirginica\n"); },
                  "line 2: column 1: found 'setosa', expected a number",
                  "classes are written as integers");
  expect_io_error([&] { load_points(folder_.write("iris.csv", "length,class\n1.5,setosa\n")); },
                  "line 2: column 2: found 'setosa'", "classes are written as integers");
  try {
    labels("y.csv", "1\n1e999\n");
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("classes")));
  }
}

TEST_F(LoadTest, NamesOfArraysAreRefusedWhereNoArrayHasAName) {
  const auto points = folder_.write_hex("a.npy", fixtures::kNpyFloat64);
  expect_io_error([&] { load_points(points, {.x = "fea"}); },
                  "a.npy: option x = 'fea', but this format has no arrays with names");
  expect_io_error([&] { load_points(folder_.write("a.csv", "1,2\n"), {.x = "fea"}); },
                  "option x = 'fea'");
  EXPECT_NO_THROW(load_points(points, {.y = "gnd"})) << "the name is the other file's";
  const std::string bytes = npy("<i4", "(2,)", raw(std::vector<std::int32_t>{4, 5}));
  expect_io_error([&] { labels("y.npy", bytes, {.y = "gnd"}); }, "y.npy: option y = 'gnd'");
  expect_io_error([&] { label_name(folder_.path("y.npy"), {.y = "gnd"}); }, "option y = 'gnd'");
}

TEST_F(LoadTest, SaysWhichArrayOrColumnHoldsTheLabels) {
  EXPECT_EQ(label_name(folder_.write_hex("a.mat", fixtures::kMatCompressed)), "gnd");
  EXPECT_EQ(label_name(folder_.path("a.mat"), {.y = "small"}), "small");
  EXPECT_EQ(label_name(folder_.write("a.csv", "a,Class\n1.5,0\n")), "Class");
  EXPECT_EQ(label_name(folder_.write("y.csv", "3\n4\n")), "");
  EXPECT_EQ(label_name(folder_.write("y.npy", npy("<i8", "(1,)", raw(std::int64_t{1})))), "");
}

TEST_F(LoadTest, PointsNeverContainTheTruthOfTheSameFile) {
  const auto path = folder_.write_hex("a.mat", fixtures::kMatCompressed);
  const PointSet set = load_points(path);
  EXPECT_EQ(set.variable, "fea");
  EXPECT_EQ(load_points(path, {.y = "small"}).X, set.X)
      << "naming the labels changes nothing about the points";
}

TEST_F(LoadTest, ListsSingleArrays) {
  const auto npy_variables = list_variables(folder_.write_hex("a.npy", fixtures::kNpyBigEndian));
  ASSERT_EQ(npy_variables.size(), 1U);
  EXPECT_EQ(npy_variables[0].shape, (std::vector<std::int64_t>{4, 3}));
  EXPECT_EQ(npy_variables[0].type, "float32");
  const auto text_variables = list_variables(folder_.write("a.tsv", "a\tb\n1\t2\n"));
  ASSERT_EQ(text_variables.size(), 1U);
  EXPECT_EQ(text_variables[0].shape, (std::vector<std::int64_t>{1, 2}));
}

TEST_F(LoadTest, ACancelledLoadStops) {
  CancelToken cancel;
  cancel.request();
  const auto path = folder_.write_hex("a.npy", fixtures::kNpyFloat64);
  EXPECT_THROW(load_points(path, {}, {.cancel = &cancel}), Cancelled);
}

TEST(LoadPicturesTest, OptionsOfPicturesAreRefusedForNumbers) {
  TempFolder folder;
  folder.write("x.csv", "1,2\n3,4\n");
  const auto file = folder.path("x.csv");
  EXPECT_THAT(testing::message_of<InvalidArgument>([&] {
                load_points(file, {.image_size = ImageSize{8, 8}});
              }),
              ::testing::HasSubstr("x.csv: holds numbers, not pictures; leave out the image size"));
  EXPECT_THAT(testing::message_of<InvalidArgument>([&] { load_points(file, {.color = true}); }),
              ::testing::HasSubstr("leave out the colours"));
}

}  // namespace
}  // namespace subspace::datasets
