// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/inflated_file.h"

#include <archive.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "fetch/libarchive.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

class GzipFile : public InflatedFile {
 public:
  explicit GzipFile(const std::filesystem::path& path)
      : name_(path.string()), file_(gzopen(path.c_str(), "rbe")) {
    if (file_ == nullptr) throw_io_error("cannot read ", name_, ": ", std::strerror(errno));
    gzbuffer(file_.get(), 1U << 17);
  }

  std::size_t read(std::span<std::byte> out) override {
    const int n = gzread(file_.get(), out.data(), static_cast<unsigned>(out.size()));
    if (n > 0) return static_cast<std::size_t>(n);
    int code = Z_OK;
    const char* const text = gzerror(file_.get(), &code);
    if (code == Z_BUF_ERROR) throw_io_error(name_, ": the compressed data are cut short");
    if (n < 0 || code != Z_OK) {
      throw_io_error(name_, ": the compressed data are damaged (", printable(text), ")");
    }
    return 0;
  }

  std::uint64_t consumed() const override {
    return static_cast<std::uint64_t>(gzoffset(file_.get()));
  }

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  std::string name_;
  std::unique_ptr<gzFile_s, Close> file_;
};

class Bzip2File : public InflatedFile {
 public:
  explicit Bzip2File(const std::filesystem::path& path)
      : name_(path.string()), archive_(new_archive_reader()) {
    archive_read_support_filter_bzip2(archive_.get());
    archive_read_support_format_raw(archive_.get());
    require(archive_read_open_filename(archive_.get(), path.c_str(), std::size_t{1} << 17));
    archive_entry* entry = nullptr;
    require(archive_read_next_header(archive_.get(), &entry));
  }

  std::size_t read(std::span<std::byte> out) override {
    const la_ssize_t n = archive_read_data(archive_.get(), out.data(), out.size());
    if (n < 0) require(ARCHIVE_FATAL);
    return static_cast<std::size_t>(n);
  }

  std::uint64_t consumed() const override {
    return static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1));
  }

 private:
  void require(int status) const {
    if (status == ARCHIVE_OK) return;
    throw_io_error(name_, ": the compressed data are damaged or cut short (",
                   error_text(archive_.get()), ")");
  }

  std::string name_;
  ArchiveReader archive_;
};

}  // namespace

std::unique_ptr<InflatedFile> open_gzip(const std::filesystem::path& path) {
  return std::make_unique<GzipFile>(path);
}

std::unique_ptr<InflatedFile> open_bzip2(const std::filesystem::path& path) {
  return std::make_unique<Bzip2File>(path);
}

}  // namespace subspace::datasets
