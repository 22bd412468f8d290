// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/atomic_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ext/stdio_filebuf.h>
#include <string>

#include <subspace/core/error.h>

namespace subspace {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw IoError(message("cannot write ", path.string(), ": ", what));
}

[[noreturn]] void fail_errno(const std::filesystem::path& path) {
  fail(path, std::strerror(errno));
}

/// Where the bytes go: a symbolic link stays one, and nothing but a regular file is ever replaced:
/// a rename would put a file in the place of /dev/null.
std::filesystem::path replaceable(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (fs::is_directory(status)) fail(path, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) fail(path, "it is no regular file");
  return fs::is_symlink(fs::symlink_status(path, unknown)) ? fs::weakly_canonical(path) : path;
}

/// A temporary file that is removed unless it was moved to its final name.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& final_path) : final_(final_path) {
    static std::atomic<int> counter = 0;
    do {
      name_ = message(final_path.string(), ".tmp-", ::getpid(), "-", counter++);
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) fail_errno(final_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!moved_) ::unlink(name_.c_str());
  }

  int descriptor() const { return descriptor_; }

  void move_to_final_name() {
    if (::fsync(descriptor_) != 0) fail_errno(final_);
    const int closing = descriptor_;
    descriptor_ = -1;
    if (::close(closing) != 0) fail_errno(final_);
    if (::rename(name_.c_str(), final_.c_str()) != 0) fail_errno(final_);
    moved_ = true;
  }

 private:
  std::filesystem::path final_;
  std::string name_;
  int descriptor_ = -1;
  bool moved_ = false;
};

/// Makes the rename itself durable.
void sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // the file is written; some file systems refuse to open folders
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write) {
  const std::filesystem::path target = replaceable(path);
  Temporary temporary(target);
  {
    const int copy = ::dup(temporary.descriptor());
    if (copy < 0) fail_errno(path);
    __gnu_cxx::stdio_filebuf<char> buffer(copy, std::ios::out | std::ios::binary);
    std::ostream out(&buffer);
    errno = 0;
    write(out);
    out.flush();
    if (!out) fail(path, errno != 0 ? std::strerror(errno) : "the data could not be written");
  }
  temporary.move_to_final_name();
  sync_folder_of(target);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  write_file_atomically(path, [content](std::ostream& out) {
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

}  // namespace subspace
