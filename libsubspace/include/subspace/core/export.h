// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

/// Marks what a shared library of the suite offers; everything else is hidden.
/// Exception classes carry it too, so that they can be caught across libraries.
#define SUBSPACE_API __attribute__((visibility("default")))
