// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <memory>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/datasets/registry.h>

#include "table/plan.h"
#include "trials/families.h"

namespace subspace::pipelines {
namespace {

constexpr char kName[] = "yaleb";
/// The protocol of Elhamifar and Vidal: subjects are chosen inside these groups.
constexpr std::pair<int, int> kSubjects[] = {{1, 10}, {11, 20}, {21, 30}, {31, 38}};
constexpr int kCounts[] = {2, 3, 5, 8, 10};

/// Appends the choices of `count` numbers of first .. last in lexical order.
void append_choices(int first, int last, int count, std::vector<std::vector<int>>& choices) {
  if (count < 1 || count > last - first + 1) return;
  std::vector<int> choice(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) choice[static_cast<std::size_t>(i)] = first + i;
  while (true) {
    choices.push_back(choice);
    int place = count - 1;  // the last that can still grow
    while (place >= 0 && choice[static_cast<std::size_t>(place)] == last - (count - 1 - place)) {
      --place;
    }
    if (place < 0) return;
    int next = ++choice[static_cast<std::size_t>(place)];
    while (++place < count) choice[static_cast<std::size_t>(place)] = ++next;
  }
}

struct Faces {
  Matrix X = {};
  Labels subjects = {};
  std::string hash = {};
  std::vector<std::vector<int>> choices = {};  ///< of every trial

  /// The columns of a trial, in the order of the file.
  std::vector<Index> columns(std::size_t trial) const {
    std::vector<Index> chosen;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (std::ranges::binary_search(choices[trial], subjects[i])) {
        chosen.push_back(static_cast<Index>(i));
      }
    }
    return chosen;
  }
};

std::string name_of(const std::vector<int>& choice) {
  std::string name;
  for (const int subject : choice) name += message(name.empty() ? "" : "+", subject);
  return name;
}

Trial make_trial(const Faces& faces, std::size_t number) {
  const std::vector<int>& choice = faces.choices[number];
  const std::string name = name_of(choice);
  return {.name = name,
          .group = message(choice.size(), " subjects"),
          .num_clusters = static_cast<int>(choice.size()),
          .num_points = std::ssize(faces.columns(number)),
          .dimension = faces.X.rows(),
          .hash = content_hash({faces.hash, name})};
}

}  // namespace

std::vector<std::vector<int>> yaleb_choices(int count) {
  std::vector<std::vector<int>> choices;
  for (const auto& [first, last] : kSubjects) append_choices(first, last, count, choices);
  return choices;
}

TrialFamily load_yaleb_subjects(const std::string& data_dir, const Context& context) {
  const datasets::Dataset set({.set = kName}, datasets::dataset_folders(data_dir));
  const auto faces = std::make_shared<Faces>();
  faces->X = set.load_points({}, context).X;
  faces->subjects = set.load_labels(context);
  faces->hash = content_sha256(faces->X);
  TrialFamily family = {.name = "yaleb-subjects"};
  for (const int count : kCounts) {
    family.groups.push_back(message(count, " subjects"));
    for (auto& choice : yaleb_choices(count)) faces->choices.push_back(std::move(choice));
  }
  for (std::size_t i = 0; i < faces->choices.size(); ++i) {
    family.trials.push_back(make_trial(*faces, i));
  }
  family.points = [faces](std::size_t trial) -> Matrix {
    return faces->X(Eigen::all, faces->columns(trial));
  };
  family.truth = [faces](std::size_t trial) {
    Labels truth;
    for (const Index i : faces->columns(trial)) {
      truth.push_back(faces->subjects[static_cast<std::size_t>(i)]);
    }
    return truth;
  };
  return family;
}

}  // namespace subspace::pipelines
