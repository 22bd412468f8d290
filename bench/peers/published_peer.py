# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""EnSC and SSC-OMP by the code their authors published, github.com/ChongYou/subspace-clustering, from a checkout of
one's own: `run` makes one. Rows are samples; row i of C represents sample i."""

import importlib
import sys
import types

COMMIT = "55e330e38415951f140e74739c869306acdb7a98"
MOST_COEFFICIENTS = 300


def load(folder):
    """The published module, or None where there is no checkout. Its progress bar, a package of its own, is left out:
    it only costs time."""
    if folder is None or not (folder / "cluster" / "selfrepresentation.py").is_file():
        return None
    silent = types.ModuleType("progressbar")
    silent.progressbar = lambda items: items
    sys.modules.setdefault("progressbar", silent)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module("cluster.selfrepresentation")


def represent_ensc(module, X, gamma, tau):
    """More coefficients than a point has, where the default would keep 50: the certificate needs all."""
    points = X.copy()  # it writes zeros into the point at hand
    return module.elastic_net_subspace_clustering(points, gamma=gamma, tau=tau, algorithm="spams",
                                                  n_nonzero=MOST_COEFFICIENTS)


def represent_omp(module, X, nonzeros):
    return module.sparse_subspace_clustering_orthogonal_matching_pursuit(X, n_nonzero=nonzeros, thr=1e-6)
