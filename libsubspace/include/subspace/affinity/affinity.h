// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

/// How coefficients become a symmetric non-negative affinity. Columns of C are the representations.
enum class AffinityKind {
  /// Keep the `top` largest |c| of each column, divide the column by its 2-norm, |.|,
  /// W = (A + A')/2: the form used with EnSC and SSC-OMP [You16].
  kUnitColumns,
  /// Divide each column by its largest |c|, |.|, W = A + A': the form used with SSC [Elh13], and
  /// but for a factor of 2, which no clustering sees, with LSR [Lu12].
  kMaxColumns,
  /// Columns to unit 2-norm, then the 0/1 graph of each column's `neighbors` nearest columns in
  /// Euclidean distance, equal ones by index, W = (G + G')/2: the form used with EnSC on MNIST
  /// [You16]. Zero columns neither have nor are neighbours.
  kNeighbors,
  /// W = max(|C|, |C|') entry by entry: the form used with SMCE [Elh11], there with keep = 0.95.
  kMaximum,
  /// The angles between the points in the leading subspace of C: of C or (C + C')/2 the singular
  /// vectors U and values s of the leading `rank`, M = U s^1/2 with rows of unit length, W = |M
  /// M'|^power entry by entry: the form used with LRR [Liu13], EDSC [Ji14] and DSC [Ji17].
  kLowRank,
};

/// Which coefficients of a point `keep` chooses among.
enum class KeepOf {
  kOwn,     ///< column j of C: those that make point j of the others
  kOthers,  ///< row j of C: those by which the others use point j, as the code of DSC does [Ji17]
};

struct AffinityOptions {
  AffinityKind kind = AffinityKind::kUnitColumns;
  int top = 50;  ///< for kUnitColumns: coefficients kept per column, ties to the lower index; 0:
                 ///< all
  int neighbors = 3;  ///< for kNeighbors
  /// Before all else, of each column (or row, see keep_of) the fewest largest |c| whose sum reaches
  /// this share of all. Ties go to the lower index. 0 < keep <= 1; 1 keeps all.
  double keep = 1.0;
  KeepOf keep_of = KeepOf::kOwn;
  /// For kLowRank: the rank is dimension x number of clusters + 1; 0: every singular value above
  /// 1e-4 of the largest.
  int dimension = 0;
  double power = 4.0;          ///< for kLowRank, > 0
  bool symmetrize = true;      ///< for kLowRank: (C + C')/2 instead of C
  bool unit_diagonal = false;  ///< for kLowRank: ones on the diagonal first
  bool positive = false;       ///< for kLowRank: angles beyond 90 degrees count as 90
  /// Loops: the diagonal of W stays, and subspace::cluster() counts it in the degrees, as the
  /// released codes of LRR, EDSC and LSR do. A diagonal of C is then a coefficient as any other.
  /// kNeighbors never has loops.
  bool loops = false;
  int num_clusters = 0;  ///< for kLowRank with a dimension; subspace::cluster() fills it in
};
SUBSPACE_API Parameters describe(AffinityOptions& options);

/// The affinity of self-expressive coefficients: symmetric to the bit, non-negative, no stored
/// zeros. Without `loops` its diagonal is zero and a diagonal of C is ignored, for a point does not
/// represent itself, except by kLowRank. Zero columns of C give isolated vertices unless other
/// points use them. Throws DataError when C is not square and finite, ResourceError when a dense
/// step does not fit.
SUBSPACE_API SparseMatrix make_affinity(const SparseMatrix& C, const AffinityOptions& options,
                                        const Context& context = {});
SUBSPACE_API SparseMatrix make_affinity(const ConstMatrixRef& C, const AffinityOptions& options,
                                        const Context& context = {});

}  // namespace subspace
