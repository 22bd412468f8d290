// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/memory.h>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <sstream>

#include <subspace/core/error.h>

namespace subspace {
namespace {

std::string gigabytes(double bytes) {
  std::ostringstream out;
  out << std::setprecision(3) << bytes / 1e9 << " GB";
  return out.str();
}

}  // namespace

std::int64_t available_memory() {
  std::int64_t bytes =
      static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE);
  for (const char* file :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::int64_t limit = 0;
    if (std::ifstream(file) >> limit && limit > 0)
      bytes = std::min(bytes, limit);  // "max" does not parse
  }
  return bytes;
}

double allowed_memory(const Context& context) {
  if (context.max_memory > 0) return static_cast<double>(context.max_memory);
  return 0.8 * static_cast<double>(available_memory());
}

std::int64_t peak_memory() {
  // VmHWM, unlike the resource usage, can be started anew.
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

void restart_peak_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  // 5 is the kernel's word for it [proc(5), /proc/PID/clear_refs].
  std::ofstream("/proc/self/clear_refs") << 5;
}

void check_memory(const std::string& function, double needed_bytes, double allowed_bytes,
                  const std::string& hint) {
  if (needed_bytes <= allowed_bytes) return;
  throw ResourceError(message(function, ": needs about ", gigabytes(needed_bytes), " of memory, ",
                              gigabytes(allowed_bytes), " allowed; ", hint));
}

}  // namespace subspace
