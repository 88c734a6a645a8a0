"""Sums of similarities along directed edges, without a matrix of all pairs."""

from __future__ import annotations

import numpy as np

from nutgraf.text.vectors import Array, Matrix, rows_of


def products_below(rows: Matrix, keys: Array, others: Matrix, other_keys: Array) -> Array:
    """Sum the products of each row with the other rows whose key is smaller: Σ_j [other_key_j < key_i]·v_i·u_j.

    Time grows with the number of nonzero cells, not with the number of pairs.
    """
    columns = np.concatenate([rows.indices, others.indices])
    cell_keys = np.concatenate([keys[rows_of(rows)], other_keys[rows_of(others)]])
    added = np.concatenate([np.zeros(rows.nnz), others.data])
    order = np.lexsort((np.arange(len(columns)), cell_keys, columns))  # of equal keys, those of `rows` come first
    columns, added = columns[order], added[order]
    before = np.cumsum(added) - added
    sums = np.empty(len(order))
    sums[order] = before - before[np.searchsorted(columns, columns)]
    return np.asarray(
        np.bincount(rows_of(rows), rows.data * sums[: rows.nnz], minlength=rows.shape[0]), dtype=np.float64
    )
