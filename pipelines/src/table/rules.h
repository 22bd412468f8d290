// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/results.h>

/// What chooses among settings or rows, and how it is put into words.
namespace subspace::pipelines {

/// Larger is better; nothing where it cannot be told.
using Score = std::optional<double>;

Score score(const std::vector<Cell>& cells, ChosenBy chosen_by);

/// Means over cells, nothing where one of them has none.
Score mean_signal(const std::vector<Cell>& cells, const std::string& name);
Score mean_accuracy(const std::vector<Cell>& cells);

/// The cells that lack the signal which such a choice needs: their method has none, or an earlier
/// version computed them.
std::vector<const Cell*> silent_cells(const std::vector<Cell>& cells, ChosenBy chosen_by);
/// What to say of a row with such cells, and how to mend it where that is possible.
std::string silence_words(const std::string& row, const std::vector<const Cell*>& silent,
                          ChosenBy chosen_by);

/// "the smallest cut", "the labels", ...
std::string rule_name(ChosenBy chosen_by);
/// The same with the value that won, where there is one to show.
std::string rule_words(ChosenBy chosen_by, double best);

}  // namespace subspace::pipelines
