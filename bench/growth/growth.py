#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""How the time of a method grows with the number of points: the first N pictures of MNIST for several N, the sizes
taking turns, medians, and the exponent between each two sizes that follow one another. Needs nothing but Python."""

import argparse
import gzip
import json
import math
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from machine import machine  # noqa: E402, its folder is named above

HEADER = struct.Struct(">IIII")  # of an idx file of pictures: magic number, count, rows, columns
# With so little allowed EnSC holds no Gram matrix of 5000 points or more, so that all sizes are solved in one way.
MEMORY = {"ensc": "700M"}


def first_pictures(source, count, target):
    with gzip.open(source) as stream:
        magic, stored, rows, columns = HEADER.unpack(stream.read(HEADER.size))
        if count > stored:
            sys.exit(f"growth: {count} points asked for, {source.name} has {stored}")
        target.write_bytes(HEADER.pack(magic, count, rows, columns) + stream.read(count * rows * columns))


def run(arguments, method, pictures):
    """The record of one clustering, without its labels."""
    memory = ["--max-memory", MEMORY[method]] if method in MEMORY else []
    done = subprocess.run([arguments.program, "cluster", pictures, "-k", "10", "--method", method, "--threads",
                           str(arguments.threads), "--progress", "never", "--json", "-", *memory],
                          capture_output=True)
    if done.returncode not in (0, 4):
        sys.exit(f"growth: {method} on {pictures.name}: {done.stderr.decode()}")
    record = json.loads(done.stdout)
    return {key: record[key] for key in ("seconds", "peak_memory_mb", "certificate", "converged")}


def median_row(method, count, records):
    seconds = {stage: statistics.median(record["seconds"][stage] for record in records)
               for stage in records[0]["seconds"]}
    return {"method": method, "points": count, "seconds": seconds,
            "all_totals": [record["seconds"]["total"] for record in records],
            "peak_memory_mb": max(record["peak_memory_mb"] for record in records),
            "converged": all(record["converged"] for record in records),
            "certificate": records[-1]["certificate"]}


def exponent(before, after, stage):
    """p of time ~ N^p between two sizes; nothing where a stage takes no time worth the name."""
    first, second = before["seconds"].get(stage, 0.0), after["seconds"].get(stage, 0.0)
    if min(first, second) < 0.01:
        return None
    return math.log(second / first) / math.log(after["points"] / before["points"])


def with_exponents(rows):
    for before, after in zip(rows, rows[1:]):
        after["exponents"] = {stage: exponent(before, after, stage) for stage in ("self_expression", "total")}
    return rows


def markdown(record):
    lines = ["| method | points | self-expression, s | exponent | total, s | exponent | peak, MB | converged |",
             "|---|---|---|---|---|---|---|---|"]
    for row in record["rows"]:
        powers = row.get("exponents", {})
        cells = [row["method"], str(row["points"])]
        for stage in ("self_expression", "total"):
            power = powers.get(stage)
            cells += [f"{row['seconds'].get(stage, 0.0):.2f}", "" if power is None else f"{power:.2f}"]
        cells += [f"{row['peak_memory_mb']:.0f}", "yes" if row["converged"] else "no"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "subspace"))
    parser.add_argument("--points", default="5000,10000,20000", help="numbers of points (%(default)s)")
    parser.add_argument("--methods", default="ensc,ssc-omp,esc,smce,spectral", help="(%(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="turns; the medians are reported")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--out", type=pathlib.Path, help="write the record (JSON) here, and its table (.md) beside it")
    arguments = parser.parse_args()
    folder = os.environ.get("SUBSPACE_DATA_DIR")
    if folder is None:
        sys.exit("growth: SUBSPACE_DATA_DIR is not set; MNIST is looked for there")
    source = pathlib.Path(folder) / "mnist" / "train-images-idx3-ubyte.gz"
    counts = sorted(int(count) for count in arguments.points.split(","))
    load = [os.getloadavg()[0]]  # before and after: what else the machine had to do
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        pictures = {count: pathlib.Path(temporary) / f"mnist-{count}.idx" for count in counts}
        for count, path in pictures.items():
            first_pictures(source, count, path)
        for method in arguments.methods.split(","):
            records = {count: [] for count in counts}
            for _ in range(arguments.repeats):
                for count in counts:
                    records[count].append(run(arguments, method, pictures[count]))
            rows += with_exponents([median_row(method, count, records[count]) for count in counts])
            print(f"{method} is done", file=sys.stderr)
    load.append(os.getloadavg()[0])
    record = {"machine": machine(arguments.program), "threads": arguments.threads, "repeats": arguments.repeats,
              "load": load, "data": source.name, "rows": rows}
    print(markdown(record))
    if arguments.out:
        arguments.out.write_text(json.dumps(record, indent=1) + "\n")
        arguments.out.with_suffix(".md").write_text(markdown(record) + "\n")


if __name__ == "__main__":
    main()
