// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/osqp_column.h"

#include <osqp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <subspace/core/error.h>

namespace subspace {
namespace {

// Steps between two looks at the step size at the beginning, and of one run.
constexpr c_int kAdaptInterval = 100;
constexpr c_int kAdaptationsPerRun = 5;
constexpr c_int kLongestRun = 10000;
// What polishing leaves of a coefficient that should be zero, relative to the largest.
constexpr double kZero = 1e-7;

/// Compressed columns in OSQP's index type, filled column by column.
struct Columns {
  std::vector<c_int> starts = {0};
  std::vector<c_int> rows = {};
  std::vector<c_float> values = {};
  csc matrix = {};

  void reserve(Index entries) {
    rows.reserve(static_cast<std::size_t>(entries));
    values.reserve(static_cast<std::size_t>(entries));
  }
  void add(Index row, double value) {
    if (value == 0.0) return;
    rows.push_back(static_cast<c_int>(row));
    values.push_back(value);
  }
  void end_column() { starts.push_back(static_cast<c_int>(rows.size())); }
  csc* view(Index num_rows) {
    matrix.nzmax = static_cast<c_int>(rows.size());
    matrix.m = static_cast<c_int>(num_rows);
    matrix.n = static_cast<c_int>(starts.size()) - 1;
    matrix.p = starts.data();
    matrix.i = rows.data();
    matrix.x = values.data();
    matrix.nz = -1;
    return &matrix;
  }
};

/// The quadratic program in (c, t): rows c - t <= 0, c + t >= 0, then the bounds, then the sum.
struct Program {
  Columns P = {};
  Columns A = {};
  std::vector<c_float> q = {};
  std::vector<c_float> lower = {};
  std::vector<c_float> upper = {};
  OSQPData data = {};
};

void add_constraint(Program& program, double lower, double upper) {
  program.lower.push_back(std::max<c_float>(lower, -OSQP_INFTY));
  program.upper.push_back(std::min<c_float>(upper, OSQP_INFTY));
}

void set_objective(Program& program, const LassoColumn& problem) {
  const Index n = problem.H.cols();
  program.P.reserve(n * (n + 1) / 2);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i <= j; ++i) program.P.add(i, problem.H(i, j));  // the upper triangle
    program.P.end_column();
    program.q.push_back(problem.linear.size() > 0 ? -problem.linear[j] : 0.0);
  }
  for (Index j = 0; j < n; ++j) {
    program.P.end_column();
    program.q.push_back(problem.penalty[j]);
  }
}

void set_constraints(Program& program, const LassoColumn& problem) {
  const Index n = problem.H.cols();
  const bool bounded = problem.lower.size() > 0 || problem.upper.size() > 0;
  const Index summed = problem.summed < 0 ? n : problem.summed;
  for (Index j = 0; j < n; ++j) {
    program.A.add(j, 1.0);
    program.A.add(n + j, 1.0);
    if (bounded) program.A.add(2 * n + j, 1.0);
    if (problem.sum && j < summed) program.A.add((bounded ? 3 : 2) * n, 1.0);
    program.A.end_column();
  }
  for (Index j = 0; j < n; ++j) {
    program.A.add(j, -1.0);
    program.A.add(n + j, 1.0);
    program.A.end_column();
  }
  for (Index j = 0; j < n; ++j) add_constraint(program, -OSQP_INFTY, 0.0);
  for (Index j = 0; j < n; ++j) add_constraint(program, 0.0, OSQP_INFTY);
  for (Index j = 0; bounded && j < n; ++j) {
    add_constraint(program, problem.lower.size() > 0 ? problem.lower[j] : -OSQP_INFTY,
                   problem.upper.size() > 0 ? problem.upper[j] : OSQP_INFTY);
  }
  if (problem.sum) add_constraint(program, *problem.sum, *problem.sum);
}

/// OSQP copies what it is given.
OSQPData* fill_data(Program& program) {
  const auto variables = static_cast<Index>(program.q.size());
  const auto constraints = static_cast<Index>(program.lower.size());
  program.data.n = static_cast<c_int>(variables);
  program.data.m = static_cast<c_int>(constraints);
  program.data.P = program.P.view(variables);
  program.data.A = program.A.view(constraints);
  program.data.q = program.q.data();
  program.data.l = program.lower.data();
  program.data.u = program.upper.data();
  return &program.data;
}

OSQPSettings settings_for(const OsqpOptions& options) {
  OSQPSettings settings = {};
  osqp_set_default_settings(&settings);
  settings.eps_abs = options.tolerance;
  settings.eps_rel = options.tolerance;
  settings.max_iter = kAdaptationsPerRun * kAdaptInterval;
  settings.adaptive_rho_interval = kAdaptInterval;  // by count, not by the clock
  settings.time_limit = 0;
  settings.polish = 1;
  settings.polish_refine_iter = 10;
  settings.verbose = 0;
  return settings;
}

struct Cleanup {
  void operator()(OSQPWorkspace* work) const { osqp_cleanup(work); }
};
using Workspace = std::unique_ptr<OSQPWorkspace, Cleanup>;

Workspace set_up(Program& program, const OsqpOptions& options) {
  OSQPSettings settings = settings_for(options);
  OSQPWorkspace* raw = nullptr;
  const c_int status = osqp_setup(&raw, fill_data(program), &settings);
  Workspace work(raw);
  if (status != 0) throw NumericalError(message("osqp_column: OSQP's setup returned ", status));
  return work;
}

/// The next run goes on where the last one ended. A step size that is adapted ever again can make
/// the iteration swing between two of them; one that rests longer from run to run converges.
void prolong_run(OSQPWorkspace* work) {
  work->settings->adaptive_rho_interval *= 2;
  osqp_update_max_iter(work, std::min(kLongestRun, 2 * work->settings->max_iter));
}

void check_status(const OSQPInfo& info) {
  const c_int status = info.status_val;
  if (status == OSQP_SOLVED || status == OSQP_SOLVED_INACCURATE || status == OSQP_MAX_ITER_REACHED)
    return;
  throw NumericalError(message("osqp_column: OSQP says '", info.status, "'"));
}

}  // namespace

bool has_osqp() { return true; }

void require_osqp(const std::string&, const std::string&) {}

OsqpColumn osqp_column(const LassoColumn& problem, const OsqpOptions& options) {
  const Index n = problem.H.cols();
  Program program;
  set_objective(program, problem);
  set_constraints(program, problem);
  const Workspace work = set_up(program, options);
  OsqpColumn column;
  while (!column.solved && column.iterations < options.max_iterations) {
    if (options.cancel != nullptr) options.cancel->throw_if_requested();
    const c_int failure = osqp_solve(work.get());
    if (failure != 0) {
      throw NumericalError(message("osqp_column: osqp_solve returned ", failure, " (status '",
                                   work->info->status, "') for a column of ", n,
                                   " coefficients, must return 0"));
    }
    check_status(*work->info);
    column.iterations += static_cast<int>(work->info->iter);
    column.solved = work->info->status_val == OSQP_SOLVED;
    prolong_run(work.get());
  }
  column.coefficients = Eigen::Map<const Vector>(work->solution->x, n);
  const double largest = n > 0 ? column.coefficients.cwiseAbs().maxCoeff() : 0.0;
  const double zero = std::max(kZero * largest, options.tolerance);
  column.coefficients = (column.coefficients.array().abs() > zero).select(column.coefficients, 0.0);
  return column;
}

}  // namespace subspace
