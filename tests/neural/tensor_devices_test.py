# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Refuses tensors that are made without their device: they would land wherever the default happens to be.

usage: tensor_devices_test.py FOLDER
"""
import pathlib
import re
import sys
import tempfile

CREATION = re.compile(r"\b(?:torch|at)::(?:empty|zeros|ones|full|rand|randn|randint|randperm|arange|linspace|tensor|"
                      r"from_blob|eye|scalar_tensor)\(")
# The word `options` counts as an argument; `options.filters` and `options_` are settings of ours.
DEVICE = re.compile(r"\bdevice\(|\bkCPU\b|\bon_cpu\(|\.options\(\)|\boptions\b(?!\s*[.(])")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def arguments_at(code, begin):
    """What follows an opening parenthesis, up to the closing one."""
    depth = 1
    for end in range(begin, len(code)):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        if depth == 0:
            return code[begin:end]
    return code[begin:]


def unplaced_in(source):
    """Lines, counted from 1, of the creations without a device."""
    code = COMMENT_OR_TEXT.sub(lambda match: "\n" * match.group().count("\n"), source)
    return [code.count("\n", 0, match.start()) + 1 for match in CREATION.finditer(code)
            if not DEVICE.search(arguments_at(code, match.end()))]


def unplaced_under(folder):
    files = sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix in (".cpp", ".h"))
    assert files, f"no sources under {folder}"
    return [f"{path}:{line}" for path in files for line in unplaced_in(path.read_text(encoding="utf-8"))]


PLANTED = """// torch::zeros({1}) in a comment
auto a = torch::zeros({1}, on_cpu(torch::kFloat32)), b = torch::eye(3, a.options());
auto c = torch::empty({2, f(a)},  // on_cpu( is not here
                      torch::kFloat32);
auto d = torch::full({}, 1.0, torch::dtype(torch::kFloat64).device(torch::kCPU));
auto e = torch::empty({options_.views, options.filters}, torch::kFloat32);
auto f = torch::empty_like(a), g = torch::randn({2}, options), h = torch::tensor(1.0);
"""


def check_that_planted_lines_are_found():
    with tempfile.TemporaryDirectory() as folder:
        planted = pathlib.Path(folder) / "planted.cpp"
        planted.write_text(PLANTED, encoding="utf-8")
        found, expected = unplaced_under(folder), [f"{planted}:{line}" for line in (3, 6, 7)]
    assert found == expected, f"found {found}, planted {expected}"


def main(folder):
    check_that_planted_lines_are_found()
    found = unplaced_under(folder)
    for place in found:
        print(f"{place}: a tensor without its device; on_cpu.h, or .options() of another tensor")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
