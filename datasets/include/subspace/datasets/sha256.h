// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/sha256.h>

namespace subspace::datasets {

// Data sets and checkpoints are hashed alike, so the code is in core.
using subspace::content_sha256;
using subspace::Sha256;
using subspace::sha256;

}  // namespace subspace::datasets
