// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

/// What this build is made of and what it finds on this machine: versions, linear algebra, LibTorch
/// and its devices, threads, memory, SIMD, OpenMP runtimes in the process.
SUBSPACE_API NamedValues build_info();
SUBSPACE_API std::string build_info_json();

}  // namespace subspace::pipelines
