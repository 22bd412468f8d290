// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/rules.h"

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "source_commit.h"

namespace subspace::pipelines {
namespace {

Score mean_of(const std::vector<double>& values) {
  if (values.empty() || std::ranges::any_of(values, [](double v) { return std::isnan(v); })) {
    return {};
  }
  return spread(values).mean;
}

/// Nothing where the cell has no such signal, or one that is not a number.
Score signal_of(const Cell& cell, const std::string& name) {
  for (const auto& [key, value] : cell.record.outcome.signals) {
    if (key == name) return mean_of({std::get<double>(value)});
  }
  return {};
}

/// The signal that a rule looks at; empty for those that look at labels, found or true.
std::string signal_name(ChosenBy chosen_by) {
  switch (chosen_by) {
    case ChosenBy::kCut:
      return "cut";
    case ChosenBy::kConfidence:
      return "confidence";
    case ChosenBy::kRate:
      return "rate";
    case ChosenBy::kLoss:
      return "loss";
    default:
      return {};
  }
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

}  // namespace

Score mean_signal(const std::vector<Cell>& cells, const std::string& name) {
  std::vector<double> values;
  for (const Cell& cell : cells) {
    const Score own = signal_of(cell, name);
    if (!own) return {};
    values.push_back(*own);
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

Score score(const std::vector<Cell>& cells, ChosenBy chosen_by) {
  switch (chosen_by) {
    case ChosenBy::kConfidence:
      return mean_signal(cells, signal_name(chosen_by));
    case ChosenBy::kAgreement:
      return mean_agreement(cells);
    case ChosenBy::kLabels:
      return mean_accuracy(cells);
    default:
      return least_signal(cells, signal_name(chosen_by));
  }
}

std::vector<const Cell*> silent_cells(const std::vector<Cell>& cells, ChosenBy chosen_by) {
  std::vector<const Cell*> silent;
  const std::string name = signal_name(chosen_by);
  if (name.empty()) return silent;
  for (const Cell& cell : cells) {
    if (!signal_of(cell, name)) silent.push_back(&cell);
  }
  return silent;
}

std::string silence_words(const std::string& row, const std::vector<const Cell*>& silent,
                          ChosenBy chosen_by) {
  const Cell& first = *silent.front();
  std::string text = message("row '", row, "', seed ", first.record.seed, ": has no ",
                             signal_name(chosen_by), " to choose by");
  if (silent.size() > 1) text += message(", nor have ", silent.size() - 1, " more of its cells");
  if (first.record.source_commit == source_commit()) return text;
  return text + message("; commit ", first.record.source_commit,
                        " computed it: without its file, cells/", first.hash,
                        ".json, it is computed anew");
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
