// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <vector>

#include <subspace/core/atomic_file.h>
#include <subspace/datasets/sha256.h>

#include "fetch/http_response.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

constexpr const char* kMetaTitle = "subspace download part, version 1";

std::filesystem::path with_suffix(std::filesystem::path path, const char* suffix) {
  path += suffix;
  return path;
}

}  // namespace

std::string Origin::if_range() const {
  return etag.empty() || etag.starts_with("W/") ? last_modified : etag;
}

PartFile::PartFile(const std::filesystem::path& target)
    : target_(target),
      path_(with_suffix(target, ".part")),
      meta_path_(with_suffix(target, ".part.meta")) {
  if (std::filesystem::is_directory(target)) {
    throw_io_error("cannot write ", target.string(), ": it is a folder");
  }
  do {
    open_and_lock();
  } while (!is_still_at_its_path());
  struct stat status = {};
  if (::fstat(file_.get(), &status) != 0) throw_write_error(path_);
  if (!S_ISREG(status.st_mode)) {
    throw_io_error("cannot write ", path_.string(), ": it is no regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  continued_ = size_ > 0;
  read_origin();
}

PartFile::~PartFile() {
  if (finished_ || size_ > 0) return;
  ::unlink(path_.c_str());
  ::unlink(meta_path_.c_str());
}

void PartFile::open_and_lock() {
  // Without O_NONBLOCK a FIFO of this name would wait for a reader.
  constexpr int kFlags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  file_ = Descriptor(::open(path_.c_str(), kFlags, 0666));
  if (!file_) throw_write_error(path_);
  // A file system without locks is no reason to refuse.
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw_io_error("cannot write ", path_.string(), ": another download is writing it");
  }
}

/// The download that held the lock before may have given the file its final name meanwhile.
bool PartFile::is_still_at_its_path() const {
  struct stat opened = {}, present = {};
  return ::fstat(file_.get(), &opened) == 0 && ::lstat(path_.c_str(), &present) == 0 &&
         opened.st_ino == present.st_ino && opened.st_dev == present.st_dev;
}

void PartFile::read_origin() {
  std::ifstream in(meta_path_);
  std::string title, total;
  Origin origin;
  if (!std::getline(in, title) || title != kMetaTitle) return;
  if (!std::getline(in, origin.url) || !std::getline(in, origin.etag)) return;
  if (!std::getline(in, origin.last_modified) || !std::getline(in, total)) return;
  origin.total = parse_number(total);
  origin_ = origin;
}

void PartFile::write_origin() const {
  const std::string total = origin_.total ? std::to_string(*origin_.total) : "unknown";
  write_file_atomically(meta_path_, message(kMetaTitle, '\n', origin_.url, '\n', origin_.etag, '\n',
                                            origin_.last_modified, '\n', total, '\n'));
}

void PartFile::start(const Origin& origin) {
  discard();
  origin_ = origin;
  write_origin();
}

void PartFile::discard() {
  // The origin goes first: bytes without one are never continued.
  ::unlink(meta_path_.c_str());
  origin_ = {};
  continued_ = false;
  if (::ftruncate(file_.get(), 0) != 0) throw_write_error(path_);
  size_ = 0;
}

void PartFile::append(std::span<const std::byte> bytes) {
  try {
    write_all(file_, bytes, path_);
  } catch (...) {
    struct stat status = {};
    if (::fstat(file_.get(), &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
    throw;
  }
  size_ += bytes.size();
}

std::string PartFile::sha256(const Context& context) const {
  Sha256 hash;
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  for (std::uint64_t offset = 0; offset < size_;) {
    context.throw_if_cancelled();
    const ssize_t n =
        ::pread(file_.get(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_io_error(path_.string(), ": cannot be read back at byte ", offset);
    hash.update(std::span(buffer).first(static_cast<std::size_t>(n)));
    offset += static_cast<std::uint64_t>(n);
  }
  return hash.finish();
}

void PartFile::finish() {
  if (::fsync(file_.get()) != 0) throw_write_error(path_);
  if (::rename(path_.c_str(), target_.c_str()) != 0) throw_write_error(target_);
  finished_ = true;
  ::unlink(meta_path_.c_str());
  sync_folder(folder_of(target_));
}

}  // namespace subspace::datasets
