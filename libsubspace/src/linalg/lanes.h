// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/types.h>

// A function marked so is compiled for several instruction sets and chosen at load time. Resolvers
// of cloned functions run before a sanitizer's runtime is ready.
#if defined(__x86_64__) && !defined(SUBSPACE_SANITIZED)
#define SUBSPACE_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SUBSPACE_CLONES
#endif

namespace subspace::linalg {

/// Rows handed to kernels without a tail are padded to a multiple of this many numbers.
constexpr Index kLanes = 8;
constexpr Index padded(Index n) { return (n + kLanes - 1) / kLanes * kLanes; }

/// Eight numbers the compiler keeps in the widest registers of the instruction set. Sums of kernels
/// run in these lanes and are joined in one order, whatever that set is.
using Lanes [[gnu::vector_size(sizeof(double) * kLanes)]] = double;

/// Eight numbers in memory, at any address. Packed, for clang forgets an alignment lowered in the
/// name of a vector type and would use loads that fault.
struct [[gnu::packed, gnu::may_alias]] LanesInMemory {
  Lanes lanes;
};

[[gnu::always_inline]] inline const LanesInMemory& at(const double* x) {
  return *reinterpret_cast<const LanesInMemory*>(x);
}
[[gnu::always_inline]] inline LanesInMemory& at(double* x) {
  return *reinterpret_cast<LanesInMemory*>(x);
}

[[gnu::always_inline]] inline double join(const Lanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace subspace::linalg
