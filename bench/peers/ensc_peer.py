# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
"""Elastic net subspace clustering as Python users run it today: one point at a time, an active support around
SPAMS' LARS or scikit-learn's coordinate descent. Rows are samples; row i of C represents sample i."""

import numpy as np
import scipy.sparse
import spams
from sklearn.linear_model import ElasticNet

SUPPORT_AT_START = 100
MAX_ROUNDS = 40


def solve_spams(target, dictionary, alpha, tau):
    """min 1/2 |y - cX|^2 + tau alpha |c|_1 + (1 - tau) alpha / 2 |c|^2 on the rows of `dictionary`."""
    return spams.lasso(np.asfortranarray(target[:, None]), np.asfortranarray(dictionary.T),
                       lambda1=tau * alpha, lambda2=(1 - tau) * alpha, mode=2,
                       numThreads=1).toarray().ravel()


def solve_coordinate_descent(target, dictionary, alpha, tau):
    """The same problem in scikit-learn's parametrisation (its fit term is divided by the dimension)."""
    model = ElasticNet(alpha=alpha / len(target), l1_ratio=tau, fit_intercept=False, tol=1e-6,
                       max_iter=10000)
    return model.fit(dictionary.T, target).coef_


def represent_point(X, i, correlations, gamma, tau, solve):
    """Support and coefficients of one point: solve on the support, look for violators outside, repeat."""
    alpha = np.abs(correlations).max() / tau / gamma
    size = min(SUPPORT_AT_START, len(X) - 1)
    support = np.argpartition(-np.abs(correlations), size)[:size]
    objective = np.inf
    for _ in range(MAX_ROUNDS):
        dictionary = X[support]
        coefficients = solve(X[i], dictionary, alpha, tau)
        residual = X[i] - coefficients @ dictionary
        new_objective = (tau * alpha * np.abs(coefficients).sum()
                         + (1 - tau) * alpha / 2 * coefficients @ coefficients
                         + residual @ residual / 2)
        if objective - new_objective < 1e-10 * abs(new_objective):
            break
        objective = new_objective
        violation = np.abs(X @ residual) / alpha
        violation[support] = 0
        violation[i] = 0
        violators = np.flatnonzero(violation > tau + 1e-10)
        if len(violators) == 0:
            break
        active = support[np.abs(coefficients) > 1e-10]
        if len(active) > 0.8 * size:
            size = min(round(1.1 * max(len(active), size)), len(X) - 1)
        room = max(size - len(active), 1)
        strongest = violators[np.argsort(-violation[violators])[:room]]
        support = np.concatenate([active, strongest])
    return support, coefficients


def represent(X, gamma, tau, solve):
    """The sparse N x N matrix of coefficients."""
    rows, columns, values = [], [], []
    for i in range(len(X)):
        correlations = X @ X[i]
        correlations[i] = 0
        support, coefficients = represent_point(X, i, correlations, gamma, tau, solve)
        rows.append(np.full(len(support), i))
        columns.append(support)
        values.append(coefficients)
    C = scipy.sparse.csr_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(len(X),) * 2)
    C.eliminate_zeros()
    return C


def kkt_violation(X, C, gamma, tau):
    """The largest violation of the optimality conditions, as our certificate defines it."""
    gram = X @ X.T
    off_diagonal = gram - np.diag(np.diag(gram))
    alpha = np.abs(off_diagonal).max(axis=1) / tau / gamma
    dense = C.toarray()
    scaled = (gram - dense @ gram) / alpha[:, None]
    on = np.abs(scaled - tau * np.sign(dense) - (1 - tau) * dense)
    off = np.abs(scaled) - tau
    violation = np.where(dense != 0, on, off)
    np.fill_diagonal(violation, 0)
    return float(violation.max())
