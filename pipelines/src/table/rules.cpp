// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/rules.h"

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

Score mean_of(const std::vector<double>& values) {
  if (values.empty() || std::ranges::any_of(values, [](double v) { return std::isnan(v); })) {
    return {};
  }
  return spread(values).mean;
}

Score mean_signal(const std::vector<Cell>& cells, const std::string& name) {
  std::vector<double> values;
  for (const Cell& cell : cells) {
    for (const auto& [key, value] : cell.record.outcome.signals) {
      if (key == name) values.push_back(std::get<double>(value));
    }
  }
  return values.size() == cells.size() ? mean_of(values) : Score();
}

/// Of a signal that is good where it is small.
Score least_signal(const std::vector<Cell>& cells, const std::string& name) {
  const Score mean = mean_signal(cells, name);
  return mean ? Score(-*mean) : Score();
}

Score mean_agreement(const std::vector<Cell>& cells) {
  std::vector<double> values;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      values.push_back(
          evaluate_partition(cells[i].record.outcome.labels, cells[j].record.outcome.labels).ari);
    }
  }
  return mean_of(values);
}

Score mean_accuracy(const std::vector<Cell>& cells) {
  std::vector<double> values;
  for (const Cell& cell : cells) {
    if (cell.record.metrics) values.push_back(cell.record.metrics->acc);
  }
  return mean_of(values);
}

}  // namespace

Score score(const std::vector<Cell>& cells, ChosenBy chosen_by) {
  switch (chosen_by) {
    case ChosenBy::kCut:
      return least_signal(cells, "cut");
    case ChosenBy::kConfidence:
      return mean_signal(cells, "confidence");
    case ChosenBy::kAgreement:
      return mean_agreement(cells);
    case ChosenBy::kRate:
      return least_signal(cells, "rate");
    case ChosenBy::kLoss:
      return least_signal(cells, "loss");
    default:
      return mean_accuracy(cells);
  }
}

std::string rule_name(ChosenBy chosen_by) {
  switch (chosen_by) {
    case ChosenBy::kCut:
      return "the smallest cut";
    case ChosenBy::kConfidence:
      return "the largest confidence";
    case ChosenBy::kAgreement:
      return "the best agreement of seeds";
    case ChosenBy::kRate:
      return "the smallest coding rate of the clusters";
    case ChosenBy::kLoss:
      return "the smallest loss";
    default:
      return "the labels";
  }
}

std::string rule_words(ChosenBy chosen_by, double best) {
  switch (chosen_by) {
    case ChosenBy::kLabels:
      return rule_name(chosen_by);
    case ChosenBy::kConfidence:
      return message(rule_name(chosen_by), " (", best, ")");
    case ChosenBy::kAgreement:
      return message(rule_name(chosen_by), " (ARI ", best, ")");
    default:
      return message(rule_name(chosen_by), " (", -best, ")");
  }
}

}  // namespace subspace::pipelines
