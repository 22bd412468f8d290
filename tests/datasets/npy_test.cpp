// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <subspace/datasets/load.h>
#include <subspace/datasets/sha256.h>

#include "datasets/files.h"
#include "datasets/fixtures.h"

namespace subspace::datasets {
namespace {

/// A of make_fixtures.py: points are columns here.
Matrix fixture_points() {
  Matrix X(3, 4);
  for (Index i = 0; i < 12; ++i) X.data()[i] = static_cast<double>(i) / 4 - 1;
  return X;
}

class NpyTest : public ::testing::Test {
 protected:
  Matrix load(std::string_view hex, bool columns_are_samples = false) {
    return load_points(folder_.write_hex("a.npy", hex),
                       {.columns_are_samples = columns_are_samples})
        .X;
  }
  template <typename... Parts>
  void expect_refused(const std::string& file, const Parts&... parts) {
    const auto path = folder_.write("bad.npy", file);
    expect_io_error([&] { load_points(path); }, path.string(), parts...);
  }
  TempFolder folder_;
};

TEST_F(NpyTest, SamplesAreRowsOfTheFileAndColumnsOfX) {
  EXPECT_EQ(load(fixtures::kNpyFloat64), fixture_points());
  EXPECT_EQ(load(fixtures::kNpyFortran), fixture_points());
  EXPECT_EQ(load(fixtures::kNpyBigEndian), fixture_points());
  EXPECT_EQ(load(fixtures::kNpyHalf), fixture_points());
}

TEST_F(NpyTest, ColumnsMayBeSamples) {
  EXPECT_EQ(load(fixtures::kNpyFloat64, true), fixture_points().transpose());
  EXPECT_EQ(load(fixtures::kNpyFortran, true), fixture_points().transpose());
}

TEST_F(NpyTest, TrailingAxesAreFlattenedInNumpyOrder) {
  Matrix X(12, 2);  // reshape(2, 12) of 0 .. 23
  for (Index i = 0; i < 24; ++i) X.data()[i] = static_cast<double>(i);
  EXPECT_EQ(load(fixtures::kNpyCube), X);
  EXPECT_EQ(load(fixtures::kNpyFortranCube), X);

  Matrix by_last_axis(6, 4);  // reshape(6, 4) of 0 .. 23, a column a sample
  for (Index f = 0; f < 6; ++f) {
    for (Index n = 0; n < 4; ++n) by_last_axis(f, n) = static_cast<double>(4 * f + n);
  }
  EXPECT_EQ(load(fixtures::kNpyCube, true), by_last_axis);
  EXPECT_EQ(load(fixtures::kNpyFortranCube, true), by_last_axis);
}

TEST_F(NpyTest, BooleansBecomeZeroAndOne) {
  EXPECT_EQ(load(fixtures::kNpyBool), (fixture_points().array() > 0).cast<double>().matrix());
}

TEST_F(NpyTest, OneAxisIsSamplesOfOneFeature) {
  const Matrix X = load(fixtures::kNpyLabels);
  EXPECT_EQ(X, (Matrix(1, 4) << 3, -1, 7, 7).finished());
  EXPECT_EQ(load(fixtures::kNpyLabels, true), X);
}

TEST_F(NpyTest, OneRowIsOneSampleAndSaysSo) {
  const auto path =
      folder_.write("row.npy", npy_file("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3)}",
                                        raw(std::vector<std::int16_t>{5, -6, 7})));
  const PointSet row = load_points(path);
  EXPECT_EQ(row.X, (Matrix(3, 1) << 5, -6, 7).finished());
  ASSERT_EQ(row.notes.size(), 1U);
  EXPECT_EQ(
      row.notes[0],
      "the file was read as one sample of 3 features; columns_are_samples reads it the other way");
  EXPECT_EQ(load_points(path, {.columns_are_samples = true}).X,
            (Matrix(1, 3) << 5, -6, 7).finished());
}

template <typename T>
void expect_type_round_trips(const TempFolder& folder, const std::string& code,
                             const std::vector<T>& values) {
  for (const bool big : {false, true}) {
    const std::string header = std::string("{'descr': '") + (big ? '>' : '<') + code +
                               "', 'fortran_order': False, 'shape': (" +
                               std::to_string(values.size()) + ",)}";
    const auto path = folder.write("t.npy", npy_file(header, raw(values, big)));
    const Matrix X = load_points(path).X;
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(X(0, static_cast<Index>(i)), static_cast<double>(values[i])) << code << " " << i;
    }
  }
}

template <typename T>
std::vector<T> extremes() {
  return {std::numeric_limits<T>::lowest(), T{0}, T{1}, T{100}, std::numeric_limits<T>::max()};
}

TEST_F(NpyTest, EveryTypeInBothByteOrders) {
  expect_type_round_trips(folder_, "u1", extremes<std::uint8_t>());
  expect_type_round_trips(folder_, "u2", extremes<std::uint16_t>());
  expect_type_round_trips(folder_, "u4", extremes<std::uint32_t>());
  expect_type_round_trips(folder_, "u8", extremes<std::uint64_t>());
  expect_type_round_trips(folder_, "i1", extremes<std::int8_t>());
  expect_type_round_trips(folder_, "i2", extremes<std::int16_t>());
  expect_type_round_trips(folder_, "i4", extremes<std::int32_t>());
  expect_type_round_trips(folder_, "i8", extremes<std::int64_t>());
  expect_type_round_trips(folder_, "f4", extremes<float>());
  expect_type_round_trips(folder_, "f8", extremes<double>());
}

// All 65536 halves: each finite one is a multiple of 2^-24, so it is exact in float and in double;
// the expected value is put together from the bits as integers.
TEST_F(NpyTest, EveryHalfIsExact) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  const auto path = folder_.write(
      "h.npy", npy_file("{'descr': '<f2', 'fortran_order': False, 'shape': (65536,)}", raw(all)));
  const Matrix X = load_points(path, {.allow_non_finite = true}).X;
  for (Index i = 0; i < 65536; ++i) {
    const int exponent = static_cast<int>(i >> 10) & 31;
    const std::int64_t fraction = i & 1023;
    const double sign = i >= 32768 ? -1.0 : 1.0;
    if (exponent == 31) {
      EXPECT_TRUE(fraction == 0 ? X(0, i) == sign * INFINITY : std::isnan(X(0, i))) << i;
    } else {
      const std::int64_t units = exponent == 0 ? fraction : (1024 + fraction) << (exponent - 1);
      EXPECT_EQ(X(0, i), sign * static_cast<double>(units) / (1 << 24)) << i;
    }
  }
}

TEST_F(NpyTest, LargeArraysCrossPieceBordersInBothOrders) {
  const Index samples = 3001, features = 701;  // more than one piece, no multiple of a tile
  std::vector<std::int16_t> values(static_cast<std::size_t>(samples * features));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int16_t>(i * 7919 % 65521);
  for (const bool fortran : {false, true}) {
    const std::string header = std::string("{'descr': '<i2', 'fortran_order': ") +
                               (fortran ? "True" : "False") + ", 'shape': (3001, 701)}";
    const Matrix X = load_points(folder_.write("big.npy", npy_file(header, raw(values)))).X;
    ASSERT_EQ(X.rows(), features);
    ASSERT_EQ(X.cols(), samples);
    for (Index n = 0; n < samples; ++n) {
      for (Index f = 0; f < features; ++f) {
        const Index at = fortran ? n + samples * f : f + features * n;
        ASSERT_EQ(X(f, n), values[static_cast<std::size_t>(at)]) << f << " " << n << " " << fortran;
      }
    }
  }
}

TEST_F(NpyTest, OneFeatureLongerThanAPieceKeepsItsOrder) {
  const Index samples = 1500000;
  std::vector<std::int32_t> values(static_cast<std::size_t>(2 * samples));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  const auto path = folder_.write(
      "long.npy",
      npy_file("{'descr': '<i4', 'fortran_order': True, 'shape': (1500000, 2)}", raw(values)));
  const Matrix X = load_points(path).X;
  for (Index n = 0; n < samples; ++n) {
    ASSERT_EQ(X(0, n), static_cast<double>(n));
    ASSERT_EQ(X(1, n), static_cast<double>(n + samples));
  }
}

TEST_F(NpyTest, HeadersOfAllVersionsAndSpellings) {
  const std::string payload = raw(std::vector<float>{1, 2, 3, 4});
  for (const int version : {1, 2, 3}) {
    for (const std::string header :
         {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }          \n",
          "{'shape':(2,2,),\"fortran_order\":False,'descr':'<f4'}",
          "  { 'fortran_order' : False , 'shape' : ( 2L , 2L ) , 'descr' : '=f4' , } \n"}) {
      const auto path = folder_.write("v.npy", npy_file(header, payload, version));
      EXPECT_EQ(load_points(path).X, (Matrix(2, 2) << 1, 3, 2, 4).finished()) << header;
    }
  }
}

TEST_F(NpyTest, MalformedHeadersAreRefusedWithWhatWasExpected) {
  const std::string payload = raw(std::vector<double>{1, 2, 3, 4});
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "expected '{'"},
      {"{}", "keys descr, fortran_order and shape"},
      {"{'descr': '<f8', 'fortran_order': False}", "keys descr, fortran_order and shape"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), 'shape': (4,)}", "once"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), 'extra': 1}", "once"},
      {"{'descr': '<f8', 'fortran_order': 0, 'shape': (4,)}", "True or False"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4)}", "no tuple"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (-4,)}", "a length from 0"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808,)}",
       "a length from 0"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4.0,)}", "expected ')'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4,)} x", "the end of the header"},
      {"{'descr': '<f8", "closing quote"},
      {"{'descr': [('a', '<f8'", "closing bracket"},
      {"{'descr': __import__('os'), 'fortran_order': False, 'shape': (4,)}", "a quoted string"}};
  for (const auto& [header, expected] : cases)
    expect_refused(npy_file(header, payload), ".npy header", expected);
}

TEST_F(NpyTest, LyingSizesAreRefusedBeforeAllocation) {
  const auto lie = [](const std::string& shape) {
    return npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}",
                    std::string(32, '\0'));
  };
  expect_refused(lie("(5,)"), "found 32 bytes of numbers, expected 40", "shape (5,)");
  expect_refused(lie("(3,)"), "found 32 bytes of numbers, expected 24");
  expect_refused(lie("(4294967296, 4294967296)"), "more than 2^63");
  expect_refused(lie("(4611686018427387905, 4)"), "more than 2^63");
  expect_refused(lie("(2305843009213693953,)"), "more than 2^63");
  expect_refused(lie("(1000000000000,)"), "expected 8000000000000");
  expect_refused(lie("()"), "expected 8");
}

TEST_F(NpyTest, EmptyAndScalarArraysAreRefused) {
  expect_refused(
      npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4611686018427387904, 9)}",
               ""),
      "has no elements");
  expect_refused(from_hex(fixtures::kNpyScalar), "single number");
}

TEST_F(NpyTest, HeaderLongerThanTheFileIsRefused) {
  std::string file = npy_file("{", "");
  file[8] = '\xff', file[9] = '\xff';
  expect_refused(file, "byte 10", "found 1 bytes, expected 65535");
  expect_refused("\x93NUMPY\x02" + std::string(1, '\0') + "\xff\xff\xff\xff",
                 "header of 4294967295 bytes");
  expect_refused("\x93NUMPY\x07" + std::string(9, '\0'), "version 7", "expected 1, 2 or 3");
  expect_refused("PK\x03\x04 something else", "expected \\x93NUMPY");
  expect_refused("", "the file is empty");
}

TEST_F(NpyTest, OtherTypesAreRefusedByName) {
  expect_refused(from_hex(fixtures::kNpyObject), "object (pickled, never read)");
  expect_refused(from_hex(fixtures::kNpyRecords), "records with named fields");
  expect_refused(from_hex(fixtures::kNpyComplex), "complex");
  for (const std::string descr :
       {"<f1", "<u3", "|f8", "<f9", "<M8[ns]", "<f16", "<f", ">b2", "?"}) {
    expect_refused(npy_file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,)}",
                            std::string(8, '\0')),
                   "expected real numbers");
  }
}

TEST_F(NpyTest, NonFiniteNumbersAreRefusedWithTheirPlace) {
  for (const double bad : std::vector<double>{std::nan(""), INFINITY, -INFINITY}) {
    for (const std::size_t at : {0U, 7U, 29999U}) {
      std::vector<double> values(30000, 1e308);
      values[at] = bad;
      const std::string file =
          npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (10000, 3)}", raw(values));
      expect_refused(
          file, message("sample ", at / 3, ", feature ", at % 3, " (counted from 0) is ", bad));
      const Matrix X = load_points(folder_.path("bad.npy"), {.allow_non_finite = true}).X;
      EXPECT_FALSE(std::isfinite(X.data()[at]));
    }
  }
}

TEST_F(NpyTest, TooMuchForTheAllowedMemoryIsAResourceError) {
  const auto path = folder_.write_hex("a.npy", fixtures::kNpyFloat64);
  EXPECT_THROW(load_points(path, {}, {.max_memory = 95}), ResourceError);
  EXPECT_EQ(load_points(path, {}, {.max_memory = 96}).X, fixture_points());
}

TEST_F(NpyTest, TheSetKnowsItsNameAndTheDigestOfTheFile) {
  const PointSet set = load_points(folder_.write_hex("my.points.npy", fixtures::kNpyFloat64));
  EXPECT_EQ(set.name, "my.points");
  const std::string bytes = from_hex(fixtures::kNpyFloat64);
  EXPECT_EQ(set.sha256, sha256(std::as_bytes(std::span(bytes))));
  EXPECT_TRUE(set.variable.empty());
  EXPECT_TRUE(set.notes.empty());
}

}  // namespace
}  // namespace subspace::datasets
