// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/build_info.h>

#include <boost/version.hpp>
#include <fstream>
#include <set>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/instruction_sets.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/version.h>

#include "json.h"
#include "neural_runtime.h"

namespace subspace::pipelines {
namespace {

std::string compiler() {
#if defined(__clang__)
  return message("clang ", __clang_major__, ".", __clang_minor__);
#else
  return message("gcc ", __GNUC__, ".", __GNUC_MINOR__);
#endif
}

std::string boost_version() {
  return message(BOOST_VERSION / 100000, ".", BOOST_VERSION / 100 % 1000, ".", BOOST_VERSION % 100);
}

/// Vector instructions that this processor offers; libraries below choose among them as they run.
std::string simd() {
#if defined(__x86_64__)
  std::string text = "sse2";
  if (__builtin_cpu_supports("avx")) text += " avx";
  if (__builtin_cpu_supports("avx2")) text += " avx2";
  if (__builtin_cpu_supports("fma")) text += " fma";
  if (__builtin_cpu_supports("avx512f")) text += " avx512f";
  if (!lacks_bfloat16()) text += " avx512bf16";
  if (has_bfloat16_tiles()) text += " amx-bf16";
  return text;
#elif defined(__aarch64__)
  return "neon";
#else
  return "unknown";
#endif
}

/// OpenMP runtimes mapped into this process. Two of them in one process are known to hang or to
/// spin.
std::string openmp_runtimes() {
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.rfind('/');
    if (slash == std::string::npos) continue;
    const std::string file = line.substr(slash + 1);
    for (const char* runtime : {"libgomp", "libiomp", "libomp"}) {
      if (file.rfind(runtime, 0) == 0) found.insert(line.substr(line.find('/')));
    }
  }
  std::string text;
  for (const std::string& path : found) text += (text.empty() ? "" : ", ") + path;
  return text.empty() ? "none" : text;
}

}  // namespace

NamedValues build_info() {
  NamedValues info = {
      {"version", std::string(SUBSPACE_VERSION)},
      {"compiler", compiler()},
      {"backend", backend_name()},
      {"eigen", message(EIGEN_WORLD_VERSION, ".", EIGEN_MAJOR_VERSION, ".", EIGEN_MINOR_VERSION)},
      {"boost", boost_version()},
      {"libtorch", neural_version()},
      {"cuda", neural_cuda()},
      {"devices", neural_devices()},
      {"simd", simd()},
      {"threads", std::int64_t{available_threads()}},
      {"memory_mb", static_cast<double>(available_memory()) / 1e6},
      {"openmp", openmp_runtimes()}};
  return info;
}

std::string build_info_json() { return json_text(json_object(build_info()), 2); }

}  // namespace subspace::pipelines
