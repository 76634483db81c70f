"""Departure from normality.

Henrici: Bounds for iterates, inverses, spectral variation and fields of values of non-normal
matrices, Numerische Mathematik 4 (1962).
"""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp


def departure_from_normality(weights: sp.csr_array) -> float:
    r"""How far a matrix is from being diagonal in an orthogonal basis, from 0 to 1.

        sqrt(|W|_F^2 - sum |lambda_i|^2) / |W|_F

    Of the matrix as it is, with its signs and its self-connections. Sees what O does not:
    feed-forward structure between patterns of activity rather than between units, which no order
    of units shows; a symmetric or cyclic matrix has 0, a strictly triangular one 1. NaN without
    weight. Cost: all eigenvalues, cubic in the number of units.

    Examples:
        >>> round(departure_from_normality(sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))), 5)
        0.44721
    """
    matrix = weights.toarray()
    largest = float(np.abs(matrix).max(initial=0.0))
    if not largest:
        return float("nan")
    matrix = matrix / largest
    total = float((matrix**2).sum())
    normal = float((np.abs(np.linalg.eigvals(matrix)) ** 2).sum())
    return math.sqrt(max(0.0, 1.0 - normal / total))
