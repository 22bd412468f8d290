// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/unpack_tar.h"

#include <archive_entry.h>

#include <exception>
#include <vector>

#include "fetch/libarchive.h"

namespace subspace::datasets {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18;
constexpr la_int64_t kTarBlock = 512;
/// Writers fill the last record, of 10 kB or some more, with zeros.
constexpr std::uint64_t kMostPadding = std::uint64_t{16} << 20;

class TarReader {
 public:
  TarReader(InflatedFile& file, TreeWriter& out, const std::function<void()>& on_bytes)
      : file_(file), out_(out), on_bytes_(on_bytes) {
    archive_read_support_format_tar(reader_.get());
    check(archive_read_open2(reader_.get(), this, nullptr, &TarReader::read_callback, nullptr,
                             nullptr));
  }

  void unpack_all() {
    while (archive_entry* const entry = next_entry()) unpack_entry(entry);
    for (std::uint64_t padding = 0; std::size_t n = feed(); padding += n) {
      if (padding > kMostPadding) throw_io_error(out_.archive(), ": data behind its end");
    }
  }

 private:
  /// The next member; null after the mark that ends an archive.
  archive_entry* next_entry() {
    const la_int64_t before = archive_filter_bytes(reader_.get(), 0);
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader_.get(), &entry);
    if (status == ARCHIVE_EOF && !failure_) {
      // libarchive also takes the end of the file between two members for the end of the archive.
      // All of the last member is read by now, so the mark alone moves on by a block.
      if (archive_filter_bytes(reader_.get(), 0) - before < kTarBlock) {
        throw_io_error(out_.archive(), ": the archive is cut short, its end mark is missing");
      }
      return nullptr;
    }
    // A warning is about what we ignore (owners, times) or a name that the locale cannot show.
    if (status != ARCHIVE_WARN) check(status);
    return entry;
  }

  void unpack_entry(archive_entry* entry) {
    const std::string name = name_of(entry);
    if (archive_entry_hardlink(entry) != nullptr) out_.refuse(name, "is a hard link");
    switch (archive_entry_filetype(entry)) {
      case AE_IFREG:
        out_.begin_file(name, declared_size(entry), (archive_entry_perm(entry) & 0111) != 0);
        copy_data([&](auto bytes) { out_.write(bytes); });
        out_.end_file();
        return;
      case AE_IFDIR:
        out_.make_folder(name);
        copy_data([&](auto) { out_.refuse(name, "is a folder with data"); });
        return;
      case AE_IFLNK:
        out_.refuse(name, "is a symbolic link");
      default:
        out_.refuse(name, "is neither file nor folder (a device, FIFO or the like)");
    }
  }

  std::string name_of(archive_entry* entry) const {
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) name = archive_entry_pathname_utf8(entry);
    return name == nullptr ? "" : name;
  }

  std::uint64_t declared_size(archive_entry* entry) const {
    return archive_entry_size_is_set(entry) != 0
               ? static_cast<std::uint64_t>(archive_entry_size(entry))
               : 0;
  }

  template <typename Sink>
  void copy_data(const Sink& sink) {
    for (;;) {
      const la_ssize_t n = archive_read_data(reader_.get(), data_.data(), data_.size());
      check(n < 0 ? ARCHIVE_FATAL : ARCHIVE_OK);
      if (n == 0) return;
      sink(std::span<const std::byte>(data_).first(static_cast<std::size_t>(n)));
      // Holes of sparse files come out of no bytes at all.
      check_expansion(out_.archive(), out_.unpacked().bytes, file_.consumed());
      on_bytes_();
    }
  }

  /// The next piece of the file, in buffer_; 0: the end.
  std::size_t feed() {
    const std::size_t n = file_.read(buffer_);
    produced_ += n;
    check_expansion(out_.archive(), produced_, file_.consumed());
    on_bytes_();
    return n;
  }

  static la_ssize_t read_callback(archive* reader, void* self, const void** bytes) {
    auto& tar = *static_cast<TarReader*>(self);
    try {
      *bytes = tar.buffer_.data();
      return static_cast<la_ssize_t>(tar.feed());
    } catch (...) {  // no exception may pass through libarchive
      tar.failure_ = std::current_exception();
      archive_set_error(reader, -1, "stopped");
      return ARCHIVE_FATAL;
    }
  }

  void check(int status) const {
    if (failure_) std::rethrow_exception(failure_);
    if (status == ARCHIVE_OK) return;
    throw_io_error(out_.archive(), ": no tar archive, damaged or cut short (",
                   error_text(reader_.get()), ")");
  }

  InflatedFile& file_;
  TreeWriter& out_;
  const std::function<void()>& on_bytes_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(kBufferSize);
  std::vector<std::byte> data_ = std::vector<std::byte>(kBufferSize);
  std::uint64_t produced_ = 0;
  std::exception_ptr failure_ = {};
  ArchiveReader reader_ = new_archive_reader();
};

}  // namespace

void unpack_tar(InflatedFile& file, TreeWriter& out, const std::function<void()>& on_bytes) {
  TarReader(file, out, on_bytes).unpack_all();
}

}  // namespace subspace::datasets
