// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <iostream>
#include <string>

#include <subspace/core/atomic_file.h>
#include <subspace/pipelines/report.h>

#include "support/example_results.h"

/// sample_report FILE [CLASSES]: the invented results of tests as a report, for the test in a
/// browser and for a look at a change of the page. FILE may be a .json, too, which `subspace
/// report` reads.
int main(int argc, char** argv) {
  using namespace subspace;
  if (argc < 2) {
    std::cerr << "usage: sample_report FILE [CLASSES]\n";
    return 2;
  }
  testing::ExampleSize size;
  if (argc > 2) size.classes = std::stoi(argv[2]);
  const auto table = testing::example_results(size);
  const std::filesystem::path path = argv[1];
  if (path.extension() == ".json") {
    write_file_atomically(path, pipelines::to_json(table));
  } else {
    pipelines::write_report({table}, path);
  }
  return 0;
}
