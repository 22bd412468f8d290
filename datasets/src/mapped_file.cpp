// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "mapped_file.h"

#include <sys/mman.h>

#include <exception>
#include <system_error>

#include "text.h"

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

}  // namespace subspace::datasets
