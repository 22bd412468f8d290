// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <sanitizer/asan_interface.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <subspace/core/context.h>
#include <subspace/core/error.h>
#include <subspace/datasets/point_set.h>

#include "io/mapped_file.h"

namespace subspace::datasets::fuzz {

using Bytes = std::span<const std::byte>;

inline Bytes bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}
inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Ends the program, which libFuzzer reports with the input, where a promise is broken.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// Messages reach terminals and logs, so nothing of a file may get into them as it is.
inline void require_printable(std::string_view text) {
  require(std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }),
          "messages are one line of printable characters");
  require(text.size() < 4000, "messages are short");
}

inline constexpr std::int64_t kMaxMemory = 64 << 20;
inline Context small_context() { return {.num_threads = 1, .max_memory = kMaxMemory}; }

/// Whether the action ends well. That an input is refused is fine; any other exception than the
/// suite's passes through and is a finding.
template <typename Action>
bool succeeds(const Action& action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    require_printable(error.what());
    return false;
  }
}

inline void require_sound(const PointSet& set, bool allow_non_finite) {
  require(set.X.size() > 0, "there are points");
  require(set.X.size() * Index{sizeof(double)} <= kMaxMemory, "points keep to the memory allowed");
  require(allow_non_finite || set.X.allFinite(), "points are finite");
  require(!set.image || set.image->num_values() == set.X.rows(), "the picture's shape is X's");
  for (const std::string& note : set.notes) require_printable(note);
}

/// The input as a file in memory. The rest of its last page is poisoned: to read there is a finding
/// as it would be behind a block of the heap.
class InputFile {
 public:
  explicit InputFile(Bytes bytes) : file_("input", bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    rest_ = (page - bytes.size() % page) % page;
    ASAN_POISON_MEMORY_REGION(file_.bytes().data() + bytes.size(), rest_);
  }
  ~InputFile() { ASAN_UNPOISON_MEMORY_REGION(file_.bytes().data() + file_.bytes().size(), rest_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const MappedFile& file() const { return file_; }

 private:
  MappedFile file_;
  std::size_t rest_ = 0;
};

}  // namespace subspace::datasets::fuzz
