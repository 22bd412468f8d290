// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/progress.h>

namespace subspace {

/// How a call is carried out, as against what it computes: results never depend on it.
struct Context {
  int num_threads = 0;             ///< 0: all the process may use, see available_threads()
  ProgressCallback progress = {};  ///< empty: silent
  const CancelToken* cancel = nullptr;
  std::int64_t max_memory = 0;  ///< bytes; 0: 80 % of available_memory()

  void report(const std::string& phase, std::int64_t done, std::int64_t total) const {
    if (progress) progress({phase, done, total});
  }
  void throw_if_cancelled() const {
    if (cancel != nullptr) cancel->throw_if_requested();
  }
};

}  // namespace subspace
