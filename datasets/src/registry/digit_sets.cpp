// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <functional>

#include "registry/sets.h"

namespace subspace::datasets {
namespace {

using Kind = Layout::Kind;

std::vector<int> sum(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> out(a.size());
  std::ranges::transform(a, b, out.begin(), std::plus<>());
  return out;
}

/// 70000 grey pictures of 28 x 28 in the four files of LeCun's MNIST.
Entry mnist_like(const std::string& base, const std::string& title, Split split,
                 const std::vector<int>& train_sizes, const std::vector<int>& test_sizes) {
  Entry entry;
  entry.info = {.name = with_split(base, split),
                .title = split_title(title, split, "10000", "60000"),
                .image = ImageShape{1, 28, 28},
                .values = "8-bit pixels / 255"};
  entry.folder = base;
  set_classes(entry, pick(split, sum(train_sizes, test_sizes), train_sizes, test_sizes));
  Layout layout = {.kind = Kind::kIdx, .stored = {1, 28, 28}};
  if (has_train(split)) {
    layout.files.insert(layout.files.end(), {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"});
  }
  if (has_test(split)) {
    layout.files.insert(layout.files.end(), {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"});
  }
  entry.layouts = {std::move(layout)};
  return entry;
}

void fetch_from(Entry& entry, const std::string& url) {
  for (const std::string& file : entry.layouts.front().files) {
    entry.sources.push_back(
        {.url = url + file + ".gz", .file = file + ".gz", .most_bytes = 40 * kMega});
  }
}

}  // namespace

Entry mnist(Split split) {
  Entry entry = mnist_like("mnist", "MNIST handwritten digits", split,
                           {5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949},
                           {980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
  entry.info.origin = "Y. LeCun, C. Cortes, C. Burges; from NIST special databases 1 and 3";
  entry.info.terms = "none stated with the files";
  entry.info.traps = {"white on black; labels 0..9",
                      "published results differ in which pictures they take: all, the test set, or "
                      "a random draw per digit"};
  entry.layouts.front().sha256 =
      pick(split, "5b92582eb909c82a9bfefcd44acbe9233be3eb5b419a44cf211022ad2bf4bf96",
           "741c988805d008ac6e4c904b69001ba184c24b2c540a4ef403f4c71b676cf757",
           "6d87418db22cc8025d05968bec9bd5c3932904b23485740db143a061a2c9d161");
  entry.layouts.front().labels_sha256 =
      pick(split, "5a9dca1dee6594d3b187073daca7a66b9eb489ef7295ee444807ea969908567f",
           "ba2e26c82ab7a46fbcd5ec6de8eee4d541cf3829f5050669177da23b515defeb",
           "52aa149c856ca033d02e1d2e5cc61033b4c56ed4a56f0edc328206a178c42126");
  fetch_from(entry, "https://ossci-datasets.s3.amazonaws.com/mnist/");
  return entry;
}

Entry fashion_mnist(Split split) {
  const auto size = [](int each) { return equal_sizes(10, each); };
  Entry entry = mnist_like("fashion-mnist", "Fashion-MNIST, pictures of clothes", split, size(6000),
                           size(1000));
  entry.info.origin = "H. Xiao, K. Rasul, R. Vollgraf (Zalando) 2017";
  entry.info.terms = "MIT licence";
  entry.info.traps = {
      "the files have the same names as MNIST's: keep them in a folder of their own"};
  entry.layouts.front().sha256 =
      pick(split, "0fbbfcb392782b3b702472ead3688778e1509e8cf40f5c24d9d3303618b193ab",
           "2e487a6c89124f78f2d7521542223cafe96f7123c3ca13d447772ac6ecbb3012",
           "c867c93ff95360594e8ec3287995350b824dd110b11595c0e13d5423f621867a");
  entry.layouts.front().labels_sha256 =
      pick(split, "d4aa62207beab3726b18ae26e95bfdf6f09fdd9d4f76fbf5a32f05a365c94620",
           "d69b1d6e0b8064974aa5aecc2786f961b8b2be829ee3a39dd8989efee46cad5a",
           "53fdd09ed9cbcd893df0e3b0af7802f2d62457de11c87273d4b4186f4992a40c");
  fetch_from(entry, "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/");
  return entry;
}

Entry usps() {
  Entry entry = cai("usps", "USPS handwritten digits, 16 x 16", 16, "USPS.mat", 1.0);
  entry.info.origin = "U.S. Postal Service, Y. LeCun et al. 1989; D. Cai's version, 7291 + 2007";
  entry.info.traps = {
      "values are 0..1 in this version, -1..1 in the one of libsvm; other files of this "
      "name have 11000 pictures of 0..255",
      "never seen by us: range and orientation are as commonly described"};
  entry.info.samples = 9298;
  entry.info.classes = 10;
  entry.sources = {{.url = "http://www.cad.zju.edu.cn/home/dengcai/Data/USPS/USPS.mat",
                    .file = "USPS.mat",
                    .most_bytes = 50 * kMega}};
  return entry;
}

}  // namespace subspace::datasets
