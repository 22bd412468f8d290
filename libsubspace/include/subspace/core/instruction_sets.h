// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

// A function marked so is compiled for several instruction sets and chosen at load time, for the
// libraries themselves target a generic processor. Resolvers of cloned functions run before a
// sanitizer's runtime is ready. clang 14 takes the mark and always chooses the default.
#if defined(__x86_64__) && !defined(SUBSPACE_SANITIZED)
#define SUBSPACE_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SUBSPACE_CLONES
#endif

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace subspace {

/// Whether this processor is known to lack instructions that multiply numbers of bfloat16, so that
/// libraries make do without.
inline bool lacks_bfloat16() {
#if defined(__x86_64__)
  return !__builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

/// Whether this processor multiplies tiles of bfloat16 (AMX) and has the vector instructions that
/// fill them. Using them takes the leave of the system besides: see bfloat16_tiles().
inline bool processor_has_bfloat16_tiles() {
#if defined(__x86_64__)
  constexpr unsigned kBFloat16Tiles = 1U << 22, kTiles = 1U << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kTiles) != 0 &&
         (d & kBFloat16Tiles) != 0 && !lacks_bfloat16() && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

/// Linux keeps the contents of tiles (8 KB a thread) for processes that have asked for them.
inline bool system_grants_tiles() {
#if defined(__x86_64__) && defined(__linux__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM of asm/prctl.h
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

enum class BFloat16Tiles {
  kUsable,
  kAbsent,  ///< the processor has none
  kRefused  ///< it has, but the system does not let this process use them
};

/// Asks the system at the first call (of each library, which changes nothing), and only where the
/// processor has tiles.
inline BFloat16Tiles bfloat16_tiles() {
  static const BFloat16Tiles found = !processor_has_bfloat16_tiles() ? BFloat16Tiles::kAbsent
                                     : system_grants_tiles()         ? BFloat16Tiles::kUsable
                                                                     : BFloat16Tiles::kRefused;
  return found;
}

/// Whether this process can multiply tiles of bfloat16.
inline bool has_bfloat16_tiles() { return bfloat16_tiles() == BFloat16Tiles::kUsable; }

}  // namespace subspace
