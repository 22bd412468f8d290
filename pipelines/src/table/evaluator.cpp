// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/evaluator.h"

#include <subspace/core/error.h>
#include <subspace/datasets/load.h>

namespace subspace::pipelines {
namespace {

void check_length(const Labels& truth, Index num_points, const std::string& source) {
  if (std::ssize(truth) == num_points) return;
  throw DataError(
      message("truth ", source, ": ", truth.size(), " labels for ", num_points, " points"));
}

}  // namespace

TableEvaluator::TableEvaluator(const std::string& file, const Input& input,
                               const datasets::LoadOptions& options, Index num_points,
                               Index dimension, const Context& context)
    : file_(file) {
  if (!file.empty()) {
    truth_ = datasets::load_labels(file, {}, context);
    info_ = {std::filesystem::path(file).filename().string(), datasets::label_name(file, {})};
  } else if (input.may_carry_labels(dimension)) {
    try {
      truth_ = input.load_labels(options, context);
      info_ = {input.source(), input.label_name(options)};
    } catch (const DataError&) {
      if (input.must_carry_labels()) throw;
      return;  // labels that a file may carry are a courtesy
    }
  } else {
    return;
  }
  check_length(truth_, num_points, info_->source);
}

void TableEvaluator::evaluate(Record& record) const {
  record.metrics.reset();
  record.truth = info_;
  if (info_) record.metrics = evaluate_partition(record.outcome.labels, truth_);
  for (CurvePoint& point : record.outcome.curve) {
    point.metrics.reset();
    if (info_) point.metrics = evaluate_partition(point.labels, truth_);
  }
}

}  // namespace subspace::pipelines
