// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <system_error>

#include "io/text.h"

namespace subspace::datasets {

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw_io_error(name(), ": no such file");
  if (!std::filesystem::is_regular_file(status)) {
    throw_io_error(name(), ": not a regular file; pipes and folders cannot be read here");
  }
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw_io_error(name(), ": ", error.message());
  if (size == 0) throw_io_error(name(), ": the file is empty");
  try {
    mapping_.open(path.string());
  } catch (const std::exception& failure) {
    throw_io_error(name(), ": cannot be read: ", failure.what());
  }
  bytes_ = std::as_bytes(std::span(mapping_.data(), mapping_.size()));
  // Every reader walks the file once from front to back. Only advice: a refusal changes nothing.
  static_cast<void>(
      ::posix_madvise(const_cast<char*>(mapping_.data()), mapping_.size(), POSIX_MADV_SEQUENTIAL));
}

void release_pages(std::span<const std::byte> mapped) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(mapped.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(mapped.data() + mapped.size()) / page * page;
  if (begin >= end) return;
  static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
}

}  // namespace subspace::datasets
