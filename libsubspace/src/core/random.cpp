// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/random.h>

#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

namespace subspace {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53U;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;
constexpr int kRounds = 10;

constexpr std::uint32_t high(std::uint64_t product) {
  return static_cast<std::uint32_t>(product >> 32);
}
constexpr std::uint32_t low(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

}  // namespace

std::array<std::uint32_t, 4> RandomStream::block(std::array<std::uint32_t, 4> counter,
                                                 std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = static_cast<std::uint64_t>(kMultiplier0) * counter[0];
    const std::uint64_t product1 = static_cast<std::uint64_t>(kMultiplier1) * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1),
               high(product0) ^ counter[3] ^ key[1], low(product0)};
    key = {key[0] + kWeyl0, key[1] + kWeyl1};
  }
  return counter;
}

// Words 0 and 1 of the counter run; words 2 and 3 name the stream, so streams never overlap.
RandomStream::RandomStream(std::uint64_t seed, std::uint32_t stream, std::uint32_t index)
    : counter_{0, 0, stream, index}, key_{low(seed), high(seed)} {}

RandomStream::result_type RandomStream::operator()() {
  if (used_ == 4) {
    buffer_ = block(counter_, key_);
    if (++counter_[0] == 0) ++counter_[1];
    used_ = 0;
  }
  return buffer_[static_cast<std::size_t>(used_++)];
}

double RandomStream::uniform() {
  const std::uint64_t upper = (*this)() >> 5;
  const std::uint64_t lower = (*this)() >> 6;
  return (static_cast<double>(upper) * 67108864.0 + static_cast<double>(lower)) /
         9007199254740992.0;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  return boost::random::uniform_int_distribution<std::uint64_t>(0, bound - 1)(*this);
}

double RandomStream::normal() { return boost::random::normal_distribution<double>()(*this); }

}  // namespace subspace
