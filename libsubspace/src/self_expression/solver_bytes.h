// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/self_expression/edsc.h>
#include <subspace/self_expression/elastic_net.h>
#include <subspace/self_expression/exemplars.h>
#include <subspace/self_expression/kssc.h>
#include <subspace/self_expression/lrr.h>
#include <subspace/self_expression/lsr.h>
#include <subspace/self_expression/omp.h>
#include <subspace/self_expression/smce.h>
#include <subspace/self_expression/ssc.h>

/// What each solver takes for `num_points` points of this dimension within the memory of the
/// context: the points that it is given, its workspaces in all threads and full coefficients. How
/// many entries sparse coefficients have only the solution tells, so they do not count. Each solver
/// checks by the same function before it starts; one overload a method, beside the solver.
namespace subspace {

/// How many points represent a point, where only the solution tells.
inline constexpr double kUsualSupport = 50.0;

double solver_bytes(const ElasticNetOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const SscOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const KsscOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const OmpOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const SmceOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const LsrOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const EdscOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const LrrOptions& options, Index dimension, Index num_points,
                    const Context& context);
double solver_bytes(const EscOptions& options, Index dimension, Index num_points,
                    const Context& context);

/// What represent_by_exemplars() takes, the points and the exemplars that it is given and its
/// coefficients included: kUsualSupport count for a point.
double representing_bytes(Index num_exemplars, Index dimension, Index num_points,
                          const Context& context);
/// What it returns.
double represented_bytes(Index num_exemplars, Index num_points);

}  // namespace subspace
