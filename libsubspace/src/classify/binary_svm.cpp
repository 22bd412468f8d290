// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "classify/binary_svm.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

#include <subspace/core/error.h>

#include "labels/groups.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

/// The minimiser over t >= 0 of P(w + t p), whose derivative is continuous, increasing and linear
/// between the places where a slack s_j - t r_j changes its sign.
class ExactLineSearch {
 public:
  ExactLineSearch(double penalty, const Vector& slacks, const Vector& rates)
      : twice_penalty_(2.0 * penalty), slacks_(slacks), rates_(rates) {
    for (Index j = 0; j < slacks.size(); ++j) {
      const bool leaves = slacks[j] > 0.0 && rates[j] > 0.0;
      const bool enters = slacks[j] <= 0.0 && rates[j] < 0.0;
      if (leaves || enters) breaks_.push_back({slacks[j] / rates[j], j});
    }
    std::sort(breaks_.begin(), breaks_.end());
  }

  /// `weights_along` is w'p and `length` |p|^2: the share of the regulariser.
  double minimiser(double weights_along, double length) const {
    double offset = weights_along;
    double slope = length;
    for (Index j = 0; j < slacks_.size(); ++j) {
      if (slacks_[j] > 0.0) add(j, 1.0, offset, slope);
    }
    for (const auto& [place, j] : breaks_) {
      // The slope never falls below the regulariser's, whatever rounding says.
      slope = std::max(slope, length);
      if (-offset <= place * slope) break;
      add(j, slacks_[j] > 0.0 ? -1.0 : 1.0, offset, slope);
    }
    return std::max(0.0, -offset / std::max(slope, length));
  }

 private:
  void add(Index j, double sign, double& offset, double& slope) const {
    offset -= sign * twice_penalty_ * rates_[j] * slacks_[j];
    slope += sign * twice_penalty_ * rates_[j] * rates_[j];
  }

  double twice_penalty_;
  const Vector& slacks_;
  const Vector& rates_;
  std::vector<std::pair<double, Index>> breaks_;
};

class NewtonMethod {
 public:
  NewtonMethod(const BinarySvmProblem& problem, const Context& context)
      : problem_(problem), context_(context) {}

  BinarySvm run() {
    State state = at(Vector::Zero(problem_.points.rows()));
    BinarySvm result;
    for (; !done(state) && result.info.iterations < problem_.max_iterations;
         ++result.info.iterations) {
      context_.throw_if_cancelled();
      State next = step(state);
      if (!(next.objective < state.objective)) {
        // Rounding hides any further descent; the better gradient is the better answer.
        result.info.termination = Termination::kStalled;
        if (next.gap < state.gap) state = std::move(next);
        break;
      }
      state = std::move(next);
    }
    if (done(state)) {
      result.info.termination = Termination::kConverged;
    } else if (result.info.termination == Termination::kNotRun) {
      result.info.termination = Termination::kIterationLimit;
    }
    result.info.residual = state.gap / state.objective;
    result.weights = std::move(state.weights);
    return result;
  }

 private:
  struct State {
    Vector weights = {};
    Vector slacks = {};    ///< 1 - y_j w'z_j
    Vector gradient = {};  ///< w - sum_j alpha_j y_j z_j, alpha_j = 2 C max(0, s_j)
    double objective = 0.0;
    double gap = 0.0;
  };

  bool done(const State& state) const { return state.gap <= problem_.tolerance * state.objective; }

  /// Z'v, with the signs of the points.
  Vector signed_products(const Vector& v) const {
    Vector products(problem_.points.cols());
    linalg::gemv(true, problem_.points.rows(), problem_.points.cols(), 1.0, problem_.points.data(),
                 problem_.points.rows(), v.data(), 0.0, products.data());
    return products.cwiseProduct(problem_.signs);
  }

  State at(Vector weights) const {
    State state;
    state.weights = std::move(weights);
    state.slacks = 1.0 - signed_products(state.weights).array();
    const Vector losses = state.slacks.cwiseMax(0.0);
    const Vector duals = 2.0 * problem_.penalty * losses.cwiseProduct(problem_.signs);
    state.gradient = state.weights;
    linalg::gemv(false, problem_.points.rows(), problem_.points.cols(), -1.0,
                 problem_.points.data(), problem_.points.rows(), duals.data(), 1.0,
                 state.gradient.data());
    state.objective = 0.5 * state.weights.squaredNorm() + problem_.penalty * losses.squaredNorm();
    state.gap = 0.5 * state.gradient.squaredNorm();
    if (!std::isfinite(state.objective) || !std::isfinite(state.gap)) overflow();
    return state;
  }

  State step(const State& state) const {
    Matrix H = hessian(state.slacks);
    const Eigen::LLT<Eigen::Ref<Matrix>> factor(H);
    if (factor.info() != Eigen::Success) overflow();
    const Vector direction = -factor.solve(state.gradient);
    const Vector rates = signed_products(direction);
    const ExactLineSearch search(problem_.penalty, state.slacks, rates);
    const double length = search.minimiser(state.weights.dot(direction), direction.squaredNorm());
    return at(state.weights + length * direction);
  }

  /// I + 2 C sum z_j z_j' over the points within the margin or beyond.
  Matrix hessian(const Vector& slacks) const {
    Matrix H = Matrix::Identity(problem_.points.rows(), problem_.points.rows());
    std::vector<Index> support;
    const Index n = slacks.size();
    for (Index j = 0; j < n; ++j) {
      if (slacks[j] > 0.0) support.push_back(j);
      const bool full = static_cast<Index>(support.size()) == kSupportBlock;
      if (support.empty() || !(full || j + 1 == n)) continue;
      H += 2.0 * problem_.penalty * linalg::moment(gather(problem_.points, support), context_);
      support.clear();
    }
    return H;
  }

  [[noreturn]] static void overflow() {
    throw NumericalError(
        "fit_linear_svm: the squares of the points times the penalty overflow; scale the points");
  }

  const BinarySvmProblem& problem_;
  const Context& context_;
};

}  // namespace

BinarySvm solve_binary_svm(const BinarySvmProblem& problem, const Context& context) {
  return NewtonMethod(problem, context).run();
}

}  // namespace subspace
