// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "postprocess.h"

#include <algorithm>
#include <utility>

namespace subspace::pipelines {
namespace {

using Steps = std::vector<KeyText>;

constexpr char kNone[] = "none";
constexpr char kKind[] = "affinity.kind";

Steps joined(Steps first, const Steps& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Steps unit_columns() {
  return {{kKind, "unit-columns"}, {"affinity.keep", "1"}, {"affinity.top", "50"}};
}
Steps max_columns() { return {{kKind, "max-columns"}, {"affinity.keep", "1"}}; }
Steps neighbors() {
  return {{kKind, "neighbors"}, {"affinity.keep", "1"}, {"affinity.neighbors", "3"}};
}
Steps maximum() { return {{kKind, "maximum"}, {"affinity.keep", "0.95"}}; }

/// DSC's script of COIL-20. Rows of its C are the representations, and it thins the columns.
Steps dsc_angles() {
  return {{kKind, "low-rank"},
          {"affinity.keep", "0.04"},
          {"affinity.keep_of", "others"},
          {"affinity.dimension", "12"},
          {"affinity.power", "8"},
          {"affinity.symmetrize", "true"},
          {"affinity.unit_diagonal", "true"},
          {"affinity.positive", "true"}};
}
/// EDSC's script of faces.
Steps edsc_angles() {
  return {{kKind, "low-rank"},
          {"affinity.keep", "1"},
          {"affinity.dimension", "10"},
          {"affinity.power", "4"},
          {"affinity.symmetrize", "true"},
          {"affinity.unit_diagonal", "false"},
          {"affinity.positive", "false"}};
}
Steps lrr_angles() {
  return {{kKind, "low-rank"},
          {"affinity.keep", "1"},
          {"affinity.dimension", "0"},
          {"affinity.power", "4"},
          {"affinity.symmetrize", "false"},
          {"affinity.unit_diagonal", "false"},
          {"affinity.positive", "false"}};
}

struct Clustering {
  const char* loops = "false";
  const char* scale = "unit-points";
  const char* dimensions = "0";
};

Steps by_kmeans(const Clustering& form, const char* init, const char* max_iterations) {
  return {{"affinity.loops", form.loops},
          {"embedding.scale", form.scale},
          {"embedding.dimensions", form.dimensions},
          {"assignment.algorithm", "kmeans"},
          {"kmeans.init", init},
          {"kmeans.restarts", "20"},
          {"kmeans.max_iterations", max_iterations}};
}

Steps by_discretisation(const Clustering& form) {
  return {{"affinity.loops", form.loops},
          {"embedding.scale", form.scale},
          {"embedding.dimensions", form.dimensions},
          {"assignment.algorithm", "discretize"},
          {"discretize.restarts", "1"},
          {"discretize.max_iterations", "20"}};
}

/// Degrees count the diagonal; MATLAB's k-means with 20 replicates of up to 1000 iterations.
Steps cluster_as_ssc() { return by_kmeans({.loops = "true"}, "plus-plus", "1000"); }
/// SciPy's Laplacian, which ignores the diagonal, and scikit-learn's k-means.
Steps cluster_as_ensc() { return by_kmeans({}, "plus-plus", "300"); }
Steps cluster_as_senet() { return by_kmeans({.dimensions = "15"}, "plus-plus", "300"); }
Steps cluster_as_esc() { return by_kmeans({.scale = "unit-walk"}, "plus-plus", "300"); }
Steps cluster_as_lrr() {
  return by_kmeans({.loops = "true", .scale = "random-walk"}, "rows", "300");
}
/// scikit-learn's SpectralClustering(affinity="precomputed", assign_labels="discretize").
Steps cluster_as_scikit_learn() { return by_discretisation({.scale = "random-walk"}); }
/// Normalised cuts as distributed with LSR and EDSC, but for the constant they add to the degrees.
Steps cut_normalised() { return by_discretisation({.loops = "true", .scale = "random-walk"}); }

bool is_neighbor_graph(const Postprocess& each) {
  return std::ranges::find(each.steps, KeyText{kKind, "neighbors"}) != each.steps.end();
}

Parameter parameter_of(std::string& name, std::vector<std::string> choices) {
  Parameter parameter;
  parameter.name = "postprocess";
  parameter.help =
      "published way from coefficients to labels: sets the options of affinity, embedding and "
      "assignment that are not set on their own";
  parameter.choices = std::move(choices);
  parameter.get = [&name]() -> ParameterValue { return name; };
  parameter.set = [&name](const ParameterValue& chosen) { name = std::get<std::string>(chosen); };
  return parameter;
}

}  // namespace

const std::vector<Postprocess>& postprocesses() {
  static const std::vector<Postprocess> all = {
      {"ssc", "SSC and KSSC: columns over their largest entry, k-means",
       joined(max_columns(), cluster_as_ssc())},
      {"ensc", "EnSC: the 50 largest of a column, columns to unit length, k-means",
       joined(unit_columns(), cluster_as_ensc())},
      {"knn", "EnSC on MNIST: graph of the 3 nearest columns, k-means",
       joined(neighbors(), cluster_as_ensc())},
      {"senet", "SENet on MNIST: graph of the 3 nearest columns, 15 eigenvectors, k-means",
       joined(neighbors(), cluster_as_senet())},
      {"esc", "ESC: graph of the 3 nearest columns, eigenvectors of the random walk, k-means",
       joined(neighbors(), cluster_as_esc())},
      {"dsc", "DSC on COIL-20: angles in the leading subspace, discretised",
       joined(dsc_angles(), cluster_as_scikit_learn())},
      {"edsc", "EDSC on faces: angles in the leading subspace, normalised cuts",
       joined(edsc_angles(), cut_normalised())},
      {"lrr", "LRR: angles in the column space, k-means from random samples",
       joined(lrr_angles(), cluster_as_lrr())},
      {"smce", "SMCE: the larger of both directions, k-means", joined(maximum(), cluster_as_ssc())},
      {"lsr", "LSR: columns over their largest entry, normalised cuts",
       joined(max_columns(), cut_normalised())},
  };
  return all;
}

Parameter postprocess_parameter(std::string& name) {
  std::vector<std::string> names = {kNone};
  for (const Postprocess& each : postprocesses()) names.push_back(each.name);
  return parameter_of(name, std::move(names));
}

Parameter neighbor_postprocess_parameter(std::string& name) {
  std::vector<std::string> names = {kNone};
  for (const Postprocess& each : postprocesses()) {
    if (is_neighbor_graph(each)) names.push_back(each.name);
  }
  return parameter_of(name, std::move(names));
}

Steps postprocess_steps(const std::string& name) {
  const auto meant = std::ranges::find(postprocesses(), name, &Postprocess::name);
  return meant == postprocesses().end() ? Steps() : meant->steps;
}

bool is_postprocess_step(const std::string& key) {
  return std::ranges::any_of(postprocesses(), [&](const Postprocess& each) {
    return std::ranges::find(each.steps, key, &KeyText::first) != each.steps.end();
  });
}

}  // namespace subspace::pipelines
