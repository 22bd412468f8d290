// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "datasets/samples.h"

#include "datasets/files.h"
#include "datasets/fixtures.h"

namespace subspace::datasets {

std::string csv_sample() {
  std::string text = "\"width, in cm\",height,label\r\n";
  for (int i = 0; i < 20; ++i) text += message(i * 0.125, ",", -i * 1e-3, ",", i % 3, "\r\n");
  return text;
}

std::string big_endian_mat() {
  const MatWriter mat{.big_endian = true};
  const auto numbers = mat.element(3, raw(std::vector<std::int16_t>{1, -2, 3, 4, 5, 6}, true));
  return mat.header() + mat.array(6, {3, 2}, "fea", numbers) +
         mat.compressed(mat.array(6, {3, 1}, "gnd", mat.small_element(2, "abc")));
}

std::string zip64_npz() {
  const std::string array =
      npy_file("{'descr': '>i4', 'fortran_order': True, 'shape': (3, 2, 2)}", std::string(48, 'x'));
  return zip_file({{.name = "X.npy", .content = array, .deflate = true, .zip64 = true},
                   {.name = "y.npy", .content = array, .zip64 = true}},
                  true);
}

std::string idx_sample() {
  return std::string("\0\0\10\3\0\0\0\2\0\0\0\3\0\0\0\4", 16) + std::string(24, 'p');
}

std::string cifar_sample() {
  std::string bytes(2 * 3073, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i % 251);
  return bytes;
}

std::string png_zip() {
  const std::string grey = from_hex(fixtures::kPngGrey);
  return zip_file({{.name = "set/obj1__0.png", .content = grey, .deflate = true},
                   {.name = "set/obj1__5.png", .content = grey}});
}

std::string trajectories() {
  const MatWriter mat;
  std::vector<double> x(18, 1.0);
  const auto numbers = mat.element(9, raw(x));
  return mat.header() + mat.compressed(mat.array(6, {3, 2, 3}, "x", numbers)) +
         mat.array(6, {3, 2, 3}, "y", numbers) +
         mat.array(6, {2, 1}, "s", mat.element(9, raw(std::vector<double>{1, 2})));
}

}  // namespace subspace::datasets
