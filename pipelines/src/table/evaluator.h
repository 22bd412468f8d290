// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>

#include <subspace/core/context.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/input.h>
#include <subspace/pipelines/record.h>

namespace subspace::pipelines {

/// The only reader of the truth of a table. It is made after the labels it is to evaluate.
class TableEvaluator {
 public:
  /// The labels of `file`, or those the input carries where `file` is empty; none if there are
  /// none. Throws IoError or DataError for a file that was asked for and cannot be used.
  TableEvaluator(const std::string& file, const Input& input, const datasets::LoadOptions& options,
                 Index num_points, Index dimension, const Context& context);

  /// The file it was told to read; empty for labels that the input carries.
  const std::string& file() const { return file_; }
  const Labels& truth() const { return truth_; }
  const std::optional<TruthInfo>& info() const { return info_; }
  /// Fills in metrics and truth of a record; takes them away where no truth is known.
  void evaluate(Record& record) const;

 private:
  std::string file_ = {};
  Labels truth_ = {};
  std::optional<TruthInfo> info_ = {};
};

}  // namespace subspace::pipelines
