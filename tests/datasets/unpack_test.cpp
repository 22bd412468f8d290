// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Good archives come out as they went in; hostile ones leave nothing behind, inside or outside.
#include <gtest/gtest.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>

#include <subspace/core/random.h>
#include <subspace/datasets/archive.h>

#include "datasets/archives.h"
#include "datasets/files.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> tree_of(const fs::path& folder) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_directory()) {
      tree[name + "/"] = "";
    } else {
      std::ifstream in(entry.path(), std::ios::binary);
      tree[name] = {std::istreambuf_iterator<char>(in), {}};
    }
  }
  return tree;
}

std::map<std::string, std::string> good_tree() {
  return {{"data/", ""},
          {"data/a.txt", "alpha"},
          {"data/deep/", ""},
          {"data/deep/er/", ""},
          {"data/deep/er/b.bin", std::string(1500, 'b')},
          {"run.sh", "#!"},
          {"empty", ""},
          {"na\xc3\xafve name", "umlauts and blanks"}};
}

class UnpackTest : public ::testing::Test {
 protected:
  UnpackTest() {
    fs::create_directory(world_);
    std::ofstream(world_ / "bystander") << "untouched";
  }

  Unpacked unpack_bytes(const std::string& bytes, const UnpackLimits& limits = {},
                        const Context& context = {}) {
    return unpack(folder_.write("archive", bytes), out_, limits, context);
  }
  /// What lies around the folder that was to be written.
  void expect_nothing_happened() {
    EXPECT_EQ(tree_of(world_), (std::map<std::string, std::string>{{"bystander", "untouched"}}));
  }
  template <typename... Parts>
  void expect_refused(const std::string& bytes, const Parts&... parts) {
    expect_io_error([&] { unpack_bytes(bytes); }, folder_.path("archive").string(), parts...);
    expect_nothing_happened();
  }
  /// The same members as .tar.gz and as .zip.
  template <typename... Parts>
  void expect_both_refused(const std::vector<ArchiveMember>& members, const Parts&... parts) {
    expect_refused(pack(Pack::kTarGz, members), parts...);
    expect_refused(pack(Pack::kZip, members), parts...);
  }
  /// Whether it was unpacked; if not, it is an IoError that left nothing.
  bool unpacks_or_is_refused(const std::string& bytes) {
    try {
      unpack_bytes(bytes, {.max_files = 50, .max_bytes = 1 << 20});
    } catch (const IoError& error) {
      EXPECT_LT(std::string(error.what()).size(), 1000U);
      expect_nothing_happened();
      return false;
    }
    EXPECT_TRUE(fs::is_directory(out_));
    return true;
  }

  TempFolder folder_;
  fs::path world_ = folder_.path("world");
  fs::path out_ = world_ / "out";
};

TEST_F(UnpackTest, GoodArchivesComeOutAsTheyWentIn) {
  for (const Pack kind : {Pack::kTar, Pack::kTarGz, Pack::kTarBz2, Pack::kZip}) {
    const Unpacked result = unpack_bytes(pack(kind, good_members()));
    EXPECT_EQ(result.files, 5U);
    EXPECT_EQ(result.bytes, 5U + 1500U + 2U + 18U);
    EXPECT_EQ(tree_of(out_), good_tree());
    fs::remove_all(out_);
    expect_nothing_happened();
  }
}

TEST_F(UnpackTest, ModesAreOurs) {
  const mode_t before = ::umask(022);
  for (const Pack kind : {Pack::kTar, Pack::kZip}) {
    unpack_bytes(pack(kind, good_members()));
    const auto mode = [&](const char* name) {
      return static_cast<unsigned>(fs::status(out_ / name).permissions());
    };
    EXPECT_EQ(mode(""), 0755U);
    EXPECT_EQ(mode("data"), 0755U);
    EXPECT_EQ(mode("data/deep/er/b.bin"), 0644U);
    EXPECT_EQ(mode("run.sh"), 0755U);
    fs::remove_all(out_);
  }
  ::umask(before);
}

TEST_F(UnpackTest, SeveralGzipMembersAreOneFile) {
  const std::string tar = pack(Pack::kTar, good_members());
  unpack_bytes(gzip_compressed(tar.substr(0, 1000)) + gzip_compressed(tar.substr(1000)));
  EXPECT_EQ(tree_of(out_), good_tree());
}

TEST_F(UnpackTest, ReportsTheBytesOfTheArchive) {
  const std::string bytes = pack(Pack::kTarGz, good_members());
  std::vector<ProgressEvent> events;
  unpack_bytes(bytes, {},
               {.progress = [&](const ProgressEvent& event) { events.push_back(event); }});
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().phase, "unpack");
  EXPECT_EQ(events.back().done, static_cast<std::int64_t>(bytes.size()));
  EXPECT_EQ(events.back().total, static_cast<std::int64_t>(bytes.size()));
}

TEST_F(UnpackTest, AnEmptyFolderMayExistAFullOneNot) {
  const std::string bytes = pack(Pack::kZip, good_members());
  fs::create_directory(out_);
  unpack(folder_.write("archive", bytes), out_ / "");
  EXPECT_EQ(tree_of(out_), good_tree());
  expect_io_error([&] { unpack_bytes(bytes); }, out_.string(), "exists already");
  EXPECT_EQ(tree_of(out_), good_tree());
}

TEST_F(UnpackTest, ALinkInPlaceOfTheFolderIsNotFollowed) {
  fs::create_directory(folder_.path("elsewhere"));
  fs::create_directory_symlink(folder_.path("elsewhere"), out_);
  expect_io_error([&] { unpack_bytes(pack(Pack::kTar, good_members())); }, "exists already");
  EXPECT_TRUE(fs::is_empty(folder_.path("elsewhere")));
}

TEST_F(UnpackTest, ParentAndArchiveMustExist) {
  const auto archive = folder_.write("archive", pack(Pack::kTar, good_members()));
  expect_io_error([&] { unpack(archive, world_ / "missing" / "out"); },
                  (world_ / "missing" / "out").string(), "No such file or directory");
  expect_io_error([&] { unpack(folder_.path("missing"), out_); }, "missing", "no such file");
  expect_io_error([&] { unpack(world_, out_); }, "no regular file");
  expect_nothing_happened();
}

TEST_F(UnpackTest, OtherFilesAreRefused) {
  expect_refused("");
  expect_refused("PK");
  expect_refused("<html>Please log in</html>", "no tar archive");
  expect_refused(std::string(5000, 'x'), "no tar archive");
  expect_refused(gzip_compressed("just text"), "no tar archive");
  expect_refused(pack(Pack::kTar, {}));
  expect_refused(kTarEnd);
  expect_refused(pack(Pack::kZip, {}), "holds no files");
  expect_refused(pack(Pack::kTarGz, {{.name = "folder/", .type = AE_IFDIR}}), "holds no files");
}

TEST_F(UnpackTest, NamesThatLeadOutsideAreRefused) {
  for (const std::string name : {"../x", "a/../../x", "a/..", "..", "./../x"}) {
    expect_both_refused({{.name = name, .content = "x"}}, name, "'..'");
  }
  for (const std::string name : {"/abs", "//abs", "/../abs"}) {
    expect_refused(pack(Pack::kTar, {{.name = name, .content = "x"}}), "absolute");
    expect_refused(zip_file({{.name = name, .content = "x"}}), "absolute");
  }
  const std::string outside = folder_.path("outside").string();
  expect_both_refused({{.name = outside, .content = "x"}}, "absolute");
  EXPECT_FALSE(fs::exists(outside));
}

TEST_F(UnpackTest, StrangeNamesAreRefused) {
  expect_refused(pack(Pack::kTar, {{.name = "a\\b", .content = "x"}}), "a\\b", "backslash");
  expect_refused(zip_file({{.name = "..\\b", .content = "x"}}), "backslash");
  for (const std::string name : {"a\nb", "\x1b[2J", "a\x7f"}) {
    expect_refused(pack(Pack::kTar, {{.name = name, .content = "x"}}), "control characters");
    expect_refused(zip_file({{.name = name, .content = "x"}}), "control characters");
  }
  expect_refused(zip_file({{.name = std::string("a\0b", 3), .content = "x"}}), "control");
  expect_refused(zip_file({{.name = "", .content = "x"}}), "no name");
  expect_refused(zip_file({{.name = ".", .content = "x"}}), "folder itself");
  expect_refused(zip_file({{.name = std::string(1025, 'a'), .content = "x"}}), "longer than");
  expect_refused(pack(Pack::kTar, {{.name = std::string(300, 'a'), .content = "x"}}),
                 "File name too long");
}

TEST_F(UnpackTest, LinksAreRefused) {
  const ArchiveMember link = {.name = "l", .type = AE_IFLNK, .symlink = world_.string()};
  expect_both_refused({link}, "'l'", "symbolic link");
  expect_both_refused({{.name = "ok", .content = "x"}, link, {.name = "l/x", .content = "x"}},
                      "symbolic link");
  expect_refused(pack(Pack::kTar, {{.name = "a", .content = "x"}, {.name = "h", .hardlink = "a"}}),
                 "'h'", "hard link");
  expect_refused(pack(Pack::kTar, {{.name = "h", .hardlink = "/etc/passwd"}}), "hard link");
}

TEST_F(UnpackTest, SpecialFilesAreRefused) {
  for (const unsigned type : {unsigned{AE_IFIFO}, unsigned{AE_IFCHR}, unsigned{AE_IFBLK}}) {
    expect_refused(pack(Pack::kTar, {{.name = "special", .type = type}}), "'special'",
                   "neither file nor folder");
  }
}

TEST_F(UnpackTest, NamesThatOccurTwiceAreRefused) {
  expect_refused(pack(Pack::kTar, {{.name = "a", .content = "1"}, {.name = "a", .content = "2"}}),
                 "'a'", "twice");
  expect_both_refused({{.name = "a", .content = "1"}, {.name = "./a", .content = "2"}}, "twice");
  expect_refused(zip_file({{.name = "a", .content = "1"}, {.name = "a", .content = "2"}}), "twice");
  expect_both_refused({{.name = "a", .content = "1"}, {.name = "a/b", .content = "2"}},
                      "'a' is a file and a folder");
  expect_both_refused({{.name = "a/b", .content = "1"}, {.name = "a", .content = "2"}}, "twice");
}

TEST_F(UnpackTest, EncryptedMembersAreRefused) {
  expect_refused(zip_file({{.name = "a", .content = "x", .flags = 1}}), "'a'", "encrypted");
}

TEST_F(UnpackTest, AmountsAreLimited) {
  for (const Pack kind : {Pack::kTarGz, Pack::kZip}) {
    const std::string bytes = pack(kind, good_members());
    expect_io_error([&] { unpack_bytes(bytes, {.max_files = 7}); }, "more than the 7 files");
    expect_io_error([&] { unpack_bytes(bytes, {.max_bytes = 1524}); }, "1524");
    expect_nothing_happened();
    unpack_bytes(bytes, {.max_files = 8, .max_bytes = 1525});
    fs::remove_all(out_);
  }
  const std::string deep = "a/b/c/d/e/f/g/h";
  expect_io_error([&] { unpack_bytes(pack(Pack::kTar, {{.name = deep}}), {.max_files = 5}); },
                  "more than the 5 files and folders");
  expect_nothing_happened();
}

TEST_F(UnpackTest, DeclaredSizesAreNotBelieved) {
  expect_refused(zip_file({{.name = "a", .content = "four", .deflate = true, .size_lie = 3}}),
                 "'a'");
  expect_refused(zip_file({{.name = "a", .content = "four", .deflate = true, .size_lie = 4000}}),
                 "'a'");
  expect_refused(zip_file({{.name = "a", .content = "four", .crc_flip = 1}}), "'a'", "CRC");
}

// 40 MiB of zeros in some 50 bytes a block.
TEST_F(UnpackTest, BombsAreRefusedOnTheWay) {
  const std::vector<ArchiveMember> zeros = {
      {.name = "zeros", .content = std::string(40 << 20, '\0')}};
  expect_refused(pack(Pack::kTarBz2, zeros), "expand");
  const std::string tar = pack(Pack::kTar, zeros);
  unpack_bytes(gzip_compressed(tar));  // what deflate can do is allowed
  fs::remove_all(out_);
  expect_refused(gzip_compressed(pack(Pack::kTar, {{.name = "a"}}) + std::string(40 << 20, '\0')),
                 "data behind its end");
}

TEST_F(UnpackTest, SparseFilesThatAreAllHoleAreRefused) {
  const ArchiveMember hole = {.name = "hole",
                              .content = std::string(512, 'x'),
                              .sparse = {{0, 512}},
                              .size = std::int64_t{1} << 33};
  expect_refused(pack(Pack::kTar, {hole}), "expand");
}

// Members of a zip archive may point to the same compressed bytes.
TEST_F(UnpackTest, MembersThatShareTheirBytesAreRefused) {
  const std::string zeros(4 << 20, '\0');
  std::vector<ZipMember> members = {{.name = "0", .content = zeros, .deflate = true}};
  const std::string one = zip_file(members);
  const std::size_t directory = one.find("PK\x01\x02"), end = one.find("PK\x05\x06");
  std::string records;
  for (char name = '0'; name < '0' + 30; ++name) {
    std::string record = one.substr(directory, end - directory);
    if (name != '\\') record[46] = name;
    records += record;
  }
  std::string tail = one.substr(end);
  const std::string count = raw(std::uint16_t{30});
  tail.replace(8, 2, count).replace(10, 2, count);
  tail.replace(12, 4, raw(static_cast<std::uint32_t>(records.size())));
  expect_refused(one.substr(0, directory) + records + tail, "overlap");
}

// Whatever the locale of the program.
TEST_F(UnpackTest, LettersOfAllAlphabetsAreKept) {
  const std::string name = "\xce\xb1\xce\xb2 \xe6\xbc\xa2";
  unpack_bytes(pax_path(name) + raw_tar_member("plain", '0', "content") + kTarEnd);
  EXPECT_EQ(tree_of(out_), (std::map<std::string, std::string>{{name, "content"}}));
}

// libarchive ends the name there.
TEST_F(UnpackTest, ANameWithNulInATarStaysInside) {
  unpacks_or_is_refused(pax_path(std::string("a\0/../../x", 10)) +
                        raw_tar_member("name", '0', "content") + kTarEnd);
  fs::remove_all(out_);
  expect_nothing_happened();
}

TEST_F(UnpackTest, UnknownKindsOfTarMembersAreHarmless) {
  for (int type = 1; type < 128; ++type) {
    unpacks_or_is_refused(raw_tar_member("name", static_cast<char>(type), "content") + kTarEnd);
    fs::remove_all(out_);
    expect_nothing_happened();
  }
}

TEST_F(UnpackTest, CancellingLeavesNothing) {
  CancelToken cancel;
  cancel.request();
  for (const Pack kind : {Pack::kTarGz, Pack::kZip}) {
    EXPECT_THROW(unpack_bytes(pack(kind, good_members()), {}, {.cancel = &cancel}), Cancelled);
    expect_nothing_happened();
  }
}

struct Sample {
  std::string test_name;
  std::string bytes;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.test_name; }

/// Moves temporary folders into memory: each of thousands of archives is synced, which takes a disk
/// far longer than the rest of the test.
class TempInMemory {
 protected:
  TempInMemory() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }
};

class HostileArchiveTest : private TempInMemory,
                           public UnpackTest,
                           public ::testing::WithParamInterface<Sample> {};

// A tar may do without its last padding; whatever is accepted is all there.
TEST_P(HostileArchiveTest, EveryPrefixIsWholeOrRefused) {
  const std::string& bytes = GetParam().bytes;
  std::size_t num_unpacked = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    if (!unpacks_or_is_refused(bytes.substr(0, length))) continue;
    EXPECT_EQ(tree_of(out_), good_tree());
    fs::remove_all(out_);
    ++num_unpacked;
  }
  EXPECT_LE(num_unpacked, GetParam().test_name == "Tar" ? 512U : 0U);
}

TEST_P(HostileArchiveTest, TwoThousandBitFlipsAreUnpackedOrRefused) {
  RandomStream random = stream(21, Stream::kTest);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = GetParam().bytes;
    const auto flips = 1 + random.below(3);
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      char& byte = bytes[random.below(bytes.size())];
      byte = static_cast<char>(byte ^ (1 << random.below(8)));
    }
    if (unpacks_or_is_refused(bytes)) fs::remove_all(out_);
  }
  expect_nothing_happened();
}

INSTANTIATE_TEST_SUITE_P(Formats, HostileArchiveTest,
                         ::testing::Values(Sample{"Tar", pack(Pack::kTar, good_members())},
                                           Sample{"TarGz", pack(Pack::kTarGz, good_members())},
                                           Sample{"TarBz2", pack(Pack::kTarBz2, good_members())},
                                           Sample{"Zip", pack(Pack::kZip, good_members())}),
                         [](const auto& instance) { return instance.param.test_name; });

}  // namespace
}  // namespace subspace::datasets
