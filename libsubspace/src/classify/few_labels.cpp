// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/classify/few_labels.h>

#include <cmath>
#include <numeric>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>

#include "classify/sampling.h"
#include "labels/groups.h"

namespace subspace {
namespace {

void check_arguments(const LabelledPoints& train, const LabelledPoints& test,
                     const std::vector<int>& counts, const FewLabelOptions& options,
                     const Classifier& method) {
  FewLabelOptions checked = options;
  check(describe(checked), "few_label_curve");
  if (!method) throw InvalidArgument("few_label_curve: the classifier is empty");
  require_labelled(train.points, train.labels, "few_label_curve");
  require_labelled(test.points, test.labels, "few_label_curve");
  if (train.points.rows() != test.points.rows()) {
    throw DataError(message("few_label_curve: training points have ", train.points.rows(),
                            " features, test points have ", test.points.rows(),
                            "; they must agree"));
  }
  for (const int count : counts) {
    if (count >= 1 && count <= train.points.cols()) continue;
    throw DataError(message("few_label_curve: count = ", count, ", must satisfy 1 <= count <= ",
                            train.points.cols(), ", the number of training points"));
  }
}

double accuracy_with(const LabelledPoints& train, const LabelledPoints& test,
                     std::vector<Index> chosen, int count, const Classifier& method,
                     const Context& context) {
  chosen.resize(static_cast<std::size_t>(count));
  Labels labels;
  for (const Index j : chosen) labels.push_back(train.labels[j]);
  return accuracy(method(gather(train.points, chosen), labels, test.points, context), test.labels);
}

void summarise(FewLabelAccuracy& result) {
  const auto& values = result.accuracies;
  const double n = static_cast<double>(values.size());
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return;
  double squares = 0.0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.standard_deviation = std::sqrt(squares / (n - 1.0));
}

}  // namespace

double accuracy(const Labels& predicted, const Labels& truth) {
  if (predicted.size() != truth.size()) {
    throw DataError(message("accuracy: ", predicted.size(), " labels and ", truth.size(),
                            " true labels, must be as many"));
  }
  if (predicted.empty()) throw DataError("accuracy: 0 labels, must be at least 1");
  std::size_t right = 0;
  for (std::size_t j = 0; j < truth.size(); ++j) right += predicted[j] == truth[j];
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

Classifier classifier(const LinearSvmOptions& options, std::uint64_t seed) {
  return [options, seed](const ConstMatrixRef& X, const Labels& labels,
                         const ConstMatrixRef& queries, const Context& context) {
    return predict(fit_linear_svm(X, labels, options, seed, context), queries, context);
  };
}

Classifier classifier(const NeighborVoteOptions& options) {
  return [options](const ConstMatrixRef& X, const Labels& labels, const ConstMatrixRef& queries,
                   const Context& context) {
    return neighbor_vote(X, labels, queries, options, context);
  };
}

Classifier classifier(const NearestSubspaceOptions& options) {
  return [options](const ConstMatrixRef& X, const Labels& labels, const ConstMatrixRef& queries,
                   const Context& context) {
    return predict(fit_subspaces(X, labels, options, context), queries, context);
  };
}

Parameters describe(FewLabelOptions& options) {
  return {
      parameter("samplings", options.samplings, "random choices of the labelled points")
          .at_least(1),
  };
}

std::vector<FewLabelAccuracy> few_label_curve(const LabelledPoints& train,
                                              const LabelledPoints& test,
                                              const std::vector<int>& counts,
                                              const FewLabelOptions& options,
                                              const Classifier& method, std::uint64_t seed,
                                              const Context& context) {
  check_arguments(train, test, counts, options, method);
  std::vector<FewLabelAccuracy> curve(counts.size());
  for (std::size_t c = 0; c < counts.size(); ++c) {
    curve[c].num_labels = counts[c];
    curve[c].accuracies.resize(static_cast<std::size_t>(options.samplings));
  }
  Context silent = context;
  silent.progress = {};
  for_tiles(
      context, options.samplings, 1,
      [&](const Tile& tile) {
        const std::vector<Index> order =
            balanced_order(train.labels, seed, static_cast<int>(tile.begin));
        for (FewLabelAccuracy& point : curve) {
          point.accuracies[tile.begin] =
              accuracy_with(train, test, order, point.num_labels, method, silent);
        }
      },
      "few-labels");
  for (FewLabelAccuracy& point : curve) summarise(point);
  return curve;
}

}  // namespace subspace
