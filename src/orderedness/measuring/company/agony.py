r"""Agony: how much edges against a hierarchy hurt, by how many ranks they climb it.

Gupte, Shankar, Li, Muthukrishnan, Iftode: Finding hierarchy in directed online social networks,
WWW 2011. Weighted, and as a flow: Tatti: Hierarchies in directed networks, ICDM 2015.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components


def agony(weights: sp.csr_array) -> float:
    r"""The least agony of any ranks r, whole numbers.

        A = min over r of sum w_mn max(r_m - r_n + 1, 0) over edges m -> n

    Solved exactly as its dual, the circulation of largest total flow: sum f_mn subject to
    0 <= f_mn <= w_mn and as much flowing into each unit as out of it. Only edges inside strongly
    connected components carry any. Cost: a linear program with as many columns as such edges.

    Raises:
        ArithmeticError: if the linear program is not solved.

    Examples:
        >>> agony(sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]])))
        2.0
    """
    sources, targets, capacity = _inner_edges(weights)
    if not capacity.size:
        return 0.0
    units = weights.shape[0]
    edge = np.arange(capacity.size)
    balance = sp.csr_array(
        (
            np.r_[np.ones(edge.size), -np.ones(edge.size)],
            (np.r_[targets, sources], np.r_[edge, edge]),
        ),
        shape=(units, edge.size),
    )
    scale = float(capacity.max())  # so that the solver's tolerances mean the same for all weights
    program: Any = linprog  # its stubs know no sparse matrices
    solved = program(
        -np.ones(edge.size),
        A_eq=balance,
        b_eq=np.zeros(units),
        bounds=np.column_stack([np.zeros(edge.size), capacity / scale]),
        method="highs",
    )
    if solved.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {solved.message}")
    return float(-solved.fun) * scale


def agony_hierarchy(weights: sp.csr_array) -> float:
    r"""1 - A/S: 1 without cycles, 0 where no rank is better than all being equal.

    Sees what O does not: how far back feedback reaches. An edge from the last layer to the first
    costs O no more than one between neighbours. NaN without weight. Cost: as `agony`.

    Examples:
        >>> ring = sp.csr_array(np.roll(np.eye(3), 1, axis=0))
        >>> round(agony_hierarchy(ring), 9) + 0.0
        0.0
    """
    total = float(weights.data.sum())
    return 1.0 - agony(weights) / total if total else float("nan")


def inner_edges_count(weights: sp.csr_array) -> int:
    """How many edges lie inside strongly connected components, which is what agony costs.

    Examples:
        >>> inner_edges_count(sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]])))
        2
    """
    return int(_inner_edges(weights)[2].size)


def _inner_edges(weights: sp.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _, labels = connected_components(weights, directed=True, connection="strong")
    edges = weights.tocoo()
    targets, sources = edges.coords
    inside = labels[sources] == labels[targets]
    return sources[inside], targets[inside], edges.data[inside]
