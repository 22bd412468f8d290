# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Holds our views of small pictures against those that torchvision made of them with the same draws, which
augmentation_peer_test.py --record has left in augmentation_recorded.json: where torchvision is not installed,
a change of an operation shows all the same. Needs nothing but Python.

usage: augmentation_recorded_test.py VIEWS_PROGRAM
"""
import array
import json
import pathlib
import subprocess
import sys
import tempfile


def views_of(program, cases):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "cases").write_text("".join(case["case"] + "\n" for case in cases), encoding="ascii")
        pictures = array.array("f", (level / 255 for case in cases for level in case["levels"]))
        (folder / "pictures").write_bytes(pictures.tobytes())
        subprocess.run([program, folder / "cases", folder / "pictures", folder / "views"], check=True)
        views = array.array("f")
        views.frombytes((folder / "views").read_bytes())
        return views


def main(program):
    recorded = json.loads(pathlib.Path(__file__).with_name("augmentation_recorded.json").read_text(encoding="ascii"))
    cases = recorded["cases"]
    views = views_of(program, cases)
    assert len(views) == sum(len(case["view"]) for case in cases)
    print(f"{len(cases)} views beside those of {recorded['made_by']}")
    failed, begin = False, 0
    for case in cases:
        ours = views[begin:begin + len(case["view"])]
        begin += len(case["view"])
        undecided = set(case["undecided"])
        largest = max(abs(a - b) for i, (a, b) in enumerate(zip(ours, case["view"])) if i not in undecided)
        allowed = case["tolerance"] + 1e-6  # of which half a unit in the seventh place is the record's
        failed |= not largest <= allowed
        print(f"  {case['operation']:20s} largest difference {largest:.2e}, allowed {allowed:.2e}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
