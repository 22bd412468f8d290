// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/representation.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>

#include "labels/groups.h"
#include "linalg/sizes.h"
#include "spectral/eigensolver.h"
#include "spectral/graph.h"

namespace subspace {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// visit(i, |c_ij|) for the coefficients of column j off the diagonal that are not zero.
template <typename Visit>
void for_column(const SparseMatrix& C, Index j, const Visit& visit) {
  for (SparseMatrix::InnerIterator c(C, j); c; ++c) {
    if (c.row() != j && c.value() != 0.0) visit(c.row(), std::fabs(c.value()));
  }
}
template <typename Visit>
void for_column(const ConstMatrixRef& C, Index j, const Visit& visit) {
  for (Index i = 0; i < C.rows(); ++i) {
    if (i != j && C(i, j) != 0.0) visit(i, std::fabs(C(i, j)));
  }
}

template <typename AnyMatrix>
void require_coefficients(const AnyMatrix& C, const std::string& function) {
  if (C.rows() != C.cols() || C.cols() == 0) {
    throw DataError(
        message(function, ": C is ", C.rows(), " x ", C.cols(), ", must be square and not empty"));
  }
  for (Index j = 0; j < C.cols(); ++j) {
    for_column(C, j, [&](Index i, double size) {
      if (std::isfinite(size)) return;
      throw DataError(message(function, ": C(", i, ", ", j, ") is not finite"));
    });
  }
}

template <typename AnyMatrix>
void require_labels(const AnyMatrix& C, const Labels& labels, const std::string& function) {
  if (static_cast<Index>(labels.size()) == C.cols()) return;
  throw DataError(message(function, ": ", labels.size(), " labels and ", C.cols(),
                          " columns, must be as many"));
}

template <typename AnyMatrix>
double largest_of_column(const AnyMatrix& C, Index j) {
  double largest = 0.0;
  for_column(C, j, [&](Index, double size) { largest = std::max(largest, size); });
  return largest;
}

template <typename AnyMatrix>
PreservingError preserving_error(const AnyMatrix& C, const Labels& labels) {
  require_coefficients(C, "subspace_preserving_error");
  require_labels(C, labels, "subspace_preserving_error");
  PreservingError error{.mean = 0.0, .columns = Vector::Constant(C.cols(), kNaN)};
  Index num_used = 0;
  for (Index j = 0; j < C.cols(); ++j) {
    const double largest = largest_of_column(C, j);
    if (largest == 0.0) continue;
    double all = 0.0;
    double foreign = 0.0;
    for_column(C, j, [&](Index i, double size) {
      const double share = size / largest;  // no sum of these overflows
      all += share;
      if (labels[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(j)])
        foreign += share;
    });
    error.columns[j] = foreign / all;
    error.mean += error.columns[j];
    ++num_used;
  }
  error.mean = num_used > 0 ? error.mean / static_cast<double>(num_used) : kNaN;
  return error;
}

/// |C| + |C|' among the members, over the largest coefficient among them.
template <typename AnyMatrix>
SparseMatrix class_graph(const AnyMatrix& C, const std::vector<Index>& members,
                         std::vector<int>& local) {
  for (std::size_t m = 0; m < members.size(); ++m) local[members[m]] = static_cast<int>(m);
  double largest = 0.0;
  std::vector<Eigen::Triplet<double, int>> entries;
  for (std::size_t m = 0; m < members.size(); ++m) {
    for_column(C, members[m], [&](Index i, double size) {
      if (local[i] < 0) return;
      largest = std::max(largest, size);
      entries.emplace_back(local[i], static_cast<int>(m), size);
      entries.emplace_back(static_cast<int>(m), local[i], size);
    });
  }
  for (auto& entry : entries) entry = {entry.row(), entry.col(), entry.value() / largest};
  for (const Index member : members) local[member] = -1;
  const auto n = static_cast<Index>(members.size());
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

double second_eigenvalue(const SparseMatrix& W, std::uint32_t index, const Context& context) {
  const Graph graph = split_graph(W, false, context);
  if (graph.num_isolated > 0 || graph.components.size() != 1) return 0.0;
  const NormalizedComponent& whole = graph.components.front();
  const EigenPairs pairs = leading_pairs(whole.A, whole.kernel, {.count = 1},
                                         stream(0, Stream::kEigensolver, index), context);
  if (pairs.values.size() == 0) return kNaN;
  return std::clamp(1.0 - pairs.values[0], 0.0, 2.0);
}

/// Triplets, the graph and the copies that cutting it makes.
template <typename AnyMatrix>
void check_class_memory(const AnyMatrix& C, const Groups& groups, const Context& context) {
  constexpr double kBytesPerEntry = 120.0;
  std::size_t largest_class = 0;
  for (const auto& members : groups.members)
    largest_class = std::max(largest_class, members.size());
  double entries = static_cast<double>(largest_class) * static_cast<double>(largest_class);
  if constexpr (std::is_same_v<AnyMatrix, SparseMatrix>)
    entries = std::min(entries, static_cast<double>(C.nonZeros()));
  check_memory("class_connectivity", kBytesPerEntry * entries, allowed_memory(context),
               "give a sparse C");
}

template <typename AnyMatrix>
Connectivity connectivity(const AnyMatrix& C, const Labels& labels, const Context& context) {
  require_coefficients(C, "class_connectivity");
  require_labels(C, labels, "class_connectivity");
  const Groups groups = group_by_label(labels);
  check_class_memory(C, groups, context);
  Connectivity result;
  result.classes = groups.names;
  result.values = Vector::Constant(groups.size(), kNaN);
  std::vector<int> local(labels.size(), -1);
  double sum = 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  int num_used = 0;
  for (int k = 0; k < groups.size(); ++k) {
    context.throw_if_cancelled();
    const std::vector<Index>& members = groups.members[static_cast<std::size_t>(k)];
    if (members.size() < 2) continue;
    const double value =
        second_eigenvalue(class_graph(C, members, local), static_cast<std::uint32_t>(k), context);
    result.values[k] = value;
    sum += value;
    smallest = std::min(smallest, value);
    ++num_used;
    context.report("connectivity", k + 1, groups.size());
  }
  result.minimum = num_used > 0 ? smallest : kNaN;
  result.mean = num_used > 0 ? sum / num_used : kNaN;
  return result;
}

template <typename AnyMatrix>
Sparsity count_coefficients(const AnyMatrix& C, double negligible) {
  require_coefficients(C, "sparsity");
  if (!(negligible >= 0.0 && negligible < 1.0)) {
    throw InvalidArgument(
        message("sparsity: negligible = ", negligible, ", must satisfy 0 <= negligible < 1"));
  }
  Sparsity result;
  Index all = 0;
  for (Index j = 0; j < C.cols(); ++j) {
    const double bound = negligible * largest_of_column(C, j);
    Index count = 0;
    for_column(C, j, [&](Index, double size) { count += size > bound ? 1 : 0; });
    all += count;
    result.maximum = std::max(result.maximum, count);
    if (count == 0) ++result.num_empty;
  }
  result.mean = static_cast<double>(all) / static_cast<double>(C.cols());
  return result;
}

}  // namespace

PreservingError subspace_preserving_error(const SparseMatrix& C, const Labels& labels) {
  return preserving_error(C, labels);
}
PreservingError subspace_preserving_error(const ConstMatrixRef& C, const Labels& labels) {
  return preserving_error(C, labels);
}

Connectivity class_connectivity(const SparseMatrix& C, const Labels& labels,
                                const Context& context) {
  return connectivity(C, labels, context);
}
Connectivity class_connectivity(const ConstMatrixRef& C, const Labels& labels,
                                const Context& context) {
  return connectivity(C, labels, context);
}

Sparsity sparsity(const SparseMatrix& C, double negligible) {
  return count_coefficients(C, negligible);
}
Sparsity sparsity(const ConstMatrixRef& C, double negligible) {
  return count_coefficients(C, negligible);
}

RepresentationReport report_representation(const Representation& representation,
                                           const Labels& labels, const Context& context) {
  return std::visit(
      [&](const auto& found) -> RepresentationReport {
        const auto& C = found.coefficients;
        return {subspace_preserving_error(C, labels), class_connectivity(C, labels, context),
                sparsity(C)};
      },
      representation);
}

}  // namespace subspace
