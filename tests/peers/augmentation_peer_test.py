# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Holds our views of pictures against torchvision's, with the same draws.

Where we follow torchvision's tensors (crop, blur, hue, solarise, noise, normalise) the judge is its functional
operation on float tensors. Where we follow PIL (brightness, contrast, saturation, grey, perspective) pictures
have 8 bits, the judge is torchvision on PIL pictures, and its rounding is allowed for: half a grey level, and
one more where the judge rounds twice. Whole policies are judged by the operations on tensors, which differ
from PIL's in the luma (0.2989 for 0.299) and in a mean for the contrast that is not rounded: 1.5 grey levels
for every jitter, times the factors that follow. Their perspective is that of PIL on floats, which does not
round; on tensors it fades into the black outside, which ours does not.

usage: augmentation_peer_test.py VIEWS_PROGRAM [PICTURES_PER_OPERATION]
       augmentation_peer_test.py VIEWS_PROGRAM --record FILE     small pictures and what torchvision makes of them,
                                                                 for augmentation_recorded_test.py
"""
import json
import subprocess
import sys
import tempfile
from unittest import mock

import numpy as np
import PIL
import torch
import torchvision
from PIL import Image
from torchvision.transforms import InterpolationMode
from torchvision.transforms import functional as F
from torchvision.transforms.v2 import functional as F2

LEVEL = 1 / 255
CHANNELS = {"cifar10": ([0.4914, 0.4822, 0.4465], [0.2023, 0.1994, 0.2010]),
            "imagenet": ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])}
SHAPES = ((1, 64, 64), (3, 32, 32), (3, 96, 96), (3, 17, 29), (1, 31, 20))
SMALL_SHAPES = ((3, 9, 8), (1, 8, 11))
RESTING = {"crop": 0, "box": (0, 0, 0, 0), "flip": 0, "perspective": 0, "corners": (0,) * 8, "jitter": 1,
           "brightness": 1.0, "contrast": 1.0, "saturation": 1.0, "hue": 0.0, "contrast_first": 0,
           "saturation_place": 0, "hue_place": 0, "grey": 0, "blur": 0, "deviation": 1.0, "size": 3, "solarise": 0,
           "noise": 0.0, "noise_seed": 0, "normalise": "none"}


def line(shape, draw):
    """A case as augmentation_peer_views reads it; Python's dictionaries keep their order."""
    words = list(shape)
    for value in (draw[key] for key in RESTING):
        words += value if isinstance(value, tuple) else [value]
    return " ".join(repr(word) if isinstance(word, float) else str(word) for word in words)


def box_in(random, height, width):
    h, w = int(random.integers(1, height + 1)), int(random.integers(1, width + 1))
    return int(random.integers(0, height - h + 1)), int(random.integers(0, width - w + 1)), h, w


def corners_in(random, height, width):
    dx, dy = (random.integers(0, int(0.3 * (side // 2)) + 1, 4) for side in (width, height))
    return (int(dx[0]), int(dy[0]), width - 1 - int(dx[1]), int(dy[1]),
            width - 1 - int(dx[2]), height - 1 - int(dy[2]), int(dx[3]), height - 1 - int(dy[3]))


def blur_in(random):
    return {"blur": 1, "deviation": random.uniform(0.1, 2.0), "size": int(random.choice([3, 7, 9, 23]))}


def perspective(picture, corners):
    ends = [list(corners[2 * i:2 * i + 2]) for i in range(4)]
    width, height = picture.size
    starts = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
    return F.perspective(picture, starts, ends, InterpolationMode.BILINEAR, fill=0)


def warped(tensor, draw):
    """The perspective of PIL on floats, a channel at a time: it has no pictures of three."""
    planes = [np.asarray(perspective(Image.fromarray(plane), draw["corners"])) for plane in tensor.numpy()]
    return torch.from_numpy(np.stack(planes))


def at_the_edge(shape, corners):
    """Pixels whose source lies within 0.001 pixels of the edge: rounding decides whether it is inside, and
    torchvision rounds the coefficients to 32 bits."""
    height, width = shape[1:]
    ends = np.array(corners, dtype=float).reshape(4, 2)
    starts = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], dtype=float)
    rows = [row for (x, y), (u, v) in zip(ends, starts)
            for row in ([x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y])]
    a, b, c, d, e, f, g, h = np.linalg.solve(np.array(rows), starts.ravel())
    y, x = np.mgrid[0:height, 0:width] + 0.5
    depth = g * x + h * y + 1
    u, v = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
    near = np.minimum.reduce([abs(u), abs(u - width), abs(v), abs(v - height)]) < 1e-3
    return np.broadcast_to(near, shape)


def blurred(tensor, draw):
    return F.gaussian_blur(tensor, [draw["size"]] * 2, [draw["deviation"]] * 2)


def cropped(tensor, draw):
    return F.resized_crop(tensor, *draw["box"], list(tensor.shape[-2:]), InterpolationMode.BILINEAR, antialias=True)


def normalised(tensor, draw):
    return F.normalize(tensor, *CHANNELS[draw["normalise"]])


def noised(tensor, draw):
    """torchvision's sum with the numbers that we drew in place of its own."""
    with mock.patch("torch.randn_like", return_value=torch.from_numpy(draw["normals"])):
        return F2.gaussian_noise(tensor, 0.0, draw["noise"], clip=False)


def jittered(tensor, draw):
    steps = [(F.adjust_brightness, draw["brightness"]), (F.adjust_contrast, draw["contrast"])]
    steps = steps[::-1] if draw["contrast_first"] else steps
    steps.insert(draw["saturation_place"], (F.adjust_saturation, draw["saturation"]))
    steps.insert(draw["hue_place"], (F.adjust_hue, draw["hue"]))
    for operation, factor in steps:
        tensor = operation(tensor, factor)
    return tensor


def policy(tensor, draw):
    """What was drawn, in our order."""
    tensor = cropped(tensor, draw) if draw["crop"] else tensor
    tensor = F.hflip(tensor) if draw["flip"] else tensor
    tensor = warped(tensor, draw) if draw["perspective"] else tensor
    tensor = jittered(tensor, draw) if draw["jitter"] else tensor
    tensor = F.rgb_to_grayscale(tensor, 3) if draw["grey"] else tensor
    tensor = blurred(tensor, draw) if draw["blur"] else tensor
    return tensor if draw["normalise"] == "none" else normalised(tensor, draw)


def jitter_in(random, spread=0.8, hue=0.2):
    return {"brightness": random.uniform(1 - spread, 1 + spread), "contrast": random.uniform(1 - spread, 1 + spread),
            "saturation": random.uniform(1 - spread, 1 + spread), "hue": random.uniform(-hue, hue),
            "contrast_first": int(random.integers(2)), "saturation_place": int(random.integers(3)),
            "hue_place": int(random.integers(4))}


def policy_in(random, shape):
    return {"crop": 1, "box": box_in(random, *shape[1:]), "flip": int(random.integers(2)),
            "grey": int(random.random() < 0.2)} | jitter_in(random) | blur_in(random)


def coil_in(random, shape):
    return {"flip": int(random.integers(2)), "perspective": int(random.random() < 0.6),
            "corners": corners_in(random, *shape[1:])} | jitter_in(random) | {"saturation": 1.0, "hue": 0.0}


def cifar_in(random, shape):
    return policy_in(random, shape) | jitter_in(random, 0.4, 0.1) | {
        "jitter": int(random.random() < 0.8), "blur": 0, "normalise": "cifar10"}


def stl_in(random, shape):
    return policy_in(random, shape) | {"jitter": int(random.random() < 0.8), "size": 9}


def noise_in(random):
    return {"noise": random.uniform(0.0, 0.5), "noise_seed": int(random.integers(2**63))}


# name: (judge, is it PIL's, draw from (random, shape), tolerance, needs three channels)
OPERATIONS = {
    "crop": (cropped, False, lambda r, s: {"crop": 1, "box": box_in(r, *s[1:])}, 1e-5, False),
    "flip": (lambda p, d: F.hflip(p), False, lambda r, s: {"flip": 1}, 0.0, False),
    "perspective": (lambda p, d: perspective(p, d["corners"]), True,
                    lambda r, s: {"perspective": 1, "corners": corners_in(r, *s[1:])}, 1.5 * LEVEL, False),
    "brightness": (lambda p, d: F.adjust_brightness(p, d["brightness"]), True,
                   lambda r, s: {"brightness": r.uniform(0.2, 1.8)}, 1.5 * LEVEL, False),
    "contrast": (lambda p, d: F.adjust_contrast(p, d["contrast"]), True,
                 lambda r, s: {"contrast": r.uniform(0.2, 1.8)}, 1.5 * LEVEL, False),
    "saturation": (lambda p, d: F.adjust_saturation(p, d["saturation"]), True,
                   lambda r, s: {"saturation": r.uniform(0.2, 1.8)}, 1.5 * LEVEL, True),
    "hue": (lambda p, d: F.adjust_hue(p, d["hue"]), False, lambda r, s: {"hue": r.uniform(-0.5, 0.5)}, 1e-5, True),
    "grey": (lambda p, d: F.rgb_to_grayscale(p, 3), True, lambda r, s: {"grey": 1}, 1.5 * LEVEL, True),
    "saturation, tensor": (lambda p, d: F.adjust_saturation(p, d["saturation"]), False,
                           lambda r, s: {"saturation": r.uniform(0.2, 1.8)}, 1e-4, True),
    "grey, tensor": (lambda p, d: F.rgb_to_grayscale(p, 3), False, lambda r, s: {"grey": 1}, 1.01e-4, True),
    "blur": (blurred, False, lambda r, s: blur_in(r), 1e-5, False),
    "solarise": (lambda p, d: F.solarize(p, 0.5), False, lambda r, s: {"solarise": 1}, 0.0, False),
    "normalise": (normalised, False, lambda r, s: {"normalise": str(r.choice(list(CHANNELS)))}, 1e-5, True),
    "jitter": (jittered, False, lambda r, s: jitter_in(r), 1.5 * LEVEL, True),
    "policy": (policy, False, policy_in, 1.5 * LEVEL, True),
    "perspective, floats": (warped, False,
                            lambda r, s: {"perspective": 1, "corners": corners_in(r, *s[1:])}, 1e-4, False),
    "noise": (noised, False, lambda r, s: noise_in(r), 1e-6, False),
    "COIL preset": (policy, False, coil_in, 1.5 * LEVEL, False),
    "CIFAR preset": (policy, False, cifar_in, 1.5 * LEVEL / min(CHANNELS["cifar10"][1]), True),
    "STL preset": (policy, False, stl_in, 1.5 * LEVEL, True),
}


def cases_of(name, count, random, shapes=SHAPES):
    _, is_pil, draw_in, _, is_colour = OPERATIONS[name]
    shapes = [shape for shape in shapes if shape[0] == 3 or not is_colour]
    for i in range(count):
        shape = shapes[i % len(shapes)]
        levels = random.integers(0, 256, shape, dtype=np.uint8)
        picture = levels.astype(np.float32) / np.float32(255) if is_pil else random.random(shape, dtype=np.float32)
        draw = RESTING | draw_in(random, shape)
        if min(shape[1:]) <= draw["size"] // 2:
            draw["size"] = 3
        yield shape, draw, levels, picture


def judged(name, draw, levels, picture):
    judge, is_pil = OPERATIONS[name][:2]
    if not is_pil:
        return judge(torch.from_numpy(picture), draw).numpy()
    pil = Image.fromarray(levels[0] if len(levels) == 1 else levels.transpose(1, 2, 0))
    result = np.asarray(judge(pil, draw), dtype=np.float32) / np.float32(255)
    return result[None] if result.ndim == 2 else result.transpose(2, 0, 1)


def views_of(program, cases, folder):
    with open(folder + "/cases", "w", encoding="ascii") as out:
        out.writelines(line(shape, draw) + "\n" for shape, draw, _, _ in cases)
    np.concatenate([picture.ravel() for *_, picture in cases]).tofile(folder + "/pictures")
    subprocess.run([program, folder + "/cases", folder + "/pictures", folder + "/views"], check=True)
    return np.fromfile(folder + "/views", dtype=np.float32)


def add_normals(program, cases, folder):
    """The numbers behind the noise of every draw: noise of deviation 1 on black."""
    black = [(shape, RESTING | {"noise": 1.0, "noise_seed": draw["noise_seed"]}, levels, np.zeros_like(picture))
             for shape, draw, levels, picture in cases]
    normals = views_of(program, black, folder)
    for shape, draw, _, picture in cases:
        draw["normals"], normals = normals[:picture.size].reshape(shape), normals[picture.size:]


def undecided_in(cases):
    return [at_the_edge(shape, draw["corners"]) if draw["perspective"] else np.zeros(shape, dtype=bool)
            for shape, draw, _, _ in cases]


def record(program, file):
    """Two small pictures an operation. Those of floats are multiples of 1/255 as well, which a short text holds."""
    random = np.random.default_rng(2)
    recorded = []
    for name, (_, is_pil, _, tolerance, _) in OPERATIONS.items():
        cases = [(shape, draw, levels, levels.astype(np.float32) / np.float32(255))
                 for shape, draw, levels, _ in cases_of(name, 2, random, SMALL_SHAPES)]
        with tempfile.TemporaryDirectory() as folder:
            if any(draw["noise"] for _, draw, _, _ in cases):
                add_normals(program, cases, folder)
        for (shape, draw, levels, picture), edge in zip(cases, undecided_in(cases)):
            view = judged(name, draw, levels, picture).astype(np.float64)
            recorded.append({"operation": name, "case": line(shape, draw), "tolerance": tolerance,
                             "levels": levels.ravel().tolist(), "undecided": np.flatnonzero(edge).tolist(),
                             "view": [round(value, 7) for value in view.ravel().tolist()]})
    versions = f"torchvision {torchvision.__version__}, torch {torch.__version__}, PIL {PIL.__version__}"
    with open(file, "w", encoding="ascii") as out:
        out.write('{"made_by": ' + json.dumps(versions) + ', "cases": [\n')
        out.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in recorded) + "\n]}\n")
    return 0


def main(program, count="100", file=None):
    if count == "--record":
        return record(program, file)
    random = np.random.default_rng(1)
    print(f"torchvision {torchvision.__version__}, torch {torch.__version__}, PIL {PIL.__version__}: "
          f"{count} pictures an operation")
    failed = False
    for name, (_, is_pil, _, tolerance, _) in OPERATIONS.items():
        cases = list(cases_of(name, int(count), random))
        with tempfile.TemporaryDirectory() as folder:
            views = views_of(program, cases, folder)
            if any(draw["noise"] for _, draw, _, _ in cases):
                add_normals(program, cases, folder)
        theirs = np.concatenate([judged(name, draw, levels, picture).ravel() for _, draw, levels, picture in cases])
        undecided = np.concatenate([edge.ravel() for edge in undecided_in(cases)])
        assert views.shape == theirs.shape and undecided.mean() < 0.01
        largest = np.abs(views - theirs)[~undecided].max()
        failed |= not largest <= tolerance
        print(f"  {name:20s} {'PIL' if is_pil else 'floats':7s} largest difference {largest:.2e}"
              f" ({largest / LEVEL:.3f} grey levels), allowed {tolerance:.2e}"
              + (f"; {undecided.sum()} of {views.size} values at the edge left out" if undecided.any() else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
