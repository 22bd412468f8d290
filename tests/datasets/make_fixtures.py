# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Writes fixtures.h: files as NumPy, SciPy and Pillow write them, for the readers' tests.

    python3 make_fixtures.py > fixtures.h
"""
import io

import numpy as np
import PIL
import scipy
import scipy.io
import scipy.sparse
from PIL import Image
from PIL.PngImagePlugin import PngInfo

A = np.arange(12, dtype=np.float64).reshape(4, 3) / 4 - 1  # 4 samples of 3 features
CUBE = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
Y = np.array([3, -1, 7, 7])


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def npz(save, **arrays):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


def mat(compress, arrays):
    out = io.BytesIO()
    scipy.io.savemat(out, arrays, do_compression=compress)
    data = bytearray(out.getvalue())
    data[:116] = b"MATLAB 5.0 MAT-file, written by SciPy".ljust(116)  # without the date
    return bytes(data)


def png(values, mode, gamma=None, **options):
    out, info = io.BytesIO(), PngInfo()
    if gamma:
        info.add(b"gAMA", int(gamma * 100000).to_bytes(4, "big"))
    picture = Image.fromarray(values)
    picture = picture if picture.mode == mode else picture.convert(mode)
    picture.save(out, format="png", pnginfo=info, **options)
    return out.getvalue()


GREY = (np.arange(12).reshape(3, 4) * 20).astype(np.uint8)  # 3 rows of 4 pixels
RGB = np.stack([GREY, GREY + 5, 255 - GREY], axis=2)
OPAQUE = np.full_like(GREY, 255)
HALF_CLEAR = np.where(GREY == 120, 128, 255).astype(np.uint8)  # row 1, column 2

MIXED = {
    "note": "some text",
    "cell": np.array([[1, "a"]], dtype=object),
    "record": {"a": 1.0, "b": "c"},
    "sparse": scipy.sparse.csc_matrix(np.eye(3)),
    "wave": np.array([[1 + 2j, 3]]),
    "fea": A,
    "small": np.array([[7]], dtype=np.uint8),
    "flags": np.array([[True, False, True]]),
    "cube": CUBE,
    "gnd": Y.reshape(-1, 1).astype(np.float64),
}

FIXTURES = {
    "NpyFloat64": npy(A),
    "NpyFortran": npy(np.asfortranarray(A)),
    "NpyBigEndian": npy(A.astype(">f4")),
    "NpyHalf": npy(A.astype(np.float16)),
    "NpyCube": npy(CUBE),
    "NpyFortranCube": npy(np.asfortranarray(CUBE)),
    "NpyBool": npy(A > 0),
    "NpyLabels": npy(Y),
    "NpyObject": npy(np.array([None, 1], dtype=object)),
    "NpyRecords": npy(np.zeros(2, dtype=[("a", "<f8"), ("b", "<i4", (2,))])),
    "NpyComplex": npy(np.array([1j])),
    "NpyScalar": npy(np.float64(3)),
    "NpzStored": npz(np.savez, X=A, y=Y),
    "NpzDeflated": npz(np.savez_compressed, X=A, y=Y, words=np.array(["a", "b"])),
    "NpzImages": npz(np.savez_compressed, images=CUBE),
    "MatPlain": mat(False, MIXED),
    "MatCompressed": mat(True, MIXED),
    "PngGrey": png(GREY, "L"),
    "PngGreyLinear": png(GREY, "L", gamma=1.0),
    "PngRgb": png(RGB, "RGB"),
    "PngPalette": png(RGB, "P"),
    "PngOpaque": png(np.dstack([RGB, OPAQUE]), "RGBA"),
    "PngHalfClear": png(np.dstack([RGB, HALF_CLEAR]), "RGBA"),
    "PngGreyAlpha": png(np.dstack([GREY, OPAQUE]), "LA"),
    "PngBits": png(GREY > 100, "1"),
    "Png16": png(GREY.astype(np.uint16) * 256, "I;16"),
}

print("// SPDX-License-Identifier: Apache-2.0")
print("// Copyright the subspace suite contributors")
print(f"// Made by make_fixtures.py with NumPy {np.__version__}, SciPy {scipy.__version__}, "
      f"Pillow {PIL.__version__}.")
print("#pragma once\n\n#include <string_view>\n\nnamespace subspace::datasets::fixtures {\n")
for name, data in FIXTURES.items():
    print(f"inline constexpr std::string_view k{name} =  // {len(data)} bytes, hexadecimal")
    text = data.hex()
    lines = [f'    "{text[i:i + 92]}"' for i in range(0, len(text), 92)]
    print("\n".join(lines) + ";\n")
print("}  // namespace subspace::datasets::fixtures")
