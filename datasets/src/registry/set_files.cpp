// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/set_files.h"

#include <subspace/datasets/turntable.h>

#include "images/image_files.h"
#include "registry/generated_sets.h"
#include "registry/matrix_set.h"
#include "registry/sequences.h"
#include "registry/stack_set.h"
#include "registry/turntable_set.h"

namespace subspace::datasets {

PointSet read_set_points(const Located& located, const std::string& shown_as,
                         const std::string& item, const LoadOptions& options,
                         const Context& context) {
  switch (located.layout->kind) {
    case Layout::Kind::kImageFiles:
      return load_image_files(located.files.front(), options, context, located.layout->stored);
    case Layout::Kind::kMatrix:
      return read_matrix_points(located, shown_as, options, context);
    case Layout::Kind::kTrajectories:
      return Sequences(located.files.front()).load_points(item, context);
    case Layout::Kind::kTurntable:
      return render_set_points(shown_as, options, context);
    case Layout::Kind::kGenerated:
      return generate_set(*located.layout, shown_as, item).points;
    default:
      return read_stack_points(located, shown_as, options, context);
  }
}

Labels read_set_labels(const Located& located, const std::string& shown_as, const std::string& item,
                       const Context& context) {
  switch (located.layout->kind) {
    case Layout::Kind::kImageFiles:
      return load_labels(located.files.front(), {}, context);
    case Layout::Kind::kMatrix:
      return load_labels(located.files.front(), {.y = located.layout->y}, context);
    case Layout::Kind::kTrajectories:
      return Sequences(located.files.front()).load_labels(item, context);
    case Layout::Kind::kTurntable:
      return turntable_truth();
    case Layout::Kind::kGenerated:
      return generate_set(*located.layout, shown_as, item).truth;
    default:
      return read_stack_labels(located, shown_as, context);
  }
}

std::vector<std::string> set_items(const Located& located) {
  if (located.layout->kind != Layout::Kind::kTrajectories) return {};
  return Sequences(located.files.front()).names();
}

}  // namespace subspace::datasets
