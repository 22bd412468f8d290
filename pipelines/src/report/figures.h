// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>

#include "report/confusion.h"
#include "report/markup.h"
#include "report/model.h"
#include "report/thumbnails.h"

namespace subspace::pipelines::report {

/// A figure with its title and what to look for in it.
Markup figure(const std::string& classes, const std::string& title, const Markup& content,
              const std::string& caption);

/// Error of every row over its time; empty where no row has both.
Markup time_figure(const TableSummary& table, const std::string& prefix);
Markup affinity_figure(const HeatMap& affinity, const std::string& id);
Markup spectrum_figure(const std::vector<double>& eigenvalues, int num_clusters);
/// `id` is unique on the page; `confusion` is of the same seed as the figures.
Markup map_figure(const Figures& figures, const Labels& found,
                  const std::optional<Confusion>& confusion, const std::string& id);
Markup confusion_figure(const Confusion& confusion);
Markup confused_objects(const Confusion& confusion, const Thumbnails& thumbnails);

}  // namespace subspace::pipelines::report
