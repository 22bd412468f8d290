# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Elastic net and lasso paths by scikit-learn's enet_path and lasso_path, point by point, on the penalties of our
path. Rows of X are samples; the result has a row for each gamma and point, gammas first."""

import numpy as np
from sklearn.linear_model import enet_path, lasso_path

TOLERANCE = 1e-5  # of the duality gap; with the default, 1e-4, conditions are missed by up to 0.5


def penalties(X, point, gammas, tau):
    """Theirs is 1/(2 D) |y - A w|^2 + a (tau |w|_1 + (1 - tau)/2 |w|^2), ours that with D a = 1/gamma_j."""
    correlations = np.abs(X @ X[point])
    correlations[point] = 0
    return correlations.max() / (tau * gammas) / X.shape[1]


def paths(X, points, gammas, tau):
    """Coefficients of shape (gammas, points, N)."""
    result = np.zeros((len(gammas), len(points), len(X)))
    for column, point in enumerate(points):
        others = np.delete(np.arange(len(X)), point)
        dictionary = np.asfortranarray(X[others].T)
        shared = {"alphas": penalties(X, point, gammas, tau), "tol": TOLERANCE, "max_iter": 100000}
        if tau == 1:
            _, coefficients, _ = lasso_path(dictionary, X[point], **shared)
        else:
            _, coefficients, _ = enet_path(dictionary, X[point], l1_ratio=tau, **shared)
        result[:, column, others] = coefficients.T
    return result


def kkt_violation(X, points, gammas, tau, coefficients):
    """The largest violation of the optimality conditions along the paths, as our certificate defines it."""
    largest = 0.0
    for column, point in enumerate(points):
        alphas = penalties(X, point, gammas, tau) * X.shape[1]
        C = coefficients[:, column]
        scaled = (X[point] - C @ X) @ X.T / alphas[:, None]
        violation = np.where(C != 0, np.abs(scaled - tau * np.sign(C) - (1 - tau) * C), np.abs(scaled) - tau)
        violation[:, point] = 0
        largest = max(largest, violation.max())
    return float(largest)
