// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#else
inline void __tsan_acquire(void*) {}
inline void __tsan_release(void*) {}
#endif

namespace subspace {

/// Tells ThreadSanitizer what TBB guarantees inside a library it cannot see into: the caller's work
/// happens before every tile, every tile before the caller goes on. Tiles are not ordered among
/// themselves, so a race between two of them is still found. Nothing in other builds.
class LoopOrder {
 public:
  void before_loop() { __tsan_release(&start_); }
  void enter_tile() { __tsan_acquire(&start_); }
  void leave_tile() { __tsan_release(&end_); }
  void after_loop() { __tsan_acquire(&end_); }

 private:
  char start_ = 0;
  char end_ = 0;
};

}  // namespace subspace
