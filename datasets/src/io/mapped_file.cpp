// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
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

namespace {

/// A copy in shared anonymous pages: release_pages() may drop these like those of a file and the
/// system still has them, whereas private pages would come back as zeros.
std::shared_ptr<std::byte> shared_copy(std::span<const std::byte> bytes) {
  void* pages =
      ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  std::memcpy(pages, bytes.data(), bytes.size());
  return {static_cast<std::byte*>(pages),
          [size = bytes.size()](std::byte* begin) { ::munmap(begin, size); }};
}

}  // namespace

MappedFile::MappedFile(const std::string& shown_as, std::span<const std::byte> bytes)
    : path_(shown_as) {
  if (bytes.empty()) throw_io_error(name(), ": the file is empty");
  copy_ = shared_copy(bytes);
  bytes_ = {copy_.get(), bytes.size()};
}

void release_pages(std::span<const std::byte> mapped) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(mapped.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(mapped.data() + mapped.size()) / page * page;
  if (begin >= end) return;
  static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
}

}  // namespace subspace::datasets
