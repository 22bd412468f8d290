// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/datasets/image.h>

namespace subspace::datasets {

/// Pictures of solid objects on a turning stage: our stand-in for COIL-20 and COIL-100, which may
/// not be redistributed. The objects are made of simple solids, textured, lit by lamps that stand
/// still in the room, and seen by a camera a little above them.
struct TurntableOptions {
  int objects = 20;        ///< 1 .. 1000; the first 20 are designed, the others drawn by the seed
  int poses = 72;          ///< 1 .. 720; pose p is turned by 360 p / poses degrees
  int size = 64;           ///< 8 .. 512; pictures are size x size pixels
  bool color = false;      ///< false: the mean of the three channels, rounded half up
  std::uint64_t seed = 0;  ///< of the objects from number 20 on, and of the camera's noise
};

/// Renders object 0 in all its poses, then object 1, and so on. A picture depends on its object,
/// its angle, its size and the seed alone, and is the same bytes on every machine.
SUBSPACE_API ImageStack render_turntable(const TurntableOptions& options = {},
                                         const Context& context = {});

/// The object, 0 .. objects - 1, of each picture of render_turntable().
SUBSPACE_API Labels turntable_truth(const TurntableOptions& options = {});

}  // namespace subspace::datasets
