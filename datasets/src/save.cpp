// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/save.h>

#include <bit>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>

#include <subspace/core/atomic_file.h>
#include <subspace/core/zip_archive.h>
#include <subspace/datasets/image.h>

#include "format.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the writers store numbers as they are in memory");

/// Version 1, padded so that the numbers start at a multiple of 64 as NumPy itself does.
std::string npy_header(const std::string& descr, const std::string& shape) {
  std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  constexpr std::size_t kStart = 10;
  text.append(63 - (kStart + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void write_numbers(std::ostream& out, const void* data, std::size_t bytes) {
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

void write_points(std::ostream& out, const ConstMatrixRef& X) {
  out << npy_header("<f8", shape_text({X.cols(), X.rows()}));
  for (Index j = 0; j < X.cols(); ++j) {
    write_numbers(out, X.col(j).data(), static_cast<std::size_t>(X.rows()) * sizeof(double));
  }
}

void require_npy(const char* function, const std::filesystem::path& path) {
  if (lower_extension(path) != ".npy") {
    throw InvalidArgument(message(function, ": '", path.string(), "', must end in .npy"));
  }
}

}  // namespace

void save_labels(const std::filesystem::path& path, const Labels& labels) {
  const std::string extension = lower_extension(path);
  if (extension == ".npy") {
    static_assert(sizeof(Labels::value_type) == sizeof(std::int32_t));
    write_file_atomically(path, [&](std::ostream& out) {
      out << npy_header("<i4", shape_text({static_cast<std::int64_t>(labels.size())}));
      write_numbers(out, labels.data(), labels.size() * sizeof(std::int32_t));
    });
  } else if (extension == ".csv" || extension == ".txt") {
    std::string text;
    for (const int label : labels) text += std::to_string(label) + '\n';
    write_file_atomically(path, text);
  } else {
    throw InvalidArgument(
        message("save_labels: '", path.string(), "', must end in .npy, .csv or .txt"));
  }
}

void save_points(const std::filesystem::path& path, const ConstMatrixRef& X) {
  require_npy("save_points", path);
  write_file_atomically(path, [&](std::ostream& out) { write_points(out, X); });
}

void save_arrays(const std::filesystem::path& path, const std::vector<NamedPoints>& arrays) {
  if (lower_extension(path) != ".npz") {
    throw InvalidArgument(message("save_arrays: '", path.string(), "', must end in .npz"));
  }
  std::vector<ZipMember> members;
  for (const NamedPoints& array : arrays) {
    std::ostringstream bytes;
    write_points(bytes, array.X);
    members.push_back({array.name + ".npy", std::move(bytes).str()});
  }
  write_file_atomically(path, to_zip(members));
}

void save_images(const std::filesystem::path& path, const ImageStack& images) {
  require_npy("save_images", path);
  const ImageShape& shape = images.shape;
  write_file_atomically(path, [&](std::ostream& out) {
    out << npy_header("|u1", shape_text({images.count, shape.channels, shape.height, shape.width}));
    write_numbers(out, images.values.data(), images.values.size());
  });
}

}  // namespace subspace::datasets
