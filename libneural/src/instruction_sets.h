// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

// A function marked so is compiled for several instruction sets and chosen at load time. Resolvers
// of cloned functions run before a sanitizer's runtime is ready.
#if defined(__x86_64__) && !defined(SUBSPACE_SANITIZED)
#define SUBSPACE_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SUBSPACE_CLONES
#endif
