// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/turntable_set.h"

#include <subspace/core/error.h>
#include <subspace/datasets/turntable.h>

#include "arrays/array.h"
#include "registry/sets.h"

namespace subspace::datasets {
namespace {

constexpr char kTurntableLabels[] =
    "fea2250f38665ddd35b508e24e9f9289ce178043890387a70ffd5ae1ce177246";
constexpr char kTurntablePixels[] =
    "a8f6c7435c5b63fb351ec2c6e962952ab10c5ef7ecb2cfa32304dd080288be30";

}  // namespace

Entry turntable() {
  const TurntableOptions defaults;
  Entry entry;
  entry.info = {
      .name = "turntable",
      .title = "turntable: 20 rendered objects on a turning stage, 72 poses each",
      .image = ImageShape{1, defaults.size, defaults.size},
      .values = "8-bit pixels / 255",
      .origin = "made by this program, the same bytes on every machine",
      .terms = "free to use, under the licence of this program",
      .traps = {"a stand-in for COIL-20 with similar difficulty, not a copy: its results "
                "say nothing about COIL",
                "@SIZE renders at that size, it does not resize; --color renders colours"}};
  entry.folder = "turntable";
  set_classes(entry, equal_sizes(defaults.objects, defaults.poses));
  entry.layouts = {{.kind = Layout::Kind::kTurntable,
                    .stored = {1, defaults.size, defaults.size},
                    .sha256 = kTurntablePixels,
                    .labels_sha256 = kTurntableLabels}};
  return entry;
}

PointSet render_set_points(const std::string& shown_as, const LoadOptions& options,
                           const Context& context) {
  TurntableOptions wanted = {.color = options.color};
  if (options.image_size) {
    if (options.image_size->height != options.image_size->width) {
      throw InvalidArgument(message(shown_as, ": pictures of the turntable are square"));
    }
    wanted.size = options.image_size->height;
  }
  const ImageShape shape = {wanted.color ? 3 : 1, wanted.size, wanted.size};
  const auto values =
      static_cast<std::uint64_t>(Index{wanted.objects} * wanted.poses * shape.num_values());
  check_points_fit(shown_as, values, context, values);
  const ImageStack images = render_turntable(wanted, context);
  PointSet set;
  set.X = to_points(images);
  set.image = images.shape;
  set.sha256 = pixel_sha256(images);
  return set;
}

}  // namespace subspace::datasets
