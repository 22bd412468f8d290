// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/neural/training.h>

/// What a training takes, known before it starts.
namespace subspace::neural {

/// Bytes of a step on so many images: the views of its batch, the graph of those that are held at
/// one time, the weights with what training keeps beside them, and the cosines of SimCLR.
SUBSPACE_API double step_bytes(const TrainingOptions& options, const ImageShape& shape,
                               Index num_images);

/// Bytes in use while a program trains: a step, all images as they are given and as the network
/// takes them, and LibTorch itself. train() refuses by this.
SUBSPACE_API double training_bytes(const TrainingOptions& options, const ImageShape& shape,
                                   Index num_images);

}  // namespace subspace::neural
