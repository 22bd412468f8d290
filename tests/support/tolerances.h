// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

namespace subspace::testing {

/// Tolerances by meaning. Widening one needs a sentence of reason.

/// Two orders of summation of a few hundred terms of size one.
inline constexpr double kRounding = 1e-12;
/// A distance or norm by another formula, relative to its size.
inline constexpr double kSameFormula = 1e-13;
/// Metrics against published definitions evaluated in another way.
inline constexpr double kMetric = 1e-12;
/// Optimality conditions of a solver that stops at 1e-6.
inline constexpr double kOptimality = 1e-6;
/// Eigenpairs of a solver that stops at 1e-8.
inline constexpr double kEigenpair = 1e-8;

}  // namespace subspace::testing
