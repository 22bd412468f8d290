// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

#include "images/resample.h"
#include "io/content.h"

namespace subspace::datasets {

/// Records of one size, one after another: a few label bytes, then an 8-bit picture.
struct PictureRecords {
  Content content = {};
  Index count = 0;
  ImageShape shape = {};
  int label_bytes = 0;         ///< before the picture
  bool columns_first = false;  ///< each channel column by column, as STL-10 has it

  Index record_bytes() const { return label_bytes + shape.num_values(); }
};

/// Reads all pictures into columns first .. first + count - 1 of X. Labels are stepped over.
void read_pictures(PictureRecords& records, const Resampler& resampler, const Context& context,
                   Matrix& X, Index first);

/// Reads label byte `which` of all records.
Labels read_record_labels(PictureRecords& records, int which, const Context& context);

/// CIFAR-10 (label, picture) or CIFAR-100 (coarse label, fine label, picture), told apart by the
/// size of the file. Throws IoError if it is neither.
PictureRecords open_cifar(const MappedFile& file);

}  // namespace subspace::datasets
