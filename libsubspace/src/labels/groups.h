// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/types.h>

namespace subspace {

/// Points by label. Labels are any integers; those that no point has do not exist.
struct Groups {
  Labels names = {};                             ///< distinct labels, increasing
  std::vector<std::vector<Index>> members = {};  ///< increasing, never empty
  int size() const { return static_cast<int>(names.size()); }
};

Groups group_by_label(const Labels& labels);

/// Refuses X as require_finite() does, and labels that are not one a sample. Throws DataError.
void require_labelled(const ConstMatrixRef& X, const Labels& labels, const std::string& function);

/// The columns in the order given.
Matrix gather(const ConstMatrixRef& X, const std::vector<Index>& columns);

}  // namespace subspace
