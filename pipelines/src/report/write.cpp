// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>

namespace subspace::pipelines {

namespace {

std::string json_report(const std::vector<TableResults>& tables, const ReportOptions& options) {
  if (tables.size() != 1) {
    throw InvalidArgument(message("report: ", tables.size(), " tables, a .json holds one"));
  }
  TableResults results = tables.front();
  if (!options.pictures) results.data.thumbnails.reset();
  return to_json(results);
}

}  // namespace

void check_report_path(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  for (const char* known : {".html", ".md", ".csv", ".tex", ".json"}) {
    if (extension == known) return;
  }
  throw InvalidArgument(message("report: out = ", path.string(),
                                ", its extension must be one of .html, .md, .csv, .tex, .json"));
}

void write_report(const std::vector<TableResults>& tables, const std::filesystem::path& path,
                  const ReportOptions& options) {
  check_report_path(path);
  const std::string extension = path.extension().string();
  if (extension == ".html") return write_file_atomically(path, html_report(tables, options));
  if (extension == ".md") return write_file_atomically(path, markdown_report(tables));
  if (extension == ".csv") return write_file_atomically(path, csv_report(tables));
  if (extension == ".tex") return write_file_atomically(path, latex_report(tables));
  write_file_atomically(path, json_report(tables, options));
}

}  // namespace subspace::pipelines
