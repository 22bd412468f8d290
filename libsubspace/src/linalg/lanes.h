// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/instruction_sets.h>
#include <subspace/core/types.h>

namespace subspace::linalg {

/// Rows handed to kernels without a tail are padded to a multiple of this many numbers.
constexpr Index kLanes = 8;
constexpr Index padded(Index n) { return (n + kLanes - 1) / kLanes * kLanes; }

/// Sums of kernels run in eight lanes, in two halves that are joined in one order whatever the
/// instruction set is. A vector of all eight would be kept in memory by GCC where no register is as
/// wide. Arithmetic on halves stands in the kernels themselves: GCC splits that of a function which
/// is inlined for the instruction set of its own, before it is cloned for others.
constexpr Index kHalf = kLanes / 2;
using Half [[gnu::vector_size(sizeof(double) * kHalf)]] = double;

/// Four numbers in memory, at any address. Packed, for clang forgets an alignment lowered in the
/// name of a vector type and would use loads that fault.
struct [[gnu::packed, gnu::may_alias]] HalfInMemory {
  Half half;
};

[[gnu::always_inline]] inline const HalfInMemory& at(const double* x) {
  return *reinterpret_cast<const HalfInMemory*>(x);
}
[[gnu::always_inline]] inline HalfInMemory& at(double* x) {
  return *reinterpret_cast<HalfInMemory*>(x);
}

/// The sum of a half.
[[gnu::always_inline]] inline double join(const Half& half) {
  return (half[0] + half[2]) + (half[1] + half[3]);
}

}  // namespace subspace::linalg
