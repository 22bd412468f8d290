// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/pipelines/results.h>

/// Tables of results as documents. All formats show the same numbers, computed in one place.
namespace subspace::pipelines {

struct ReportOptions {
  /// Whether the page holds small pictures of the points. Of data that may not be redistributed
  /// they are shown too, with a sentence that says so: switch them off in a page meant for others.
  bool pictures = true;
};

/// One page that needs nothing but itself: no network, no library, readable without its script.
SUBSPACE_API std::string html_report(const std::vector<TableResults>& tables,
                                     const ReportOptions& options = {});
/// Tables as GitHub shows them, with the commands that make each row again.
SUBSPACE_API std::string markdown_report(const std::vector<TableResults>& tables);
/// One line for each row and seed [RFC 4180], numbers in full precision.
SUBSPACE_API std::string csv_report(const std::vector<TableResults>& tables);
/// Tables of the package booktabs, to be read in with \input.
SUBSPACE_API std::string latex_report(const std::vector<TableResults>& tables);

/// Writes the report as the extension of `path` says: .html .md .csv .tex, or .json for the results
/// of one table themselves, with or without pictures. Throws InvalidArgument
/// for another one, IoError where it cannot be written.
SUBSPACE_API void write_report(const std::vector<TableResults>& tables,
                               const std::filesystem::path& path,
                               const ReportOptions& options = {});

/// Throws what write_report() would throw for the name alone, before any work is done.
SUBSPACE_API void check_report_path(const std::filesystem::path& path);

}  // namespace subspace::pipelines
