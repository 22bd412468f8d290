// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// Applies draws that augmentation_peer_test.py has written to its pictures, for it to hold against
// torchvision. A case is a line of text: the shape, all of ViewDraw, the name of the normalisation;
// its picture follows in a second file of floats, as its view does in the third.
#include <fstream>
#include <iostream>
#include <vector>

#include <subspace/neural/augmentation.h>

namespace {

using namespace subspace::neural;

std::istream& operator>>(std::istream& in, ViewDraw& draw) {
  in >> draw.crop >> draw.box.top >> draw.box.left >> draw.box.height >> draw.box.width;
  in >> draw.flip >> draw.perspective;
  for (Corner& corner : draw.corners) in >> corner.x >> corner.y;
  in >> draw.jitter >> draw.brightness >> draw.contrast >> draw.saturation >> draw.hue;
  in >> draw.contrast_first >> draw.saturation_place >> draw.hue_place;
  in >> draw.grey >> draw.blur >> draw.blur_deviation >> draw.blur_size >> draw.solarise;
  return in >> draw.noise >> draw.noise_seed;
}

Normalisation normalisation_named(const std::string& name) {
  if (name == "none") return Normalisation::kNone;
  return name == "cifar10" ? Normalisation::kCifar10 : Normalisation::kImagenet;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: augmentation_peer_views CASES PICTURES VIEWS\n";
    return 2;
  }
  std::ifstream cases(argv[1]);
  std::ifstream pictures(argv[2], std::ios::binary);
  std::ofstream views(argv[3], std::ios::binary);
  ImageShape shape;
  ViewDraw draw;
  std::string normalisation;
  while (cases >> shape.channels >> shape.height >> shape.width >> draw >> normalisation) {
    std::vector<float> image(static_cast<std::size_t>(shape.num_pixels()));
    std::vector<float> view(image.size());
    const auto bytes = static_cast<std::streamsize>(image.size() * sizeof(float));
    pictures.read(reinterpret_cast<char*>(image.data()), bytes);
    if (!pictures) return 1;
    apply_view(draw, shape, image, view);
    normalise(normalisation_named(normalisation), shape, view);
    views.write(reinterpret_cast<const char*>(view.data()), bytes);
  }
  return views.flush() && cases.eof() ? 0 : 1;
}
