// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/solver_certificate.h"

#include <cmath>
#include <limits>
#include <variant>

namespace subspace::pipelines {
namespace {

/// Of a solver that is content once its residual is within the tolerance.
NamedValues held_against(const char* name, double tolerance, const Representation& found) {
  return {{name, max_residual(found)}, {"tolerance", tolerance}};
}

/// What a solver stopped by, where that is not its residual, and when that is enough.
struct StoppingRule {
  const char* error = nullptr;
  const char* tolerance = nullptr;
  double value = 0.0;
};

/// All columns are one problem of such a solver; NaN where nothing was solved.
double stopping_error(const Representation& found) {
  return solves(found).empty() ? std::numeric_limits<double>::quiet_NaN()
                               : solves(found).front().stopping_error;
}

NamedValues stopped_by(const StoppingRule& rule, const char* name, const Representation& found) {
  return {{name, max_residual(found)},
          {rule.error, stopping_error(found)},
          {rule.tolerance, rule.value}};
}

/// The violation of the optimality conditions decides: EnSC, SMCE, ESC.
template <typename Options>
NamedValues certificate(const Options& method, const Representation& found) {
  return held_against("kkt_violation", method.tolerance, found);
}

NamedValues of_ssc(SscSolver solver, double tolerance, const Representation& found) {
  if (solver != SscSolver::kOfficial) return held_against("kkt_violation", tolerance, found);
  return stopped_by({"admm_error", "admm_tolerance", kSscOfficialTolerance}, "kkt_violation",
                    found);
}
NamedValues certificate(const SscOptions& method, const Representation& found) {
  return of_ssc(method.solver, method.tolerance, found);
}
NamedValues certificate(const KsscOptions& method, const Representation& found) {
  return of_ssc(method.solver, method.tolerance, found);
}

/// The tolerance among its options ends the path, and says nothing of the fit.
NamedValues certificate(const OmpOptions&, const Representation& found) {
  return held_against("orthogonality_residual", kOmpOrthogonality, found);
}

NamedValues certificate(const LsrOptions&, const Representation& found) {
  return held_against("normal_equations_residual", kNormalEquationsTolerance, found);
}

NamedValues certificate(const EdscOptions& method, const Representation& found) {
  if (!method.outliers) {
    return held_against("normal_equations_residual", kNormalEquationsTolerance, found);
  }
  return stopped_by({"constraint_error", "constraint_tolerance", kEdscConstraintTolerance},
                    "stationarity_residual", found);
}

NamedValues certificate(const LrrOptions& method, const Representation& found) {
  if (method.noise_free) return held_against("fit_residual", kLrrFitTolerance, found);
  if (method.schedule == LrrSchedule::kPublished) {
    return stopped_by({"constraint_error", "constraint_tolerance", kLrrConstraintTolerance},
                      "duality_gap", found);
  }
  const bool closed_form = !std::isnan(stopping_error(found));
  if (!closed_form) return held_against("duality_gap", method.tolerance, found);
  return stopped_by({"fit_residual", "fit_tolerance", kLrrFitTolerance}, "duality_gap", found);
}

NamedValues certificate(const NeighborGraphOptions&, const Representation&) { return {}; }

}  // namespace

NamedValues solver_certificate(const Method& method, const Representation& representation) {
  return std::visit([&](const auto& options) { return certificate(options, representation); },
                    method);
}

}  // namespace subspace::pipelines
