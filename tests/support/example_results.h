// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/pipelines/results.h>

namespace subspace::testing {

struct ExampleSize {
  int classes = 20;
  int per_class = 36;
  int seeds = 3;
  int heat_map_side = 160;
};

/// A table of invented results for tests of reports: rows of every protocol and state, names that
/// would break careless pages, figures and thumbnails. The same on every call.
pipelines::TableResults example_results(const ExampleSize& size = {});

/// A row name that runs a script where it is not escaped.
inline constexpr char kHostileName[] =
    R"(<script>alert(1)</script> & "quotes" 'n' 50_% $x$ #1 a|b)";

}  // namespace subspace::testing
