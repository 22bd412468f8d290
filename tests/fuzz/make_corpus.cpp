// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// make_corpus FOLDER: writes files to start from, one folder a fuzzer.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "datasets/archives.h"
#include "datasets/files.h"
#include "datasets/fixtures.h"
#include "datasets/samples.h"

namespace subspace::datasets {
namespace {

using Files = std::vector<std::string>;

std::string join(const Files& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Files from_hex(std::initializer_list<std::string_view> fixtures) {
  Files files;
  for (const auto hex : fixtures) files.push_back(datasets::from_hex(hex));
  return files;
}

Files operator+(Files files, const Files& more) {
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

Files npy_files() {
  using namespace fixtures;
  return from_hex({kNpyFloat64, kNpyFortran, kNpyBigEndian, kNpyHalf, kNpyCube, kNpyFortranCube,
                   kNpyBool, kNpyLabels, kNpyObject, kNpyRecords, kNpyComplex, kNpyScalar}) +
         Files{
             npy_file("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2)}", "abcdefgh", 2)};
}

Files npz_files() {
  using namespace fixtures;
  return from_hex({kNpzStored, kNpzDeflated, kNpzImages}) + Files{zip64_npz()};
}

Files mat5_files() {
  using namespace fixtures;
  return from_hex({kMatPlain, kMatCompressed}) + Files{big_endian_mat(), trajectories()};
}

Files csv_files() {
  return {csv_sample(),
          "  1 2e3 -4\n 5   6 7\n",
          "1\t2\n3\t4\n",
          "1;2,5;\n",
          "7\n-1\n3\n",
          "x y label\n1 nan 2\n+3 inf 4\n",
          "\xef\xbb\xbf\"a \"\"b\"\"\",y\n1,2\n\n"};
}

Files idx_files() {
  return {idx_sample(),
          gzip_compressed(idx_sample()),
          idx_file(8, {5}, "\1\2\3\2\1"),
          idx_file(9, {2, 2}, "abcd"),
          idx_file(11, {2, 2}, "abcdefgh"),
          idx_file(12, {1, 2}, "abcdefgh"),
          idx_file(13, {2, 1, 1}, "abcdefgh"),
          idx_file(14, {1, 1}, "abcdefgh")};
}

Files cifar_files() {
  return {cifar_sample().substr(0, 3073), cifar_sample().substr(0, 3074),
          gzip_compressed(cifar_sample())};
}

/// Many pixels out of few bytes: 1 bit each in the file, four bytes each in memory.
std::string wide_palette_png() {
  constexpr std::uint32_t kSide = 4096;
  return png_file({.width = kSide, .height = kSide, .depth = 1, .color = 3},
                  std::string(kSide * (1 + kSide / 8), '\0'),
                  png_chunk("PLTE", "rgbRGB") + png_chunk("tRNS", "\xff\xff"));
}

Files png_files() {
  using namespace fixtures;
  return from_hex({kPngGrey, kPngGreyLinear, kPngRgb, kPngPalette, kPngOpaque, kPngHalfClear,
                   kPngGreyAlpha, kPngBits, kPng16}) +
         Files{wide_palette_png()};
}

/// Archives as they are, and texts that choose pictures and names.
Files pictures_files() {
  const std::string grey = datasets::from_hex(fixtures::kPngGrey);
  const std::string large = datasets::from_hex(fixtures::kPngPalette);
  return {png_zip(),
          zip_file({{.name = "1/a.png", .content = grey},
                    {.name = "2/b.png", .content = large, .deflate = true},
                    {.name = "notes.txt", .content = "text", .zip64 = true}}),
          "obj1__0.png\\ obj2__0.png\\ ", "1/a.png\\ 2/b.png\\ "};
}

Files names_files() {
  return {join({"a2.png", "a10.png", "a02.png", "b/c.PNG", ".hidden.png"}),
          join({"obj1__0.png", "obj10__5.png", "set/obj2__0.png", "__MACOSX/x.png"}),
          join({"coil20@32", "yaleb@96x84", "hopkins155/1R2RC", "48x42", "32"}),
          join({"train-images-idx3-ubyte.gz", "data_batch_1.bin", "x.npy", "x.mat", "x.tsv"})};
}

Files unpack_files() {
  Files files;
  for (const Pack kind : {Pack::kTar, Pack::kTarGz, Pack::kTarBz2, Pack::kZip}) {
    files.push_back(pack(kind, good_members()));
  }
  files.push_back(raw_tar_member("name", '0', "content") + kTarEnd);
  files.push_back(pax_path("a/b") + raw_tar_member("name", '0', "content") + kTarEnd);
  files.push_back(pack(Pack::kTar, {{.name = "../x", .content = "x"}}));
  files.push_back(pack(Pack::kTar, {{.name = "l", .type = AE_IFLNK, .symlink = ".."},
                                    {.name = "l/x", .content = "x"}}));
  files.push_back(
      pack(Pack::kTar, {{.name = "a", .content = "x"}, {.name = "h", .hardlink = "a"}}));
  files.push_back(zip_file({{.name = "l", .content = "..", .mode = 0120777},
                            {.name = "l/x", .content = "x", .deflate = true}}));
  return files;
}

Files http_files() {
  return {join({"HTTP/1.1 200 OK", "Content-Length: 10", "ETag: \"abc\"", ""}),
          join({"HTTP/2 206 ", "content-range: bytes 5-9/10", "last-modified: yesterday", ""}),
          join({"HTTP/1.1 302 Found", "Location: /x", "", "HTTP/1.0 416 ",
                "Content-Range: bytes */10", "Transfer-Encoding: chunked", ""})};
}

void write(const std::filesystem::path& folder, const Files& files) {
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::ofstream out(folder / ("seed-" + std::to_string(i)), std::ios::binary);
    out << files[i];
    if (!out.flush()) throw IoError("cannot write to " + folder.string());
  }
}

}  // namespace
}  // namespace subspace::datasets

int main(int argc, char** argv) {
  using namespace subspace::datasets;
  if (argc != 2) {
    std::cerr << "usage: make_corpus FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  write(folder / "cifar", cifar_files());
  write(folder / "csv", csv_files());
  write(folder / "http", http_files());
  write(folder / "idx", idx_files());
  write(folder / "mat5", mat5_files());
  write(folder / "names", names_files());
  write(folder / "npy", npy_files());
  write(folder / "npz", npz_files());
  write(folder / "pictures", pictures_files());
  write(folder / "png", png_files());
  write(folder / "unpack", unpack_files());
  return 0;
}
