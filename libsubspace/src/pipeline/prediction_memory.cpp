// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipeline/peak_memory.h>

#include "classify/predict_bytes.h"
#include "linalg/sizes.h"
#include "preprocess/preprocess_bytes.h"

namespace subspace {
namespace {

double bytes_of(const Matrix& A) { return matrix_bytes(1.0, A.rows(), A.cols()); }

double model_bytes(const Subspaces& model) {
  double bytes = bytes_of(model.means);
  for (const Matrix& basis : model.bases) bytes += bytes_of(basis);
  return bytes;
}

/// `held`: the model, which the caller keeps. The points as they were given stay beside those that
/// the labels are found of.
std::vector<StageMemory> stages_of(const Preprocessor& preprocessor, double held,
                                   double labelling_bytes, Index num_points) {
  held += bytes_of(preprocessor.mean) + bytes_of(preprocessor.basis);
  const double given = held + matrix_bytes(1.0, preprocessor.dimension, num_points);
  return {{"load", given},
          {"preprocess", held + apply_bytes(preprocessor, num_points)},
          {"assignment", given + labelling_bytes}};
}

}  // namespace

std::vector<StageMemory> predicted_memory(const Preprocessor& preprocessor, const Subspaces& model,
                                          Index num_points, const Context& context) {
  return stages_of(preprocessor, model_bytes(model),
                   nearest_subspaces_bytes(model, num_points, context), num_points);
}

std::vector<StageMemory> predicted_memory(const Preprocessor& preprocessor,
                                          const LabelledExemplars& model, Index num_points,
                                          const Context& context) {
  return stages_of(preprocessor, bytes_of(model.exemplars),
                   exemplar_votes_bytes(model, num_points, context), num_points);
}

}  // namespace subspace
