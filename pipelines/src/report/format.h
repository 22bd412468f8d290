// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>

#include <subspace/core/parameters.h>
#include <subspace/pipelines/results.h>

/// Numbers and values as text, the same in every format of a report. A number that does not exist
/// is an empty text where programs read it and a dash where people do.
namespace subspace::pipelines::report {

inline constexpr char kNoNumber[] = "\u2013";  // an en dash

std::string fixed(double value, int digits);
/// Three significant digits and never an exponent: 0.0123, 1.23, 12.3, 1234.
std::string significant(double value);
/// Of a number with a point, the zeros it ends in: 1.5 for 1.500, 2 for 2.0.
std::string without_end_zeros(std::string number);
/// The shortest text that reads back to the same number.
std::string exact(double value);
/// "0.41 s", "3.2 s", "4.1 min", "2.3 h".
std::string duration(double seconds);
/// "1 seed", "2 seeds".
std::string counted(std::int64_t count, const std::string& noun);
/// As it was set: numbers in full.
std::string value_text(const ParameterValue& value);
/// As it was measured: numbers with four significant digits, 25275, 0.9601, 1.154e-15.
std::string measured_text(const ParameterValue& value);
/// "a", "a and b", "a, b and c".
std::string joined(const std::vector<std::string>& words);
/// On one line: breaks and other control characters become spaces.
std::string one_line(const std::string& text);

}  // namespace subspace::pipelines::report
