# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""What a benchmark's record says of the machine and of the program that it measured."""

import json
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def machine(program):
    info = json.loads(subprocess.run([program, "info", "--json"], check=True, capture_output=True).stdout)
    info.pop("openmp", None)  # paths of this machine
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {"info": info, "processor": processor(), "commit": commit.stdout.strip(),
            "python": platform.python_version()}
