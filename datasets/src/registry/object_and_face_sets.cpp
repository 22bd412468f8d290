// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include "registry/sets.h"

namespace subspace::datasets {
namespace {

using Kind = Layout::Kind;

constexpr char kCoil20Pixels[] = "7274cbacb79ea6c57340827c9f9301745a8e9b3173dea4aa828e00b49c42946c";
constexpr char kCoil20Means[] = "a12ca12d4bba71c042bc8683b870845db9e70eb069c96a4ad75c739393995269";
constexpr char kCoil100Pixels[] =
    "995c207d05dc5ed607b1a2e9c6ece51777e6f4e472ab45387243ece1de3c554d";
constexpr char kYalebPixels[] = "7a4773ecc1296aad98a743be8c7ca481260d7623fda8f82a803fd10cb426a2ea";

constexpr char kCoil20Labels[] = "db18408c044e2c3521f984b2987feb9c13ce01af32e99f1f8471dfc820f27eee";
constexpr char kCoil100Labels[] =
    "531827ad07dd2fef53b9ea36c3790e56afac5d6042bef2fdd07cf60a4b4f4a26";
constexpr char kYalebLabels[] = "6f3ced692ff106680287a3cbd3d653c1b6c43186404f4ae3cd386e2ba2986638";
constexpr char kOrlLabels[] = "b7419c6be4a21c717bf1d8f2a2353614b89602c52a111ca9849391c9b539aa01";
constexpr char kOrlPixels[] = "9e062ae590605223d40576a805c29565224950cb2882c2109df03781ffe78063";

}  // namespace

Entry coil20() {
  Entry entry;
  entry.info = {
      .name = "coil20",
      .title = "COIL-20, processed: 20 objects on a turntable, 72 poses each",
      .image = ImageShape{1, 128, 128},
      .usual_size = ImageSize{32, 32},
      .values = "8-bit pixels / 255",
      .origin = "Columbia University, S. Nene, S. Nayar, H. Murase, CUCS-005-96",
      .terms = "none stated with the files; made for research, not to be redistributed here",
      .traps = {"the number behind the object is the pose's index 0..71, in COIL-100 the angle",
                "as text obj10 precedes obj2: parse the numbers",
                "COIL20.mat stores each picture column by column"}};
  entry.folder = "coil20";
  set_classes(entry, equal_sizes(20, 72));
  entry.layouts = {{.kind = Kind::kImageFiles,
                    .files = {"coil-20-proc.zip"},
                    .stored = {1, 128, 128},
                    .sha256 = kCoil20Pixels,
                    .labels_sha256 = kCoil20Labels},
                   {.kind = Kind::kImageFiles,
                    .files = {"coil-20-proc"},
                    .stored = {1, 128, 128},
                    .sha256 = kCoil20Pixels,
                    .labels_sha256 = kCoil20Labels},
                   {.kind = Kind::kMatrix,
                    .files = {"COIL20.mat"},
                    .stored = {1, 32, 32},
                    .x = "fea",
                    .y = "gnd",
                    .white = 1.0,
                    .sha256 = kCoil20Means,
                    .labels_sha256 = kCoil20Labels}};
  entry.sources = {{.url = "https://cave.cs.columbia.edu/old/databases/SLAM_coil-20_coil-100/"
                           "coil-20/coil-20-proc.zip",
                    .file = "coil-20-proc.zip",
                    .most_bytes = 100 * kMega}};
  return entry;
}

Entry coil100() {
  Entry entry;
  entry.info = {
      .name = "coil100",
      .title = "COIL-100: 100 objects on a turntable, 72 poses each, in colour",
      .image = ImageShape{3, 128, 128},
      .usual_size = ImageSize{32, 32},
      .values = "8-bit pixels / 255",
      .origin = "Columbia University, S. Nene, S. Nayar, H. Murase, CUCS-006-96",
      .terms = "none stated with the files; made for research, not to be redistributed here",
      .traps = {"the number behind the object is the angle 0, 5, ..., 355",
                "grey here is the mean of the channels; COIL100.mat of the literature is "
                "of unknown greying",
                "the background is dark, not 0"}};
  entry.folder = "coil100";
  set_classes(entry, equal_sizes(100, 72));
  const auto layout = [](const char* file, int side) {
    return Layout{.kind = Kind::kImageFiles,
                  .files = {file},
                  .stored = {3, side, side},
                  .sha256 = kCoil100Pixels,
                  .labels_sha256 = kCoil100Labels,
                  .hashed_size = ImageSize{64, 64}};
  };
  entry.layouts = {layout("coil-100.zip", 128), layout("coil-100", 128),
                   layout("coil-100-64x64.zip", 64)};
  entry.sources = {{.url = "https://cave.cs.columbia.edu/old/databases/SLAM_coil-20_coil-100/"
                           "coil-100/coil-100.zip",
                    .file = "coil-100.zip",
                    .most_bytes = 400 * kMega}};
  return entry;
}

Entry yaleb() {
  Entry entry;
  entry.info = {
      .name = "yaleb",
      .title = "Extended Yale B, cropped, 48 x 42: 38 faces under 64 lights",
      .image = ImageShape{1, 48, 42},
      .values = "8-bit pixels / 255",
      .origin =
          "A. Georghiades, P. Belhumeur, D. Kriegman 2001; K.-C. Lee, J. Ho, D. Kriegman "
          "2005; the file of SSC-OMP (C. You)",
      .terms = "none stated with the file; the authors ask to be cited",
      .traps = {"2414 pictures: the 18 that were corrupt when taken are left out; YaleBCrop025.mat "
                "of SSC has all 38 x 64 = 2432",
                "there is no yaleB14, so label 14 is yaleB15",
                "EYALEB_DATA has samples as columns, each picture column by column"}};
  entry.folder = "yaleb";
  std::vector<int> sizes = equal_sizes(38, 64);
  const std::vector<int> smaller = {60, 59, 60, 63, 62, 63, 63};
  std::ranges::copy(smaller, sizes.begin() + 10);
  set_classes(entry, std::move(sizes));
  entry.layouts = {{.kind = Kind::kMatrix,
                    .files = {"ExtendedYaleB.mat"},
                    .stored = {1, 48, 42},
                    .x = "EYALEB_DATA",
                    .y = "EYALEB_LABEL",
                    .columns_are_samples = true,
                    .sha256 = kYalebPixels,
                    .labels_sha256 = kYalebLabels}};
  return entry;
}

Entry orl() {
  Entry entry =
      cai("orl", "ORL faces, 32 x 32: 40 people, 10 pictures each", 32, "ORL_32x32.mat", 255.0);
  entry.info.origin = "AT&T Laboratories Cambridge 1994; D. Cai's 32 x 32 version";
  entry.info.traps = {
      "the originals are 112 x 92; this version was resized and cropped by eye "
      "position"};
  entry.layouts.front().sha256 = kOrlPixels;
  entry.layouts.front().labels_sha256 = kOrlLabels;
  set_classes(entry, equal_sizes(40, 10));
  entry.sources = {{.url = "http://www.cad.zju.edu.cn/home/dengcai/Data/ORL/ORL_32x32.mat",
                    .file = "ORL_32x32.mat",
                    .most_bytes = 20 * kMega}};
  return entry;
}

}  // namespace subspace::datasets
