# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Holds our clustering metrics against scikit-learn and our assignment against SciPy.

Each metric must be within 1e-12 of scikit-learn's. Its adjusted mutual information loses digits where
clusters are many and small (docs/metrics.md), so that metric is judged by the same formula in 60-digit
arithmetic as well, for every labeling: where scikit-learn is within 5e-13 of the exact value, ours must
be within 1e-12 of scikit-learn's; where it is not, ours must be within 1e-12 of the exact value.

usage: metrics_peer_test.py DUMP_PROGRAM [LABELINGS [TABLES]]
"""
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from decimal import Decimal, getcontext
from functools import lru_cache
from math import comb

import numpy as np
import sklearn
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix

TOLERANCE = 1e-12
TRUSTWORTHY = 5e-13  # an error of scikit-learn's that leaves it a judge of ours
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


@lru_cache(maxsize=None)
def log(i):
    return Decimal(i).ln()


@lru_cache(maxsize=None)
def expected_overlap(a, b, n):
    """What clusters of a and b points add to the expected mutual information; whole-number weights."""
    lowest, highest = max(0, a + b - n), min(a, b)
    ways = comb(a, lowest) * comb(n - a, b - lowest)
    total = Decimal(0)
    for m in range(lowest, highest + 1):
        if m > 0:
            total += m * ways * (log(m) + log(n) - log(a) - log(b))
        ways = ways * (a - m) * (b - m) // ((m + 1) * (n - a - b + m + 1))
    return total / comb(n, b) / n


def exact_ami(labels, truth):
    """Adjusted mutual information to 60 digits; None where it is 0/0."""
    n = len(labels)
    rows, columns = Counter(labels), Counter(truth)

    def entropy(sizes):
        return sum(Decimal(s) / n * (log(n) - log(s)) for s in sizes.values())

    mutual = sum(Decimal(m) / n * (log(m) + log(n) - log(rows[i]) - log(columns[j]))
                 for (i, j), m in Counter(zip(labels, truth)).items())
    expected = sum(times_a * times_b * expected_overlap(a, b, n)
                   for a, times_a in Counter(rows.values()).items()
                   for b, times_b in Counter(columns.values()).items())
    denominator = (entropy(rows) + entropy(columns)) / 2 - expected
    return (mutual - expected) / denominator if abs(denominator) > Decimal("1e-40") else None


class AmiJudge:
    """Collects the errors of scikit-learn's and of our AMI against 60 digits."""

    def __init__(self):
        self.equal = 0
        self.errors = []  # (theirs, ours) where the two differ by more than TOLERANCE

    def difference(self, ours, theirs, exact):
        """What must be at most TOLERANCE."""
        apart = abs(ours - theirs)
        if exact is None:
            self.equal += apart <= TOLERANCE
            return apart
        our_error = float(abs(Decimal(ours) - exact))
        their_error = float(abs(Decimal(theirs) - exact))
        if apart <= TOLERANCE:
            self.equal += 1
        else:
            self.errors.append((their_error, our_error))
        return apart if their_error <= TRUSTWORTHY else our_error

    def report(self):
        print(f"  ami: {self.equal} labelings equal scikit-learn's to {TOLERANCE:g}, "
              f"{len(self.errors)} do not")
        if self.errors:
            theirs, ours = np.max(self.errors, axis=0)
            print(f"       on those, the error against 60 digits is {theirs:.2e} at most for "
                  f"scikit-learn, {ours:.2e} for ours")


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
    judge = AmiJudge()
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
                theirs = expected_metrics(labels, truth)
                difference = np.abs(ours - theirs)
                difference[AMI] = judge.difference(ours[AMI], theirs[AMI],
                                                   exact_ami(labels.tolist(), truth.tolist()))
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
    judge.report()
    complete = counts == {"metrics": int(labelings), "assignment": int(tables)}
    return 0 if complete and failures == 0 and np.all(worst <= TOLERANCE) else 1


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
    sys.exit(main(*sys.argv[1:]))
