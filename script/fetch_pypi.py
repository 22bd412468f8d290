#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Fetches the components pinned in requirements.txt and unpacks into DEPS what the build needs of them.

A component is complete or absent: it is unpacked under a temporary name and renamed. Its stamp is the
hash of its pins and of the rules below, so a second run does nothing and a changed pin fetches anew.
"""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent / "requirements.txt"

# Any Python may run this; the wheels are those of CPython 3.11 on x86_64.
WHEEL_TAGS = ["--only-binary=:all:", "--implementation", "cp", "--python-version", "3.11", "--abi", "cp311"]
for _platform in ("manylinux_2_28", "manylinux_2_27", "manylinux_2_25", "manylinux_2_18", "manylinux_2_17", "manylinux2014",
                  "manylinux_2_12"):
    WHEEL_TAGS += ["--platform", f"{_platform}_x86_64"]

# Per component: the pins, megabytes fetched and kept, and rules (pattern of archive members, destination).
COMPONENTS = {
    "mkl": {
        "pins": ["mkl-static", "mkl-include"],
        "fetch_mb": 250,
        "disk_mb": 640,
        "rules": [
            (r".*/data/lib/(libmkl_(?:intel_lp64|sequential|core)\.a)", r"lib/\1"),
            (r".*/data/include/(.*\.h)", r"include/\1"),
            (r".*\.dist-info/(?:licenses/)?(LICENSE.*)", r"licenses/\1"),
            (r".*/licensing/(third-party-programs\.txt)", r"licenses/\1"),
        ],
    },
    "torch": {
        "pins": ["torch", "nvidia-cuda-runtime", "nvidia-cuda-cupti"],
        "fetch_mb": 553,
        "disk_mb": 520,
        "rules": [
            (r"torch/(include/.*)", r"\1"),
            (r"torch/(lib/lib(?:torch_cpu|c10|gomp)[-.].*)", r"\1"),
            (r"nvidia/cu13/(lib/lib(?:cudart|cupti)\.so\.13)", r"\1"),
            (r"(\w+)-[^/]*\.dist-info/(?:licenses/)?(LICENSE|NOTICE|License\.txt)", r"licenses/\1-\2"),
        ],
    },
    # All of LibTorch again, so that one folder fits together; what its CUDA part loads lies beside it.
    "torch-cuda": {
        "pins": ["torch", "nvidia-cuda-runtime", "nvidia-cuda-cupti", "nvidia-cublas", "nvidia-cuda-nvrtc", "nvidia-cufft",
                 "nvidia-cufile", "nvidia-cusolver", "nvidia-cusparse", "nvidia-nvjitlink", "nvidia-cudnn-cu13",
                 "nvidia-cusparselt-cu13", "nvidia-nccl-cu13", "nvidia-nvshmem-cu13"],
        "fetch_mb": 2691,
        "disk_mb": 4000,
        "rules": [
            (r"torch/(include/.*)", r"\1"),
            (r"torch/(lib/lib(?:torch_cpu|torch_cuda|torch_cuda_linalg|torch_nvshmem|caffe2_nvrtc|c10|c10_cuda|gomp)[-.].*)",
             r"\1"),
            (r"nvidia/\w+/(lib/(?!lib(?:nvblas|cufftw|cusolverMg|nvperf|checkpoint|pcsampling))[^/]+\.so[.\d]*)", r"\1"),
            (r"(\w+)-[^/]*\.dist-info/(?:licenses/)?(LICENSE|NOTICE|License\.txt)", r"licenses/\1-\2"),
        ],
    },
    "osqp": {
        "pins": ["osqp"],
        "fetch_mb": 1,
        "disk_mb": 2,
        "sdist": True,
        "rules": [(r"[^/]+/osqp_sources/(.*\.[ch])", r"\1"), (r"[^/]+/(LICENSE)", r"\1"),
                  (r"[^/]+/osqp_sources/(.*/LICENSE)", r"\1")],
    },
}

# pip asks an sdist's build backend for metadata before it will save the file, which would run setup.py and
# first fetch numpy. This stand-in answers from PKG-INFO, so nothing of the package is run.
METADATA_ONLY_BACKEND = '''
import pathlib
def get_requires_for_build_wheel(config_settings=None):
    return []
def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path("PKG-INFO").read_text(encoding="utf-8")
    field = dict(line.split(": ", 1) for line in info.splitlines() if line.startswith(("Name: ", "Version: ")))
    folder = f"{field['Name']}-{field['Version']}.dist-info"
    target = pathlib.Path(metadata_directory, folder)
    target.mkdir()
    target.joinpath("METADATA").write_text(info, encoding="utf-8")
    target.joinpath("WHEEL").write_text("Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    return folder
'''


class Failure(Exception):
    """What went wrong and what to do about it, in one line."""


def read_pins():
    """Maps a package name to its whole requirement line, hash included."""
    text = re.sub(r"\\\n\s*", "", REQUIREMENTS.read_text(encoding="utf-8"))
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {line.split("==")[0]: line for line in lines}


def component_lines(component, pins):
    return [pins[name] for name in COMPONENTS[component]["pins"]]


def stamp_of(component, pins):
    recipe = "\n".join(component_lines(component, pins)) + repr(COMPONENTS[component]["rules"])
    return hashlib.sha256(recipe.encode()).hexdigest()


def is_complete(component, deps, pins):
    stamp = deps / component / ".stamp"
    return stamp.is_file() and stamp.read_text().strip() == stamp_of(component, pins)


def check_disk_space(missing, deps):
    """The worst moment: everything earlier unpacked, the present archive twice (pip's copy and ours)."""
    kept, needed = 0, 0
    for component in missing:
        spec = COMPONENTS[component]
        needed = max(needed, kept + 2 * spec["fetch_mb"] + spec["disk_mb"])
        kept += spec["disk_mb"]
    free = shutil.disk_usage(deps).free // 10**6
    if free < needed:
        raise Failure(f"{deps} has {free} MB free, {needed} MB are needed for {', '.join(missing)}: "
                      "free some space, or use --without-torch / --without-mkl")


def run_pip(component, pins, work):
    spec = COMPONENTS[component]
    requirements = work / "requirements.txt"
    requirements.write_text("\n".join(component_lines(component, pins)) + "\n")
    downloads = work / "downloads"
    downloads.mkdir()
    # pip keeps its half-finished files in TMPDIR: here they are on the disk we measured and get removed.
    env = dict(os.environ, TMPDIR=str(work), PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_ROOT_USER_ACTION="ignore")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--require-hashes",
               "--retries", "2", "--dest", str(downloads), "--requirement", str(requirements)]
    if spec.get("sdist"):
        backend = work / "backend" / "setuptools"
        backend.mkdir(parents=True)
        (backend / "__init__.py").write_text("")
        (backend / "build_meta.py").write_text(METADATA_ONLY_BACKEND)
        env["PYTHONPATH"] = str(backend.parent)
        command += ["--no-binary=:all:", "--no-build-isolation"]
    else:
        command += WHEEL_TAGS
    if subprocess.run(command, env=env, check=False).returncode != 0:
        raise Failure(f"pip could not fetch {', '.join(spec['pins'])} (its words are above): is there a way to a "
                      "package index from here? Pip's own settings (PIP_INDEX_URL, PIP_PROXY, pip.conf) are "
                      "respected. Without it: SUBSPACE_BLAS=eigen and SUBSPACE_BUILD_NEURAL=OFF build the core")
    return sorted(downloads.iterdir())


def archive_members(archive):
    """Yields (name, opener) of every file in a wheel or sdist."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                yield name, lambda name=name: wheel.open(name)
    else:
        with tarfile.open(archive) as sdist:
            for member in sdist:
                if member.isfile():
                    yield member.name, lambda member=member: sdist.extractfile(member)


def destination(name, rules):
    for pattern, target in rules:
        match = re.fullmatch(pattern, name)
        if match:
            return match.expand(target)
    return None


def unpack(archive, rules, target):
    count = 0
    for name, opener in archive_members(archive):
        relative = destination(name, rules)
        if relative is None or name.endswith("/"):
            continue
        path = target / relative
        if ".." in Path(relative).parts:
            raise Failure(f"{archive.name}: member '{name}' leaves the target folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        with opener() as source, open(path, "wb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
        count += 1
    if count == 0:
        raise Failure(f"{archive.name}: nothing in it fits the rules of fetch_pypi.py")


def install(component, deps, pins):
    spec = COMPONENTS[component]
    print(f"  {component}: fetching {', '.join(line.split()[0] for line in component_lines(component, pins))}"
          f" (about {spec['fetch_mb']} MB; {spec['disk_mb']} MB stay in {deps.name}/)", flush=True)
    with tempfile.TemporaryDirectory(prefix=f".{component}-", dir=deps) as scratch:
        work = Path(scratch)
        target = work / "unpacked"
        for archive in run_pip(component, pins, work):
            unpack(archive, spec["rules"], target)
            archive.unlink()
        (target / ".stamp").write_text(stamp_of(component, pins) + "\n")
        final = deps / component
        if final.exists():
            final.rename(work / "replaced")
        target.rename(final)


def remove_leftovers(deps):
    """Scratch folders of runs that were killed."""
    for component in COMPONENTS:
        for scratch in deps.glob(f".{component}-*"):
            shutil.rmtree(scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("deps", type=Path)
    parser.add_argument("components", nargs="+", choices=sorted(COMPONENTS))
    parser.add_argument("--list-missing", action="store_true", help="print what would be fetched and its MB, fetch nothing")
    arguments = parser.parse_args()
    pins = read_pins()
    deps = arguments.deps.resolve()
    missing = [name for name in arguments.components if not is_complete(name, deps, pins)]
    if arguments.list_missing:
        if missing:
            print(" ".join(missing), sum(COMPONENTS[name]["fetch_mb"] for name in missing))
        return 0
    if not missing:
        return 0
    deps.mkdir(parents=True, exist_ok=True)
    remove_leftovers(deps)
    try:
        check_disk_space(missing, deps)
        for component in missing:
            install(component, deps, pins)
    except (Failure, OSError) as error:
        print(f"script/bootstrap: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
