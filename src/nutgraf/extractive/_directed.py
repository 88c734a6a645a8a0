"""Sums of similarities along directed edges, without a matrix of all pairs."""

from __future__ import annotations

import numpy as np

from nutgraf.text.vectors import Array, Matrix


def products_below(rows: Matrix, keys: Array, others: Matrix, other_keys: Array) -> Array:
    """Sum the products of each row with the other rows whose key is smaller: Σ_j [other_key_j < key_i]·v_i·u_j.

    Time grows with the number of nonzero cells, not with the number of pairs.

    Args:
        rows: Sparse vectors v: [n × terms].
        keys: n numbers.
        others: Sparse vectors u: [m × terms].
        other_keys: m numbers.

    Returns:
        n sums.
    """
    result, total = np.zeros(rows.shape[0]), np.zeros(rows.shape[1])
    waiting = np.argsort(other_keys, kind="stable")
    added = 0
    for row in np.argsort(keys, kind="stable"):
        while added < len(waiting) and other_keys[waiting[added]] < keys[row]:
            start, end = others.indptr[waiting[added] : waiting[added] + 2]
            total[others.indices[start:end]] += others.data[start:end]
            added += 1
        start, end = rows.indptr[row : row + 2]
        result[row] = rows.data[start:end] @ total[rows.indices[start:end]]
    return result
