# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Holds our clustering metrics against scikit-learn and our assignment against SciPy.

Each metric must be within 1e-12 of scikit-learn's. Its adjusted mutual information loses digits
where clusters are many and small (to 1e-8 at 2000 points), so where the two differ by more there,
the same formula in 60-digit arithmetic is the judge, and ours must be within 1e-12 of that.

usage: metrics_peer_test.py DUMP_PROGRAM [LABELINGS [TABLES]]
"""
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from decimal import Decimal, getcontext
from math import comb

import numpy as np
import sklearn
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix

TOLERANCE = 1e-12
getcontext().prec = 60
NAMES = ("acc", "acc_greedy", "nmi_arithmetic", "nmi_geometric", "nmi_max", "ami", "ari", "purity")
AMI = NAMES.index("ami")


def greedy_count(table):
    """Largest count first, row and column unused; argmax takes the lowest row, then column."""
    table = table.copy()
    total = 0
    for _ in range(min(table.shape)):
        row, column = np.unravel_index(np.argmax(table), table.shape)
        total += max(table[row, column], 0)
        table[row, :] = -1
        table[:, column] = -1
    return total


def expected_metrics(labels, truth):
    table = contingency_matrix(labels, truth)
    matched = table[linear_sum_assignment(table, maximize=True)].sum()
    n = len(labels)
    nmi = {m: metrics.normalized_mutual_info_score(truth, labels, average_method=m)
           for m in ("arithmetic", "geometric", "max")}
    return np.array([matched / n, greedy_count(table) / n,
                     nmi["arithmetic"], nmi["geometric"], nmi["max"],
                     metrics.adjusted_mutual_info_score(truth, labels),
                     metrics.adjusted_rand_score(truth, labels),
                     table.max(axis=1).sum() / n])


def exact_ami(labels, truth):
    """Adjusted mutual information with whole-number binomials and 60 digits."""
    n = len(labels)
    rows, columns = Counter(labels), Counter(truth)

    def entropy(sizes):
        return -sum(Decimal(s) / n * (Decimal(s) / n).ln() for s in sizes.values())

    def gain(m, a, b):
        return Decimal(m) / n * (Decimal(m) * n / (a * b)).ln()

    mutual = sum(gain(m, rows[i], columns[j]) for (i, j), m in Counter(zip(labels, truth)).items())
    expected = Decimal(0)
    for a, times_a in Counter(rows.values()).items():
        for b, times_b in Counter(columns.values()).items():
            for m in range(max(1, a + b - n), min(a, b) + 1):
                ways = comb(a, m) * comb(n - a, b - m)
                expected += times_a * times_b * Decimal(ways) / comb(n, b) * gain(m, a, b)
    return (mutual - expected) / ((entropy(rows) + entropy(columns)) / 2 - expected)


def check_table(table, assignment):
    """Returns the difference of the two totals; both must be complete one-to-one assignments."""
    rows = np.flatnonzero(assignment >= 0)
    columns = assignment[rows]
    assert len(rows) == min(table.shape) and len(set(columns)) == len(columns)
    return table[rows, columns].sum() - table[linear_sum_assignment(table, maximize=True)].sum()


def main(program, labelings="10000", tables="1000"):
    worst = np.zeros(len(NAMES))
    worst_case = [None] * len(NAMES)
    counts = {"metrics": 0, "assignment": 0}
    failures = 0
    judged = []
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/dump.txt"
        subprocess.run([program, path, labelings, tables], check=True)
        for line in open(path, encoding="ascii"):
            tag, *words = line.split()
            if tag == "labels":
                labels = np.array(words, dtype=np.int64)
            elif tag == "truth":
                truth = np.array(words, dtype=np.int64)
            elif tag == "metrics":
                ours = np.array(words, dtype=float)
                difference = np.abs(ours - expected_metrics(labels, truth))
                if difference[AMI] > TOLERANCE:
                    exact = exact_ami(labels.tolist(), truth.tolist())
                    judged.append((difference[AMI], float(abs(Decimal(ours[AMI]) - exact))))
                    difference[AMI] = judged[-1][1]
                for i in np.flatnonzero(~(difference <= worst)):
                    worst[i] = difference[i]
                    worst_case[i] = (counts["metrics"], len(labels))
                counts["metrics"] += 1
            elif tag == "table":
                shape = int(words[0]), int(words[1])
                table = np.array(words[2:], dtype=np.int64).reshape(shape)
            elif tag == "assignment":
                failures += check_table(table, np.array(words, dtype=np.int64)) != 0
                counts["assignment"] += 1
    print(f"scikit-learn {sklearn.__version__}: {counts['metrics']} labelings, "
          f"SciPy: {counts['assignment']} tables, {failures} with another total")
    for name, difference, case in zip(NAMES, worst, worst_case):
        print(f"  {name:15s} largest difference {difference:.2e}"
              + (f"  (labeling {case[0]}, {case[1]} points)" if case else ""))
    if judged:
        theirs, ours = np.max(judged, axis=0)
        print(f"  ami: {len(judged)} labelings differ by more than {TOLERANCE:g} from scikit-learn, "
              f"at most {theirs:.2e}; ours is within {ours:.2e} of 60-digit arithmetic there")
    complete = counts == {"metrics": int(labelings), "assignment": int(tables)}
    return 0 if complete and failures == 0 and np.all(worst <= TOLERANCE) else 1


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
    sys.exit(main(*sys.argv[1:]))
