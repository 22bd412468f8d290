// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/element_type.h"

#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace subspace::datasets {
namespace {

// IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits.
double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename Stored, typename Convert>
void widen_each(const std::byte* source, Index count, bool swapped, double* destination,
                Index stride, Convert convert) {
  if (swapped && sizeof(Stored) > 1) {
    for (Index i = 0; i < count; ++i) {
      destination[i * stride] =
          convert(load_integer<Stored>(source + i * Index{sizeof(Stored)}, true));
    }
  } else if (stride == 1) {  // the usual case, in a form that compilers vectorise
    for (Index i = 0; i < count; ++i) {
      destination[i] = convert(load_integer<Stored>(source + i * Index{sizeof(Stored)}, false));
    }
  } else {
    for (Index i = 0; i < count; ++i) {
      destination[i * stride] =
          convert(load_integer<Stored>(source + i * Index{sizeof(Stored)}, false));
    }
  }
}

}  // namespace

std::string type_name(const ElementType& type) {
  const std::string bits = std::to_string(8 * type.bytes);
  switch (type.kind) {
    case ElementType::Kind::kUnsigned:
      return "uint" + bits;
    case ElementType::Kind::kSigned:
      return "int" + bits;
    case ElementType::Kind::kFloat:
      return "float" + bits;
    case ElementType::Kind::kBool:
      return "bool";
  }
  return {};
}

void widen(const ElementType& type, const std::byte* source, Index count, double* destination,
           Index stride) {
  if (type.is_native_double() && stride == 1) {
    std::memcpy(destination, source, static_cast<std::size_t>(count) * sizeof(double));
    return;
  }
  const auto run = [&](auto stored, auto convert) {
    widen_each<decltype(stored)>(source, count, type.swapped, destination, stride, convert);
  };
  const auto plain = [](auto value) { return static_cast<double>(value); };
  const bool is_signed = type.kind == ElementType::Kind::kSigned;
  if (type.kind == ElementType::Kind::kBool) {
    run(std::uint8_t{}, [](std::uint8_t value) { return value != 0 ? 1.0 : 0.0; });
  } else if (type.kind == ElementType::Kind::kFloat) {
    switch (type.bytes) {
      case 2:
        run(std::uint16_t{}, half_to_double);
        break;
      case 4:
        run(std::uint32_t{}, [](std::uint32_t bits) { return double{std::bit_cast<float>(bits)}; });
        break;
      default:
        run(std::uint64_t{}, [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
    }
  } else {
    switch (type.bytes) {
      case 1:
        is_signed ? run(std::int8_t{}, plain) : run(std::uint8_t{}, plain);
        break;
      case 2:
        is_signed ? run(std::int16_t{}, plain) : run(std::uint16_t{}, plain);
        break;
      case 4:
        is_signed ? run(std::int32_t{}, plain) : run(std::uint32_t{}, plain);
        break;
      default:
        is_signed ? run(std::int64_t{}, plain) : run(std::uint64_t{}, plain);
    }
  }
}

}  // namespace subspace::datasets
