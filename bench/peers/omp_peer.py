# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""SSC-OMP by the code its authors published, github.com/ChongYou/subspace-clustering, from a checkout of one's
own: `run` makes one. Rows are samples; row i of C represents sample i."""

import importlib
import sys
import types

COMMIT = "55e330e38415951f140e74739c869306acdb7a98"


def load(folder):
    """The published function, or None where there is no checkout. Its progress bar, a package of its own, is left
    out: it only costs time."""
    if folder is None or not (folder / "cluster" / "selfrepresentation.py").is_file():
        return None
    silent = types.ModuleType("progressbar")
    silent.progressbar = lambda items: items
    sys.modules.setdefault("progressbar", silent)
    sys.path.insert(0, str(folder))
    module = importlib.import_module("cluster.selfrepresentation")
    return module.sparse_subspace_clustering_orthogonal_matching_pursuit
