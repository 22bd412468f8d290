// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>
#include <set>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/datasets/registry.h>

#include "trials/families.h"

namespace subspace::pipelines {
namespace {

constexpr char kName[] = "hopkins155";

struct Sequences {
  std::vector<Matrix> points = {};
  std::vector<Labels> truth = {};
};

}  // namespace

TrialFamily load_hopkins155(const std::string& data_dir, const Context& context) {
  const auto folders = datasets::dataset_folders(data_dir);
  TrialFamily family = {.name = kName, .groups = {"2 motions", "3 motions"}, .together = "all"};
  const auto sequences = std::make_shared<Sequences>();
  for (const std::string& item : datasets::Dataset({.set = kName}, folders).items()) {
    context.throw_if_cancelled();
    const datasets::Dataset sequence({.set = kName, .item = item}, folders);
    Matrix X = sequence.load_points({}, context).X;
    Labels truth = sequence.load_labels(context);
    const auto motions = static_cast<int>(std::set<int>(truth.begin(), truth.end()).size());
    family.trials.push_back({.name = item,
                             .group = message(motions, " motions"),
                             .num_clusters = motions,
                             .num_points = X.cols(),
                             .dimension = X.rows(),
                             .hash = content_sha256(X)});
    sequences->points.push_back(std::move(X));
    sequences->truth.push_back(std::move(truth));
  }
  family.points = [sequences](std::size_t trial) { return sequences->points[trial]; };
  family.truth = [sequences](std::size_t trial) { return sequences->truth[trial]; };
  return family;
}

}  // namespace subspace::pipelines
