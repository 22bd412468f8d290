// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <subspace/core/context.h>

#include "fetch/posix.h"

namespace subspace::datasets {

/// Which file of the server the bytes belong to.
struct Origin {
  std::string url = {};
  std::string etag = {};
  std::string last_modified = {};
  std::optional<std::uint64_t> total = {};

  /// What If-Range may carry: a strong ETag, else the date; empty: the file cannot be told apart
  /// from another version of it.
  std::string if_range() const;
};

/// The file that is being downloaded, target + ".part", and its origin in target + ".part.meta".
class PartFile {
 public:
  /// Opens or creates it and locks it against other downloads.
  explicit PartFile(const std::filesystem::path& target);
  /// Leaves what has arrived for the next download; removes a part without bytes.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::uint64_t size() const { return size_; }
  const Origin& origin() const { return origin_; }
  /// Whether bytes that were there at first are still among those of the file.
  bool was_continued() const { return continued_; }

  /// Empties the file and keeps the origin of what will come.
  void start(const Origin& origin);
  void append(std::span<const std::byte> bytes);
  /// Empties the file for good: nothing of it is worth keeping.
  void discard();

  std::string sha256(const Context& context) const;
  /// Gives the file its final name, synced.
  void finish();

 private:
  void open_and_lock();
  bool is_still_at_its_path() const;
  void read_origin();
  void write_origin() const;

  std::filesystem::path target_, path_, meta_path_;
  Descriptor file_;
  Origin origin_;
  std::uint64_t size_ = 0;
  bool continued_ = false;
  bool finished_ = false;
};

}  // namespace subspace::datasets
