// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>

#include <subspace/datasets/archive.h>

#include "fuzz/memory_file.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace subspace::datasets::fuzz {
namespace {

namespace fs = std::filesystem;

/// Folders around the one to be written, in memory where the system has such a place. Members that
/// climb out of it by up to three levels are seen.
class Sandbox {
 public:
  Sandbox() {
    const bool has_memory = ::access("/dev/shm", W_OK) == 0;
    std::string pattern = has_memory ? "/dev/shm" : fs::temp_directory_path().string();
    pattern += "/subspace-fuzz-XXXXXX";
    require(::mkdtemp(pattern.data()) != nullptr, "a temporary folder can be made");
    root_ = pattern;
    fs::create_directories(root_ / "a/b/c");
    std::ofstream(root_ / "a/b/c/bystander") << "untouched";
    fs::current_path(root_ / "a/b/c");  // where relative names would lead
  }
  ~Sandbox() {
    std::error_code ignored;
    fs::current_path("/", ignored);
    fs::remove_all(root_, ignored);
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  fs::path out() const { return root_ / "a/b/c/out"; }

  /// That nothing but `out` came, and the bystander is what it was.
  void require_untouched() const {
    std::set<std::string> names;
    for (auto at = fs::recursive_directory_iterator(root_); at != fs::end(at); ++at) {
      if (at->path() == out()) {
        at.disable_recursion_pending();
      } else {
        names.insert(at->path().lexically_relative(root_).string());
      }
    }
    const std::set<std::string> expected = {"a", "a/b", "a/b/c", "a/b/c/bystander"};
    require(names == expected, "nothing is written outside the folder, and nothing is left");
    std::string text;
    std::ifstream(root_ / "a/b/c/bystander") >> text;
    require(text == "untouched", "files outside the folder keep their content");
  }

 private:
  fs::path root_;
};

/// That the folder holds what was reported: files and folders, no links, within the limits.
void require_reported(const fs::path& folder, const Unpacked& unpacked) {
  Unpacked found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto status = entry.symlink_status();
    if (fs::is_directory(status)) continue;
    require(fs::is_regular_file(status), "there are files and folders only");
    const auto odd = fs::perms::set_uid | fs::perms::set_gid | fs::perms::sticky_bit;
    require((status.permissions() & odd) == fs::perms::none, "no special bits are set");
    ++found.files;
    found.bytes += entry.file_size();
  }
  require(found.files == unpacked.files && found.bytes == unpacked.bytes, "the report is true");
}

void unpack_input(Bytes bytes) {
  static const Sandbox sandbox;
  static const MemoryFile file;
  constexpr UnpackLimits kLimits = {.max_files = 50, .max_bytes = 1 << 20};
  succeeds([&] {
    const auto unpacked = unpack(file.write(bytes), sandbox.out(), kLimits, small_context());
    require(unpacked.files <= kLimits.max_files && unpacked.bytes <= kLimits.max_bytes,
            "limits are kept");
    require_reported(sandbox.out(), unpacked);
  });
  sandbox.require_untouched();
  fs::remove_all(sandbox.out());
}

constexpr std::size_t kTarBlock = 512, kChecksumAt = 148, kChecksumSize = 8, kMagicAt = 257;

/// Makes the checksum of every tar header right, or libarchive would look at none that is mutated.
void repair_checksums(std::uint8_t* data, std::size_t size) {
  for (; size >= kTarBlock; data += kTarBlock, size -= kTarBlock) {
    if (std::memcmp(data + kMagicAt, "ustar", 5) != 0) continue;
    std::memset(data + kChecksumAt, ' ', kChecksumSize);
    unsigned sum = 0;
    for (std::size_t i = 0; i < kTarBlock; ++i) sum += data[i];
    std::array<char, kChecksumSize> text = {};
    std::snprintf(text.data(), text.size(), "%06o", sum);
    std::memcpy(data + kChecksumAt, text.data(), text.size() - 1);
  }
}

}  // namespace
}  // namespace subspace::datasets::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, most);
  // Wrong checksums stay in one of eight, for they must be refused too.
  if (seed % 8 != 0) subspace::datasets::fuzz::repair_checksums(data, mutated);
  return mutated;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  subspace::datasets::fuzz::unpack_input(subspace::datasets::fuzz::bytes_of(data, size));
  return 0;
}
