// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors

#include "registry/sets.h"

namespace subspace::datasets {
namespace {

using Kind = Layout::Kind;

constexpr char kHopkinsLabels[] =
    "7664924e424694bbd0b9a6184dbd27c89f7f14ea3aaf4290e090e22a62c25b80";
constexpr char kHopkinsValues[] =
    "74a1038e4dadb83eb0d76847f5480fc2c3111bdc1eb409fb016e72bdc2220523";

}  // namespace

Entry hopkins155() {
  Entry entry;
  entry.info = {
      .name = "hopkins155",
      .title = "Hopkins 155: motion segmentation, 155 sequences of 2 or 3 motions",
      .values = "trajectories in normalised coordinates, 2 a frame",
      .origin = "R. Tron, R. Vidal, Johns Hopkins University, CVPR 2007",
      .terms = "none stated with the files; the authors ask to be cited",
      .traps = {"one sequence is one clustering problem: name it, hopkins155/1R2RC",
                "the official archive may have stray copies of two files; folder and file "
                "must have one name",
                "sequences ending in _g12, _g13, _g23 are parts of one with 3 motions"},
      .item = "SEQUENCE"};
  entry.folder = "hopkins155";
  entry.layouts = {{.kind = Kind::kTrajectories,
                    .files = {"Hopkins155_truth.zip"},
                    .sha256 = kHopkinsValues,
                    .labels_sha256 = kHopkinsLabels},
                   {.kind = Kind::kTrajectories,
                    .files = {"Hopkins155.zip"},
                    .sha256 = kHopkinsValues,
                    .labels_sha256 = kHopkinsLabels},
                   {.kind = Kind::kTrajectories,
                    .files = {"Hopkins155"},
                    .sha256 = kHopkinsValues,
                    .labels_sha256 = kHopkinsLabels}};
  entry.sources = {{.url = "http://www.vision.jhu.edu/data/hopkins155/Hopkins155.zip",
                    .file = "Hopkins155.zip",
                    .most_bytes = 600 * kMega}};
  return entry;
}

}  // namespace subspace::datasets
