// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/lrr_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <subspace/core/parallel.h>

#include "linalg/linalg.h"

namespace subspace {
namespace {

constexpr Index kTile = 64;
const char* const kPhase = "self-expression";

// The schedule of the code released with [Liu13].
// [Liu13] G. Liu, Z. Lin, S. Yan, J. Sun, Y. Yu, Y. Ma. Robust recovery of subspace structures by
//         low-rank representation. TPAMI 35(1), 2013.
constexpr double kFirstPenalty = 1e-6;
constexpr double kGrowth = 1.1;
constexpr double kLastPenalty = 1e10;

// Ours. Over-relaxation as usual for two blocks; penalties change only in the first rounds, after
// which the method converges from wherever it is.
constexpr double kRelaxation = 1.6;
constexpr int kRebalanceEvery = 10;
constexpr int kLastRebalance = 400;
constexpr double kImbalance = 1.5;
constexpr double kWidest = 1e3;  // penalties stay within this factor of their first value
constexpr double kShortest =
    1e-3;  // columns shorter than this share of the mean are not told apart
constexpr int kCheckEvery = 5;

/// The published schedule asks for constraints to 1e-8. An error of the balanced one is not added
/// up but undone by later rounds, and the gap is that of the J at hand.
double threshold_accuracy(const LrrOptions& options) {
  return options.schedule == LrrSchedule::kPublished
             ? 1e-11
             : std::clamp(1e-3 * options.tolerance, 1e-12, 1e-8);
}

/// A penalty holds back its step where it is large and its constraint where it is small: the factor
/// that brings the two, given squared, together.
double correction(double residual, double step) {
  if (residual <= 0.0 || step <= 0.0) return 1.0;
  const double ratio = std::sqrt(residual / step);
  if (ratio <= kImbalance && ratio >= 1.0 / kImbalance) return 1.0;
  return std::clamp(std::sqrt(ratio), 0.2, 5.0);
}

}  // namespace

LrrIteration::LrrIteration(const Vector& singular_values, const Matrix& V, double lambda,
                           const LrrOptions& options, const Context& context)
    : options_(options),
      context_(context),
      lambda_(lambda),
      s_(singular_values.array()),
      threshold_(threshold_accuracy(options)) {
  data_ = singular_values.asDiagonal() * V.transpose();
  J_ = Matrix::Zero(data_.rows(), data_.cols());
  E_ = J_;
  Y1_ = J_;
  T_ = J_;
  weights_ = Vector::Ones(data_.cols());
  if (options.schedule == LrrSchedule::kPublished) {
    Y2_ = J_;
    penalties_ = {kFirstPenalty, kFirstPenalty, kFirstPenalty, kGrowth * kFirstPenalty};
  } else {
    // Thresholds in the middle of what they cut: singular values of C are at most 1, errors usually
    // a tenth of their points.
    const Vector lengths = data_.colwise().norm();
    const double length = lengths.mean();
    weights_ = length * lengths.cwiseMax(kShortest * length).cwiseInverse();
    penalties_ = {lambda / (0.1 * length), 1.0, 1.0, 1.0};
    first_data_penalty_ = penalties_.data;
    Z_ = J_;
  }
}

/// One sweep over the columns [begin, end): every step but the thresholding acts on single ones.
LrrIteration::Residuals LrrIteration::pass_columns(const Penalties& p, Index begin, Index end) {
  const bool published = options_.schedule == LrrSchedule::kPublished;
  const double relax = published ? 1.0 : kRelaxation;
  Eigen::ArrayXd y2, z, fit, error;
  Residuals sums;
  for (Index k = begin; k < end; ++k) {
    auto x = data_.col(k).array();
    auto J = J_.col(k).array();
    auto E = E_.col(k).array();
    auto y1 = Y1_.col(k).array();
    auto T = T_.col(k).array();
    if (published) {
      y2 = Y2_.col(k).array();
    } else {
      y2 = p.last_copy * (T - J);
    }
    const double rho = p.data * weights_(k);
    z = (s_ * (rho * (x - E) + y1) + p.copy * J - y2) / (rho * s_.square() + p.copy);
    fit = x - s_ * z;
    error = relax * fit + (1.0 - relax) * E + y1 / rho;
    const double length = error.matrix().norm();
    const double kept = length > 0.0 ? std::max(0.0, 1.0 - lambda_ / (rho * length)) : 0.0;
    y1 = rho * (1.0 - kept) * error;
    error *= kept;
    sums.data += (fit - error).matrix().squaredNorm();
    sums.data_step += (error - E).matrix().squaredNorm();
    E = error;
    if (published) {
      sums.largest_column =
          std::max({sums.largest_column, (fit - error).matrix().norm(), (z - J).matrix().norm()});
      y2 += p.copy * (z - J);
      Y2_.col(k) = y2;
    } else {
      Z_.col(k) = z;
    }
    T = relax * z + (1.0 - relax) * J + y2 / p.next_copy;
  }
  return sums;
}

LrrIteration::Residuals LrrIteration::pass(const Penalties& penalties) {
  std::vector<Residuals> parts(static_cast<std::size_t>((data_.cols() + kTile - 1) / kTile));
  for_tiles(context_, data_.cols(), kTile, [&](const Tile& tile) {
    parts[static_cast<std::size_t>(tile.index)] = pass_columns(penalties, tile.begin, tile.end);
  });
  Residuals all;
  for (const Residuals& part : parts) {
    all.data += part.data;
    all.data_step += part.data_step;
    all.largest_column = std::max(all.largest_column, part.largest_column);
  }
  return all;
}

void LrrIteration::rebalance(const Residuals& residuals) {
  penalties_.data = std::clamp(penalties_.data * correction(residuals.data, residuals.data_step),
                               first_data_penalty_ / kWidest, first_data_penalty_ * kWidest);
  penalties_.copy = std::clamp(penalties_.copy * correction(residuals.copy, residuals.copy_step),
                               1.0 / kWidest, kWidest);
  penalties_.next_copy = penalties_.copy;
}

/// J with the E it implies is feasible, and so is Y1 over its largest singular value in
///     max <Y, X>,  |X'Y|_2 <= 1,  |y_j| <= lambda   (the last holds by the shrinking of columns).
bool LrrIteration::gap_is_closed() {
  const double primal = threshold_.nuclear_norm() +
                        lambda_ * (data_ - s_.matrix().asDiagonal() * J_).colwise().norm().sum();
  const double margin = 1.0 + 0.25 * options_.tolerance;
  const double dual = Y1_.cwiseProduct(data_).sum() / margin;
  return primal - dual <= 0.9 * options_.tolerance * primal &&
         spectral_norm_below(s_.matrix().asDiagonal() * Y1_, margin, context_);
}

bool LrrIteration::run_balanced_round(int iteration) {
  Residuals residuals = pass(penalties_);
  Matrix J = threshold_.apply(T_, 1.0 / penalties_.copy, context_);
  J_.swap(J);
  penalties_.last_copy = penalties_.copy;
  if (iteration % kCheckEvery == 0 && gap_is_closed()) return true;
  if (iteration % kRebalanceEvery == 0 && iteration <= kLastRebalance) {
    residuals.copy = (Z_ - J_).squaredNorm();
    residuals.copy_step = (J_ - J).squaredNorm();
    rebalance(residuals);
  }
  return false;
}

bool LrrIteration::run_published_round() {
  J_ = threshold_.apply(T_, 1.0 / penalties_.copy, context_);
  const Residuals residuals = pass(penalties_);
  const double next = penalties_.next_copy;
  penalties_ = {next, next, next, std::min(kGrowth * next, kLastPenalty)};
  constraint_error_ = residuals.largest_column;
  return constraint_error_ <= kLrrConstraintTolerance;
}

SolveInfo LrrIteration::run() {
  SolveInfo info{.termination = Termination::kIterationLimit};
  while (info.iterations < options_.max_iterations) {
    ++info.iterations;
    const bool done = options_.schedule == LrrSchedule::kPublished
                          ? run_published_round()
                          : run_balanced_round(info.iterations);
    context_.report(kPhase, info.iterations, options_.max_iterations);
    if (done) {
      info.termination = Termination::kConverged;
      break;
    }
  }
  info.stopping_error = constraint_error_;
  return info;
}

}  // namespace subspace
