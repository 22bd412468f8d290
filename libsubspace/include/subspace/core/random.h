// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include <subspace/core/export.h>

namespace subspace {

/// Counter-based generator Philox4x32-10 [Sal11]: stream (seed, stream, index) is a pure function
/// of these three numbers, so work item j draws the same values whichever thread runs it. Satisfies
/// UniformRandomBitGenerator; use it with Boost.Random's distributions, whose values, unlike those
/// of the std ones, do not depend on the platform. [Sal11] J. Salmon, M. Moraes, R. Dror, D. Shaw.
/// Parallel random numbers: as easy as 1, 2, 3. SC 2011.
class SUBSPACE_API RandomStream {
 public:
  using result_type = std::uint32_t;

  explicit RandomStream(std::uint64_t seed, std::uint32_t stream = 0, std::uint32_t index = 0);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  /// Uniform in [0, 1) with 53 random bits.
  double uniform();
  /// Uniform integer in [0, bound), bound >= 1, without bias.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal.
  double normal();

  /// The Philox4x32-10 block function, public so that it can be held against the published vectors.
  static std::array<std::uint32_t, 4> block(std::array<std::uint32_t, 4> counter,
                                            std::array<std::uint32_t, 2> key);

 private:
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> buffer_ = {};
  int used_ = 4;
};

/// Streams of the stages, so that two stages with one seed never share numbers.
enum class Stream : std::uint32_t {
  kGenerator = 1,
  kKMeans,
  kDiscretize,
  kEigensolver,
  kPca,
  kTest,
  kNetwork,
  kAugmentation,
  kBatches,
  kMap,
  kGumbel,
  kFolds,
  kFewLabels,
  kCosines,
  kExemplars,
  kKSubspaces,
  kLossyCoding
};

inline RandomStream stream(std::uint64_t seed, Stream stage, std::uint32_t index = 0) {
  return RandomStream(seed, static_cast<std::uint32_t>(stage), index);
}

}  // namespace subspace
