// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "support/osqp_judge.h"

#include <osqp.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace subspace::testing {
namespace {

/// Compressed columns in OSQP's index type; only the upper triangle when `upper`.
struct Csc {
  std::vector<c_int> starts = {0};
  std::vector<c_int> rows = {};
  std::vector<c_float> values = {};

  Csc(const Matrix& dense, bool upper) {
    for (Index j = 0; j < dense.cols(); ++j) {
      for (Index i = 0; i < (upper ? j + 1 : dense.rows()); ++i) {
        if (dense(i, j) == 0.0) continue;
        rows.push_back(i);
        values.push_back(dense(i, j));
      }
      starts.push_back(static_cast<c_int>(rows.size()));
    }
  }
  csc* view(Index num_rows) {
    view_ = {.nzmax = static_cast<c_int>(rows.size()),
             .m = num_rows,
             .n = static_cast<c_int>(starts.size()) - 1,
             .p = starts.data(),
             .i = rows.data(),
             .x = values.data(),
             .nz = -1};
    return &view_;
  }

 private:
  csc view_ = {};
};

struct Cleanup {
  void operator()(OSQPWorkspace* work) const { osqp_cleanup(work); }
};

/// min 1/2 x'Px + q'x  subject to  lower <= A x <= upper.
Vector solve_quadratic_program(const Matrix& P, Vector q, const Matrix& A, Vector lower,
                               Vector upper) {
  Csc objective(P, true);
  Csc restrictions(A, false);
  OSQPData data = {};
  data.n = P.cols();
  data.m = A.rows();
  data.P = objective.view(P.rows());
  data.A = restrictions.view(A.rows());
  data.q = q.data();
  data.l = lower.data();
  data.u = upper.data();

  OSQPSettings settings = {};
  osqp_set_default_settings(&settings);
  settings.eps_abs = 1e-7;  // the polishing step then takes it to rounding
  settings.eps_rel = 1e-7;
  settings.max_iter = 1000000;
  settings.adaptive_rho_interval = 4000;  // not by the clock: the same steps on every machine
  settings.polish = 1;
  settings.verbose = 0;
  OSQPWorkspace* raw = nullptr;
  if (osqp_setup(&raw, &data, &settings) != 0)
    throw std::runtime_error("osqp_setup refused the problem");
  const std::unique_ptr<OSQPWorkspace, Cleanup> work(raw);
  osqp_solve(work.get());
  if (work->info->status_val != OSQP_SOLVED) throw std::runtime_error(work->info->status);
  return Eigen::Map<const Vector>(work->solution->x, P.cols());
}

}  // namespace

Vector osqp_elastic_net(const Matrix& X, Index j, double tau, double weight) {
  const Index n = X.cols();
  const Index dimension = X.rows();
  const Index variables = 2 * n + dimension;
  const Matrix ridge = (1 - tau) * Matrix::Identity(n, n);
  Matrix P = Matrix::Zero(variables, variables);
  P.topLeftCorner(2 * n, 2 * n) << ridge, -ridge, -ridge, ridge;
  P.bottomRightCorner(dimension, dimension).diagonal().setConstant(weight);
  Vector q = Vector::Zero(variables);
  q.head(2 * n).setConstant(tau);

  // Bounds on u and v, then X (u - v) + e = x_j.
  const Index constraints = 2 * n + dimension;
  Matrix A = Matrix::Zero(constraints, variables);
  A.topLeftCorner(2 * n, 2 * n).setIdentity();
  A.bottomRows(dimension) << X, -X, Matrix::Identity(dimension, dimension);
  Vector lower = Vector::Zero(constraints);
  Vector upper = Vector::Constant(constraints, OSQP_INFTY);
  upper(j) = 0.0;
  upper(n + j) = 0.0;
  lower.tail(dimension) = X.col(j);
  upper.tail(dimension) = X.col(j);

  const Vector solution = solve_quadratic_program(P, q, A, lower, upper);
  return solution.head(n) - solution.segment(n, n);
}

Vector osqp_svm(const Matrix& Z, const Vector& signs, double penalty) {
  const Index dimension = Z.rows();
  const Index n = Z.cols();
  Matrix P = Matrix::Identity(dimension + n, dimension + n);
  P.bottomRightCorner(n, n).diagonal().setConstant(2.0 * penalty);
  Matrix A(n, dimension + n);
  A << signs.asDiagonal() * Z.transpose(), Matrix::Identity(n, n);
  return solve_quadratic_program(P, Vector::Zero(dimension + n), A, Vector::Ones(n),
                                 Vector::Constant(n, OSQP_INFTY))
      .head(dimension);
}

}  // namespace subspace::testing
