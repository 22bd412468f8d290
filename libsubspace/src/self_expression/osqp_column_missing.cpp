// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// Stands in for osqp_column.cpp in a build without OSQP.
#include <subspace/core/error.h>

#include "self_expression/osqp_column.h"

namespace subspace {

bool has_osqp() { return false; }

void require_osqp(const std::string& function, const std::string& alternative) {
  throw InvalidArgument(
      message(function, ": solver = osqp, but this build has no OSQP; use ", alternative));
}

OsqpColumn osqp_column(const LassoColumn&, const OsqpOptions&) {
  throw InvalidArgument("osqp_column: this build has no OSQP");
}

}  // namespace subspace
