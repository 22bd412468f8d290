// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/tree_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "io/byte_stream.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGrace = std::uint64_t{16} << 20;
constexpr std::size_t kLongestName = 1024;

/// The final name without a slash at its end, at which nothing may be yet.
fs::path free_name(const fs::path& folder) {
  fs::path name = folder.has_filename() ? folder : folder.parent_path();
  std::error_code unreadable;
  const fs::file_status status = fs::symlink_status(name, unreadable);
  const bool is_free =
      !fs::exists(status) || (fs::is_directory(status) && fs::is_empty(name, unreadable));
  if (!is_free) throw_io_error("cannot write ", name.string(), ": it exists already");
  return name;
}

fs::path make_temporary_beside(const fs::path& folder) {
  static std::atomic<int> counter = 0;
  for (;;) {
    fs::path name = message(folder.string(), ".tmp-", ::getpid(), "-", counter++);
    if (::mkdir(name.c_str(), 0755) == 0) return name;
    if (errno != EEXIST) throw_write_error(folder);
  }
}

}  // namespace

void check_expansion(const std::string& archive, std::uint64_t produced, std::uint64_t consumed) {
  if (produced <= kGrace || (produced - kGrace) / kMaxDeflateRatio <= consumed) return;
  throw_io_error(archive, ": ", consumed, " bytes expand to more than ", produced,
                 ", at most a factor of ", kMaxDeflateRatio, " is allowed");
}

TreeWriter::TreeWriter(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits)
    : archive_(archive.string()),
      folder_(free_name(folder)),
      temporary_(make_temporary_beside(folder_)),
      limits_(limits),
      root_(::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
  if (!root_) {
    const int cause = errno;
    ::rmdir(temporary_.c_str());
    errno = cause;
    throw_write_error(folder_);
  }
}

TreeWriter::~TreeWriter() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

/// The names between the slashes, after all rules on names. Empty for the top folder, "./".
std::vector<std::string> TreeWriter::components(std::string_view member) const {
  if (member.empty()) refuse(member, "has no name");
  if (member.size() > kLongestName) refuse(member, "the name is longer than ", kLongestName);
  if (member.front() == '/') refuse(member, "the name is absolute");
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::ranges::any_of(member, is_control)) refuse(member, "control characters in the name");
  if (member.find('\\') != member.npos) refuse(member, "a backslash in the name");
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= member.size();) {
    const std::size_t end = std::min(member.find('/', begin), member.size());
    const auto name = member.substr(begin, end - begin);
    if (name == "..") refuse(member, "'..' in the name");
    if (!name.empty() && name != ".") names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

void TreeWriter::count_entry(std::string_view member) {
  if (++entries_ > limits_.max_files) {
    refuse(member, "more than the ", limits_.max_files, " files and folders allowed");
  }
}

/// Opens the folder these names lead to, making what is missing of it.
Descriptor TreeWriter::open_folders(std::string_view member, std::span<const std::string> names) {
  Descriptor folder(::fcntl(root_.get(), F_DUPFD_CLOEXEC, 0));
  if (!folder) refuse(member, std::strerror(errno));
  for (const auto& name : names) {
    if (::mkdirat(folder.get(), name.c_str(), 0755) == 0) {
      count_entry(member);
    } else if (errno != EEXIST) {
      refuse(member, "cannot be written: ", std::strerror(errno));
    }
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    folder = Descriptor(::openat(folder.get(), name.c_str(), kFlags));
    if (!folder) refuse(member, "'", printable(name), "' is a file and a folder at once");
  }
  return folder;
}

void TreeWriter::make_folder(std::string_view member) { open_folders(member, components(member)); }

void TreeWriter::begin_file(std::string_view member, std::uint64_t declared, bool executable) {
  const auto names = components(member);
  if (names.empty()) refuse(member, "the name is that of the folder itself");
  if (declared > limits_.max_bytes - unpacked_.bytes) {
    refuse(member, "declares ", declared, " bytes, and all files together may have at most ",
           limits_.max_bytes);
  }
  const Descriptor folder = open_folders(member, std::span(names).first(names.size() - 1));
  count_entry(member);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_ =
      Descriptor(::openat(folder.get(), names.back().c_str(), kFlags, executable ? 0755 : 0644));
  if (!file_ && errno == EEXIST) refuse(member, "the name occurs twice");
  if (!file_) refuse(member, "cannot be written: ", std::strerror(errno));
  member_ = member;
  ++unpacked_.files;
}

void TreeWriter::write(std::span<const std::byte> bytes) {
  if (bytes.size() > limits_.max_bytes - unpacked_.bytes) {
    refuse(member_, "all files together have more than the ", limits_.max_bytes, " bytes allowed");
  }
  write_all(file_, bytes, folder_ / member_);
  unpacked_.bytes += bytes.size();
}

void TreeWriter::end_file() { file_ = Descriptor(); }

void TreeWriter::move_into_place() {
  // One call for all files: to sync each by itself takes longer than to unpack them.
  if (::syncfs(root_.get()) != 0) throw_write_error(folder_);
  if (::rename(temporary_.c_str(), folder_.c_str()) != 0) throw_write_error(folder_);
  temporary_.clear();
  sync_folder(folder_of(folder_));
}

}  // namespace subspace::datasets
