// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Every prefix and thousands of damaged copies of good files: each gives a clean IoError or a
// result, within a fixed memory.
#include <gtest/gtest.h>

#include <subspace/core/memory.h>
#include <subspace/core/random.h>
#include <subspace/datasets/load.h>

#include "datasets/files.h"
#include "datasets/fixtures.h"
#include "datasets/samples.h"

namespace subspace::datasets {
namespace {

struct Sample {
  std::string test_name;
  std::string file_name;
  std::string bytes;
  std::string load_as = file_name;  ///< the folder, for a single picture
};

/// What a failing case is called, instead of its bytes.
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.file_name; }

class HostileTest : public ::testing::TestWithParam<Sample> {
 protected:
  /// Whether all three entries end in a result or an IoError. 64 MB are allowed: a claim beyond it
  /// that got past the checks would surface as a ResourceError.
  void expect_clean(const std::string& bytes) {
    const Context context = {.num_threads = 1, .max_memory = 64 << 20};
    folder_.write(GetParam().file_name, bytes);
    const auto path = folder_.path(GetParam().load_as);
    const auto clean = [](const auto& action) {
      try {
        action();
        return true;
      } catch (const IoError& error) {
        EXPECT_GT(std::string(error.what()).size(), 10U);
        EXPECT_LT(std::string(error.what()).size(), 4000U);
        return false;
      }
    };
    clean([&] { list_variables(path); });
    const bool loaded = clean([&] {
      const PointSet set = load_points(path, {.allow_non_finite = true}, context);
      EXPECT_GT(set.X.size(), 0);
    });
    clean([&] { load_labels(path, {}, context); });
    num_loaded_ += loaded ? 1 : 0;
  }

  // Under AddressSanitizer the preset keeps its quarantine of freed memory small, or this would
  // measure the quarantine.
  void SetUp() override { memory_before_ = peak_memory(); }
  void TearDown() override { EXPECT_LT(peak_memory() - memory_before_, 256 << 20); }

  TempFolder folder_;
  std::int64_t memory_before_ = 0;
  int num_loaded_ = 0;
};

TEST_P(HostileTest, TheSampleItselfLoads) {
  expect_clean(GetParam().bytes);
  EXPECT_EQ(num_loaded_, 1);
}

TEST_P(HostileTest, EveryPrefixIsReadOrRefused) {
  const std::string& bytes = GetParam().bytes;
  for (std::size_t length = 0; length < bytes.size(); ++length)
    expect_clean(bytes.substr(0, length));
}

TEST_P(HostileTest, TenThousandBitFlipsAreReadOrRefused) {
  RandomStream random = stream(11, Stream::kTest);
  for (int i = 0; i < 10000; ++i) {
    std::string bytes = GetParam().bytes;
    const auto flips = 1 + random.below(3);
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      char& byte = bytes[random.below(bytes.size())];
      byte = static_cast<char>(byte ^ (1 << random.below(8)));
    }
    expect_clean(bytes);
  }
}

// Whole fields of extreme values reach what single bits rarely do.
TEST_P(HostileTest, OverwrittenWordsAreReadOrRefused) {
  RandomStream random = stream(12, Stream::kTest);
  const std::vector<std::string> words = {std::string(4, '\xff'),
                                          std::string(8, '\xff'),
                                          std::string(4, '\0'),
                                          std::string(8, '\0'),
                                          "\xff\xff\xff\x7f",
                                          std::string("\0\0\0\x80", 4),
                                          "99999999",
                                          "-1",
                                          "\n\n"};
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = GetParam().bytes;
    const std::string& word = words[random.below(words.size())];
    bytes.replace(random.below(bytes.size()), word.size(), word);
    expect_clean(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, HostileTest,
    ::testing::Values(
        Sample{"Npy", "a.npy", from_hex(fixtures::kNpyFloat64)},
        Sample{"NpyFortranCube", "a.npy", from_hex(fixtures::kNpyFortranCube)},
        Sample{"NpzStored", "a.npz", from_hex(fixtures::kNpzStored)},
        Sample{"NpzDeflated", "a.npz", from_hex(fixtures::kNpzDeflated)},
        Sample{"Npz64", "a.npz", zip64_npz()},
        Sample{"MatPlain", "a.mat", from_hex(fixtures::kMatPlain)},
        Sample{"MatCompressed", "a.mat", from_hex(fixtures::kMatCompressed)},
        Sample{"MatBigEndian", "a.mat", big_endian_mat()},
        Sample{"MatTrajectories", "a.mat", trajectories()}, Sample{"Idx", "a.idx", idx_sample()},
        Sample{"IdxGzip", "a.idx.gz", gzip_compressed(idx_sample())},
        Sample{"CifarGzip", "a.bin.gz", gzip_compressed(cifar_sample().substr(0, 3073))},
        Sample{"PngZip", "a.zip", png_zip()},
        Sample{"PngGrey", "a.png", from_hex(fixtures::kPngGrey), "."},
        Sample{"PngPalette", "a.png", from_hex(fixtures::kPngPalette), "."},
        Sample{"PngOpaque", "a.png", from_hex(fixtures::kPngOpaque), "."},
        Sample{"Csv", "a.csv", csv_sample()}, Sample{"Blanks", "a.txt", "  1 2e3 -4\n 5   6 7\n"}),
    [](const auto& instance) { return instance.param.test_name; });

}  // namespace
}  // namespace subspace::datasets
