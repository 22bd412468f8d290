// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <subspace/pipelines/results.h>

namespace subspace::pipelines::report {

/// Where a row would have been after part of its training; over the seeds that were looked at then.
struct CurveSummary {
  std::int64_t step = 0;
  Spread error = {};
  Spread seconds = {};
};

/// The numbers of a row as every format shows them. Spreads are over seeds; their count is 0 where
/// nothing was measured.
struct RowSummary {
  const RowResult* row = nullptr;
  int number = 0;     ///< place in the table, from 0
  Spread error = {};  ///< percent of points in a wrong cluster
  Spread nmi = {};    ///< arithmetic mean of the entropies
  Spread ari = {};
  Spread seconds = {};  ///< of the method, without loading the data
  Spread memory_mb = {};
  std::vector<CurveSummary> curve = {};  ///< by increasing step; empty without truth
  bool best = false;       ///< lowest error among complete label-free rows; ties share it
  std::string state = {};  ///< in words; empty when there is nothing to say
};

/// Rows that may be compared with one another.
struct ProtocolGroup {
  Protocol protocol = Protocol::kLabelFree;
  std::vector<RowSummary> rows = {};
};

struct TableSummary {
  const TableResults* results = nullptr;
  std::vector<ProtocolGroup> groups = {};  ///< label-free, paper, oracle; those that have rows
  std::string headline = {};
  /// " so far (2 of 4 rows complete)" of the label-free rows; empty when they all are.
  std::string so_far = {};
  std::string left_out = {};  ///< a sentence on the rows of the recipe that are not here, if any
};

/// Keeps pointers into `results`.
TableSummary summarize(const TableResults& results);

/// Of the percent error of one seed; NaN where truth is not known.
double error_percent(const Cell& cell);
/// The note of a row and which setting a sweep chose; empty where there is neither.
std::string remark(const RowResult& row);
/// "Label-free: ...", one sentence on what the rows of a protocol may use.
std::string protocol_sentence(Protocol protocol);
/// "12.34 ± 0.56", or the mean alone for a single seed; a dash where there is none.
std::string mean_and_sd(const Spread& spread, int digits, const std::string& between);
/// Mean seconds and largest memory in MB; a dash where nobody measured them.
std::string seconds_text(const RowSummary& row);
std::string memory_text(const RowSummary& row);
/// The machine and its libraries, without the suite's version, which stands beside them.
NamedValues machine_values(const TableResults& results);
/// "32 x 32, grey", empty where points are no pictures.
std::string picture_shape(const InputInfo& input);
/// "gnd of coil20.mat", "not known".
std::string truth_source(const TableData& data);

}  // namespace subspace::pipelines::report
