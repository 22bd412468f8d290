// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipeline/pipeline.h>

/// What each alternative of Method means: its solver, and what to call it in messages. One pair of
/// overloads a method.
namespace subspace {

inline SelfExpression represent(const Matrix& X, const ElasticNetOptions& options,
                                const Context& context) {
  return elastic_net(X, options, context);
}
inline SelfExpression represent(const Matrix& X, const SscOptions& options,
                                const Context& context) {
  return ssc(X, options, context);
}
inline SelfExpression represent(const Matrix& X, const KsscOptions& options,
                                const Context& context) {
  return kssc(X, options, context);
}
inline SelfExpression represent(const Matrix& X, const OmpOptions& options,
                                const Context& context) {
  return omp(X, options, context);
}
inline SelfExpression represent(const Matrix& X, const SmceOptions& options,
                                const Context& context) {
  return smce(X, options, context);
}
inline DenseSelfExpression represent(const Matrix& X, const LsrOptions& options,
                                     const Context& context) {
  return lsr(X, options, context);
}
inline DenseSelfExpression represent(const Matrix& X, const EdscOptions& options,
                                     const Context& context) {
  return edsc(X, options, context);
}
inline DenseSelfExpression represent(const Matrix& X, const LrrOptions& options,
                                     const Context& context) {
  return lrr(X, options, context);
}

inline const char* solver_name(const ElasticNetOptions&) { return "elastic_net"; }
inline const char* solver_name(const SscOptions&) { return "ssc"; }
inline const char* solver_name(const KsscOptions&) { return "kssc"; }
inline const char* solver_name(const OmpOptions&) { return "omp"; }
inline const char* solver_name(const SmceOptions&) { return "smce"; }
inline const char* solver_name(const LsrOptions&) { return "lsr"; }
inline const char* solver_name(const EdscOptions&) { return "edsc"; }
inline const char* solver_name(const LrrOptions&) { return "lrr"; }
inline const char* solver_name(const EscOptions&) { return "select_exemplars"; }

}  // namespace subspace
