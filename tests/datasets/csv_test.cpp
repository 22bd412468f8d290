// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <cmath>

#include <subspace/core/random.h>
#include <subspace/datasets/load.h>

#include "datasets/files.h"

namespace subspace::datasets {
namespace {

class CsvTest : public ::testing::Test {
 protected:
  PointSet load(const std::string& text, const LoadOptions& options = {}) {
    return load_points(folder_.write("a.csv", text), options);
  }
  template <typename... Parts>
  void expect_refused(const std::string& text, const Parts&... parts) {
    const auto path = folder_.write("bad.csv", text);
    expect_io_error([&] { load_points(path); }, path.string(), parts...);
  }
  TempFolder folder_;
};

TEST_F(CsvTest, DelimitersLineEndsAndHeadersOfAllKinds) {
  const Matrix X = (Matrix(2, 3) << 1, -3, 5e-1, 2.5, 4, 6).finished();
  for (const std::string text :
       {"1,2.5\n-3,4\n.5,6\n", "1,2.5\n-3,4\n.5,6", "1,2.5\r\n-3,4\r\n.5,6\r\n\r\n",
        "1;2.5\n-3;4\n.5;6\n\n\n", "1\t2.5\n-3\t4\n.5\t6\n", "1 2.5\n-3 4\n.5 6\n",
        "  1   2.5\n -3   4  \n .5   6\n", " 1 , +2.5 \n-3,4\n5.0e-1,6\n",
        "a,b\n1,2.5\n-3,4\n.5,6\n", "\"a, 1\",\"b\"\"c\"\n1,2.5\n-3,4\n.5,6\n",
        "\xef\xbb\xbf"
        "1,2.5\n-3,4\n.5,6\n",
        "width,total height\r\n1,2.5\r\n-3,4\r\n.5,6\r\n",
        "first name;second, name\n1;2.5\n-3;4\n.5;6\n", "\"1\",\"2\"\n1,2.5\n-3,4\n.5,6\n"}) {
    EXPECT_EQ(load(text).X, X) << text;
  }
}

TEST_F(CsvTest, ColumnsMayBeSamples) {
  EXPECT_EQ(load("1,2,3\n4,5,6\n", {.columns_are_samples = true}).X,
            (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
}

TEST_F(CsvTest, OneColumnIsOneFeatureAndOneLineOneSample) {
  EXPECT_EQ(load("1\n2\n3\n").X, (Matrix(1, 3) << 1, 2, 3).finished());
  EXPECT_EQ(load("my feature\n1\n2\n3\n").X, (Matrix(1, 3) << 1, 2, 3).finished());
  const PointSet row = load("1,2,3");
  EXPECT_EQ(row.X, (Matrix(3, 1) << 1, 2, 3).finished());
  EXPECT_EQ(row.notes.size(), 1U);
}

TEST_F(CsvTest, MalformedTextIsRefusedWithItsLine) {
  expect_refused("1,2\n3,4,5\n", "line 2: found 3 fields, expected 2");
  expect_refused("a,b\n1,2\n3\n", "line 3: found 1 fields, expected 2");
  expect_refused("a,b,c\n1,2\n", "line 2: found 2 fields, expected 3");
  expect_refused("1,2\n\n3,4\n", "line 2: is blank");
  expect_refused("1,2\n3,\n", "line 2: column 2 is empty", "not filled in");
  expect_refused("1,2\n3,x4\n", "line 2: column 2: found 'x4', expected a number");
  expect_refused("1,2\n3,4 5\n", "found '4 5'");
  expect_refused("1,2\n3,1e999\n", "found '1e999'", "range of double");
  expect_refused("1,abc,3\n1,2,3\n", "line 1: found 2 numbers and 1 words");
  expect_refused("1;2,5\n3;4,5\n", "line 1: found 1 numbers and 1 words");
  expect_refused("# made by a program\n1,2\n", "line 1: found a comment");
  expect_refused("% made by a program\n1,2\n", "line 1: found a comment");
  expect_refused("1,2\n# no\n", "line 2: found a comment");
  expect_refused("\"a,b\n1,2\n", "line 1: a quote is not closed");
  expect_refused("a,b\n", "only a header");
  expect_refused("\n \r\n\t\n", "holds no numbers");
  expect_refused("", "the file is empty");
  expect_refused(std::string("\x93NUMPY\x01\0", 8), "only a header");
}

TEST_F(CsvTest, AWideFirstLineDoesNotReserveMemoryForAllLines) {
  std::string text(400000, ',');
  for (std::size_t i = 0; i < text.size(); i += 2) text[i] = '1';
  text.back() = '1';
  for (int i = 0; i < 100000; ++i) text += "\n1";
  expect_refused(text, "line 2: found 1 fields");
}

TEST_F(CsvTest, NonFiniteNumbersAreParsedAndRefusedWithTheirPlace) {
  expect_refused("1,2\n3,nan\n", "sample 1, feature 1 (counted from 0) is nan");
  expect_refused("1,2\n-inf,4\n", "sample 1, feature 0 (counted from 0) is -inf");
  const Matrix X = load("NaN,Inf\n-Infinity,1\n", {.allow_non_finite = true}).X;
  EXPECT_TRUE(std::isnan(X(0, 0)));
  EXPECT_EQ(X(1, 0), INFINITY);
  EXPECT_EQ(X(0, 1), -INFINITY);
}

TEST_F(CsvTest, ALabelColumnIsNoFeature) {
  const std::string text = "height,label,width\n1,7,2\n3,8,4\n";
  const PointSet set = load(text);
  EXPECT_EQ(set.X, (Matrix(2, 2) << 1, 3, 2, 4).finished());
  ASSERT_EQ(set.notes.size(), 1U);
  EXPECT_EQ(set.notes[0], "column 'label' holds labels and is not among the features");
  EXPECT_EQ(load_labels(folder_.path("a.csv")), (Labels{7, 8}));
  EXPECT_EQ(load_labels(folder_.path("a.csv"), {.y = "width"}), (Labels{2, 4}));
  EXPECT_EQ(load(text, {.y = "width"}).X, (Matrix(2, 2) << 1, 3, 7, 8).finished());
  expect_refused("label\n1\n2\n", "no column but the labels");
  expect_refused("label,a,class\n1,2,3\n", "several columns look like labels");
  expect_io_error([&] { load(text, {.y = "depth"}); }, "no column 'depth'");
}

TEST_F(CsvTest, CoordinatesNamedXAndYAreFeatures) {
  EXPECT_EQ(load("x,y\n1,2\n3,4\n").X.rows(), 2);
}

TEST_F(CsvTest, AnUnnamedFirstColumnIsNoted) {
  const PointSet set = load(",a,b\n0,1,2\n1,3,4\n");
  EXPECT_EQ(set.X.rows(), 3);
  EXPECT_THAT(set.notes, ::testing::ElementsAre(::testing::HasSubstr("column 1 has no name")));
}

TEST_F(CsvTest, ShortestRoundTripOfRandomDoublesOnAnyNumberOfThreads) {
  RandomStream random = stream(7, Stream::kTest);
  Matrix X(13, 20000);
  std::string text;
  char digits[40];
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) {
      X(i, j) = random.normal() * std::exp(20 * random.normal());
      text.append(digits,
                  static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%.17g", X(i, j))));
      text += i + 1 < X.rows() ? ',' : '\n';
    }
  }
  const auto path = folder_.write("r.csv", text);
  for (const int threads : {1, 2, 4})
    EXPECT_EQ(load_points(path, {}, {.num_threads = threads}).X, X);
}

TEST_F(CsvTest, TheFirstFaultIsReportedWhicheverThreadMeetsOne) {
  std::string text;
  for (int line = 1; line <= 300000; ++line)
    text += line == 70001 || line > 290000 ? "x1\n" : "1\n";
  text.insert(0, "1\n");
  const auto path = folder_.write("f.csv", text);
  for (const int threads : {1, 2, 4}) {
    expect_io_error([&] { load_points(path, {}, {.num_threads = threads}); },
                    "line 70002: column 1");
  }
}

}  // namespace
}  // namespace subspace::datasets
