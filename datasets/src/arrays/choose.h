// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/datasets/load.h>

namespace subspace::datasets {

/// Whether arrays of more than two axes may be taken without being named. In .npz files these are
/// images, one a row; in .mat files their sample axis is anybody's guess.
enum class ManyAxes { kGuess, kMustBeNamed };

/// The name of the array that LoadOptions::x or ::y means. Throws IoError that lists the arrays.
std::string choose_points(const std::string& file, const std::vector<Variable>& variables,
                          const std::string& asked, ManyAxes many_axes);
std::string choose_labels(const std::string& file, const std::vector<Variable>& variables,
                          const std::string& asked);

/// Throws IoError if `name` is not empty: a name that can mean nothing is a mistake of the caller,
/// not to be passed over. `option` is what it was given as, x or y.
void refuse_name(const std::string& file, char option, const std::string& name);

/// Whether a column of this name in a text file is taken for the truth.
bool is_label_column(const std::string& name);

/// Whether at most one axis is longer than 1.
bool is_vector(const std::vector<std::int64_t>& shape);

}  // namespace subspace::datasets
