# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Our program beside its peers: same data, same machine, same run, taking turns. Prints a table of medians and
ratios, and writes the record with --out. Times are of the stage compared, in memory, never of start-up or files."""

import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import scipy.io
import scipy.optimize
import scipy.sparse
import sklearn
import sklearn.cluster
import threadpoolctl
from sklearn.cluster import KMeans, SpectralClustering

import ensc_peer
import path_peer
import published_peer

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from machine import machine  # noqa: E402, its folder is named above
GAMMA, TAU = 50.0, 0.9
NONZEROS = 10  # of SSC-OMP
PATH_POINTS = 2
PATH = (1.001, 50.0, 30)  # first and last gamma, and how many
PEERED = ["ensc", "omp", "path", "kmeans", "spectral"]
ALONE = ["ssc", "kssc", "lrr", "smce"]  # nobody's program to be held against: a product of the same size instead


# ---- data ------------------------------------------------------------------------------------------------

def load_coil20(folder):
    content = scipy.io.loadmat(folder / "coil20" / "COIL20.mat")
    return content["fea"].astype(float), content["gnd"].ravel().astype(np.int32)


def load_mnist(count):
    def load(folder):
        def read(name, offset):
            return np.frombuffer(gzip.open(folder / "mnist" / name).read(), np.uint8, offset=offset)
        images = read("t10k-images-idx3-ubyte.gz", 16).reshape(-1, 784)[:count].astype(float)
        return images, read("t10k-labels-idx1-ubyte.gz", 8)[:count].astype(np.int32)
    return load


def make_subspaces(dimension, clusters, per_cluster):
    """Stands in where a data set is absent: points on noisy subspaces."""
    random = np.random.default_rng(0)
    parts = [random.normal(size=(per_cluster, 9)) @ random.normal(size=(9, dimension)) for _ in range(clusters)]
    X = np.concatenate(parts)
    X += 0.05 * np.abs(X).mean() * random.normal(size=X.shape)
    return X, np.repeat(np.arange(clusters, dtype=np.int32), per_cluster)


# What it is read from, a stand-in's dimension, clusters and points of each, and the work that is done on it.
SETS = {"COIL-20 32x32": (load_coil20, (1024, 20, 72), PEERED + ALONE),
        "MNIST-test-2000": (load_mnist(2000), (784, 10, 200), PEERED),
        "MNIST-test-10000": (load_mnist(10000), (784, 10, 1000), ["ensc-alone"])}


def data_sets(folder, wanted):
    """(name, X with unit rows, labels, number of clusters, rows) of the sets that any row wanted is for; says when a
    stand-in is used."""
    for name, (load, shape, rows) in SETS.items():
        rows = [row for row in rows if wanted(row, name)]
        if not rows:
            continue
        try:
            if folder is None:
                raise FileNotFoundError("SUBSPACE_DATA_DIR is not set")
            X, labels = load(folder)
        except FileNotFoundError as missing:
            print(f"{name}: not found ({missing}); noisy subspaces of its size instead", file=sys.stderr)
            X, labels = make_subspaces(*shape)
            name = f"subspaces like {name}"
        yield name, X / np.linalg.norm(X, axis=1, keepdims=True), labels, len(np.unique(labels)), rows


# ---- measuring -------------------------------------------------------------------------------------------

def accuracy(labels, truth):
    table = np.zeros((labels.max() + 1, truth.max() + 1), int)
    np.add.at(table, (labels, truth), 1)
    rows, columns = scipy.optimize.linear_sum_assignment(-table)
    return table[rows, columns].sum() / len(truth)


def seconds_of(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


class Ours:
    """The subspace program on one data set."""

    def __init__(self, program, X, truth, clusters, threads, folder):
        self.program, self.clusters, self.threads = program, clusters, threads
        self.input, self.truth = folder / "x.npy", folder / "truth.npy"
        np.save(self.input, X)
        np.save(self.truth, truth)

    def run(self, method, **options):
        settings = [item for key, value in options.items() for item in ("--set", f"{key}={value}")]
        done = subprocess.run(
            [self.program, "cluster", self.input, "-k", str(self.clusters), "--method", method, "--truth",
             self.truth, "--threads", str(self.threads), "--progress", "never", "--json", "-", *settings],
            check=True, capture_output=True)
        return json.loads(done.stdout)


def our_coefficients(arguments, folder, method, *options):
    """Seconds of the solve, its certificate, and the coefficients as peer_coefficients writes them; what is in
    x.npy is solved."""
    out = folder / "coefficients.npy"
    done = subprocess.run([arguments.coefficients, method, folder / "x.npy", str(arguments.threads), out,
                           *map(str, options)], check=True, capture_output=True)
    facts = json.loads(done.stdout)
    return facts["seconds"], facts["residual"], np.load(out)


def take_turns(runners, repeats):
    """Runs each runner once per turn, so that a noisy moment hits all of them; a runner returns
    (seconds, facts). Medians and the facts of the last turn."""
    times = {name: [] for name in runners}
    facts = {}
    for _ in range(repeats):
        for name, runner in runners.items():
            taken, facts[name] = runner()
            times[name].append(taken)
    return {name: {"median": statistics.median(values), "all": values, **facts[name]}
            for name, values in times.items()}


# ---- the rows --------------------------------------------------------------------------------------------

def double_gemm(X, threads):
    """X X' as a general product: numpy would use the cheaper symmetric one for X @ X.T itself."""
    other = np.asfortranarray(X.T)

    def run():
        with threadpoolctl.threadpool_limits(threads):
            taken, _ = seconds_of(lambda: X @ other)
        return taken, {}
    return run


def peer_accuracy(C, truth, clusters):
    """What follows the coefficients in the peer: 50 largest a row, unit rows, symmetric, k-means on
    eigenvectors."""
    kept = C.tolil()
    for i in range(kept.shape[0]):
        values = np.abs(kept.data[i])
        for position in np.argsort(-values)[50:]:
            kept.data[i][position] = 0.0
    A = abs(sklearn.preprocessing.normalize(kept.tocsr()))
    W = (A + A.T) / 2
    laplacian, scale = scipy.sparse.csgraph.laplacian(W, normed=True, return_diag=True)
    del scale
    identity = scipy.sparse.identity(W.shape[0])
    _, vectors = scipy.sparse.linalg.eigsh(identity - laplacian, k=clusters, which="LA", v0=np.ones(W.shape[0]))
    points = sklearn.preprocessing.normalize(vectors)
    labels = KMeans(clusters, n_init=20, random_state=0).fit_predict(points)
    return accuracy(labels, truth)


def find_published(method, arguments):
    module = published_peer.load(arguments.published)
    if module is None:
        print(f"{method}: no checkout of ChongYou/subspace-clustering (--published); its authors' code is left out",
              file=sys.stderr)
    return module


def compare_ensc(name, X, truth, clusters, arguments, folder):
    ours = Ours(arguments.program, X, truth, clusters, arguments.threads, folder)

    def run_ours():
        record = ours.run("ensc", gamma=GAMMA, tau=TAU)
        return record["seconds"]["self_expression"], {
            "accuracy": record["metrics"]["acc"], "kkt": record["certificate"]["kkt_violation"]}

    def run_peer(represent):
        def run():
            taken, C = seconds_of(represent)
            return taken, {"C": C}
        return run

    def loop_around(solve):
        return run_peer(lambda: ensc_peer.represent(X, GAMMA, TAU, solve))

    runners = {"ours": run_ours, "dgemm": double_gemm(X, arguments.threads),
               "SPAMS": loop_around(ensc_peer.solve_spams)}
    if published := find_published("EnSC", arguments):
        runners["published"] = run_peer(lambda: published_peer.represent_ensc(published, X, GAMMA, TAU))
    if arguments.coordinate_descent:
        runners["scikit-learn CD"] = loop_around(ensc_peer.solve_coordinate_descent)
    with threadpoolctl.threadpool_limits(arguments.threads):
        results = take_turns(runners, arguments.repeats)
    for peer in results.values():
        if "C" in peer:
            C = peer.pop("C")
            peer["accuracy"] = peer_accuracy(C, truth, clusters)
            peer["kkt"] = ensc_peer.kkt_violation(X, C, GAMMA, TAU)
    return {"work": f"EnSC self-expression, {name}", "results": results}


def compare_omp(name, X, truth, clusters, arguments, folder):
    published = find_published("SSC-OMP", arguments)
    if published is None:
        return None
    ours = Ours(arguments.program, X, truth, clusters, arguments.threads, folder)

    def run_ours():
        record = ours.run("ssc-omp", max_nonzeros=NONZEROS)
        return record["seconds"]["self_expression"], {"accuracy": record["metrics"]["acc"]}

    def run_peer():
        taken, C = seconds_of(lambda: published_peer.represent_omp(published, X, NONZEROS))
        return taken, {"C": C}

    with threadpoolctl.threadpool_limits(arguments.threads):
        results = take_turns({"ours": run_ours, "dgemm": double_gemm(X, arguments.threads), "published": run_peer},
                             arguments.repeats)
    _, _, own = our_coefficients(arguments, folder, "omp", NONZEROS)
    C = results["published"].pop("C")
    results["published"]["accuracy"] = peer_accuracy(C, truth, clusters)
    results["published"]["difference"] = float(np.abs(C.toarray() - own).max())
    return {"work": f"SSC-OMP, {NONZEROS} nonzeros, {name}", "results": results}


def compare_path(name, X, truth, clusters, arguments, folder):
    del truth, clusters
    np.save(folder / "x.npy", X)
    points = np.linspace(0, len(X) - 1, PATH_POINTS).astype(int)
    gammas = np.geomspace(*PATH)
    rows = []
    for tau, what, peer in ((1.0, "lasso path", "lasso_path"), (TAU, "elastic net path", "enet_path")):
        def run_ours(tau=tau):
            taken, residual, C = our_coefficients(arguments, folder, "path", tau, *PATH, *points)
            return taken, {"kkt": residual, "C": C.reshape(len(gammas), len(points), -1)}

        def run_peer(tau=tau):
            taken, C = seconds_of(lambda: path_peer.paths(X, points, gammas, tau))
            return taken, {"C": C}

        with threadpoolctl.threadpool_limits(arguments.threads):
            results = take_turns({"ours": run_ours, peer: run_peer}, arguments.repeats)
        own, theirs = results["ours"].pop("C"), results[peer].pop("C")
        results[peer]["kkt"] = path_peer.kkt_violation(X, points, gammas, tau, theirs)
        results[peer]["difference"] = float(np.abs(own - theirs).max())
        rows.append({"work": f"{what}, {len(points)} points, {len(gammas)} gammas, {name}", "results": results})
    return rows


def compare_kmeans(name, X, truth, clusters, arguments, folder):
    ours = Ours(arguments.program, X, truth, clusters, arguments.threads, folder)
    inertia = {}

    def run_ours():
        record = ours.run("kmeans")
        inertia["ours"] = record["certificate"]["inertia"]
        return record["seconds"]["assignment"], {"accuracy": record["metrics"]["acc"]}

    def run_peer():
        model = KMeans(clusters, n_init=20, random_state=0)
        taken, _ = seconds_of(lambda: model.fit(X))
        inertia["scikit-learn"] = model.inertia_
        return taken, {"accuracy": accuracy(model.labels_, truth)}

    with threadpoolctl.threadpool_limits(arguments.threads):
        results = take_turns({"ours": run_ours, "scikit-learn": run_peer}, arguments.repeats)
    results["scikit-learn"]["difference"] = inertia["scikit-learn"] / inertia["ours"] - 1
    return {"work": f"k-means, 20 starts, {name}", "results": results}


def compare_spectral(name, X, truth, clusters, arguments, folder):
    ours = Ours(arguments.program, X, truth, clusters, arguments.threads, folder)

    def run_ours():
        record = ours.run("spectral")
        return record["seconds"]["total"] - record["seconds"]["load"], {"accuracy": record["metrics"]["acc"]}

    def run_peer():
        model = SpectralClustering(clusters, affinity="nearest_neighbors", n_neighbors=5, random_state=0,
                                   n_jobs=arguments.threads)
        taken, labels = seconds_of(lambda: model.fit_predict(X))
        return taken, {"accuracy": accuracy(labels, truth)}

    results = take_turns({"ours": run_ours, "scikit-learn": run_peer}, arguments.repeats)
    return {"work": f"spectral clustering, 5-NN graph, {name}", "results": results}


def alone(method):
    """The method with its defaults beside one product of the same size."""
    def compare(name, X, truth, clusters, arguments, folder):
        ours = Ours(arguments.program, X, truth, clusters, arguments.threads, folder)

        def run_ours():
            record = ours.run(method)
            residual = next(value for key, value in record["certificate"].items() if key not in ("tolerance",))
            return record["seconds"]["self_expression"], {"accuracy": record["metrics"]["acc"], "kkt": residual}

        results = take_turns({"ours": run_ours, "dgemm": double_gemm(X, arguments.threads)}, arguments.repeats)
        return {"work": f"{method} self-expression, defaults, {name}", "results": results}
    return compare


ROWS = {"ensc": compare_ensc, "omp": compare_omp, "path": compare_path, "kmeans": compare_kmeans,
        "spectral": compare_spectral, "ensc-alone": alone("ensc"), **{method: alone(method) for method in ALONE}}


# ---- the table -------------------------------------------------------------------------------------------

def cells(facts):
    """Of the columns that not every row has."""
    return [f"{facts[key]:{form}}" if key in facts else ""
            for key, form in (("accuracy", ".3f"), ("kkt", ".0e"), ("difference", ".0e"))]


def print_rows(rows):
    print(f"{'work':<56} {'who':<16} {'median s':>9} {'ratio':>7} {'ACC':>6} {'KKT':>7} {'differs':>8}")
    for row in rows:
        own = row["results"]["ours"]["median"]
        for who, facts in row["results"].items():
            acc, kkt, difference = cells(facts)
            ratio = "" if who == "ours" else f"{facts['median'] / own:.2f}x"
            print(f"{row['work']:<56} {who:<16} {facts['median']:>9.4f} {ratio:>7} {acc:>6} {kkt:>7} {difference:>8}")


def markdown(record):
    """The rows of a record as a table for docs/results and the README."""
    lines = ["| work | who | median s | ratio to ours | ACC | largest KKT violation | differs from ours |",
             "|---|---|---|---|---|---|---|"]
    for row in record["rows"]:
        own = row["results"]["ours"]["median"]
        for who, facts in row["results"].items():
            ratio = "1" if who == "ours" else f"{facts['median'] / own:.3g}"
            lines.append(f"| {row['work']} | {who} | {facts['median']:.3f} | {ratio} | " + " | ".join(cells(facts)) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "subspace"))
    parser.add_argument("--coefficients", default=str(ROOT / "build" / "bin" / "peer_coefficients"))
    parser.add_argument("--published", type=pathlib.Path, help="a checkout of ChongYou/subspace-clustering")
    parser.add_argument("--repeats", type=int, default=7, help="turns; the medians are reported")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", default="", help="run only work whose name contains this")
    parser.add_argument("--rows", default=",".join(ROWS), help="these kinds of work (%(default)s)")
    parser.add_argument("--coordinate-descent", action="store_true", help="also scikit-learn's ElasticNet (slow)")
    parser.add_argument("--out", type=pathlib.Path, help="write the record (JSON) here, and its table (.md) beside it")
    arguments = parser.parse_args()
    # scikit-learn says so at every turn; COIL-20's 5-NN graph is in pieces, which is the point of the row.
    warnings.filterwarnings("ignore", message="Graph is not fully connected")
    folder = os.environ.get("SUBSPACE_DATA_DIR")
    rows = []
    load = [os.getloadavg()[0]]  # before and after: what else the machine had to do
    asked_for = arguments.rows.split(",")
    if unknown := [row for row in asked_for if row not in ROWS]:
        parser.error(f"--rows {','.join(unknown)}: must be of {', '.join(ROWS)}")

    def wanted(row, name):
        return row in asked_for and arguments.only in f"{row} {name}"

    for name, X, truth, clusters, own_rows in data_sets(pathlib.Path(folder) if folder else None, wanted):
        with tempfile.TemporaryDirectory() as temporary:
            for row in own_rows:
                found = ROWS[row](name, X, truth, clusters, arguments, pathlib.Path(temporary))
                new = found if isinstance(found, list) else [found] if found else []
                rows += new
                print_rows(new)
    print("\nratio: how many times as long as ours; dgemm: one general product X X' of the same size;\n"
          "differs: largest difference of coefficients from ours, of k-means the inertia over ours less one")
    print_rows(rows)
    load.append(os.getloadavg()[0])
    if arguments.out:
        versions = {"numpy": np.__version__, "scikit-learn": sklearn.__version__}
        record = {"machine": machine(arguments.program) | versions, "threads": arguments.threads,
                  "repeats": arguments.repeats, "load": load, "rows": rows}
        arguments.out.write_text(json.dumps(record, indent=1) + "\n")
        arguments.out.with_suffix(".md").write_text(markdown(record) + "\n")


if __name__ == "__main__":
    main()
