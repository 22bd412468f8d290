// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

namespace subspace::app {

/// A record for people: a few lines of text.
std::string summary(const pipelines::Record& record, const pipelines::RunSettings& settings);

/// Writes the files that the settings ask for, then the record as they want it shown, and its
/// warnings. Returns the exit code of what it says.
int hand_over(const pipelines::Record& record, const pipelines::RunSettings& settings);

/// kBadData and the error where a truth that was asked for could not be used; the result is written
/// by then.
int code_of_evaluation(const std::string& not_evaluated);

/// "ACC 0.7604  NMI 0.8812  ARI 0.7011  ..." with all metrics.
std::string metrics_text(const PartitionMetrics& metrics);

/// "1 point", "2 points".
std::string counted(std::int64_t count, const std::string& noun);

/// Number with so many digits after the point.
std::string fixed(double value, int digits);

}  // namespace subspace::app
