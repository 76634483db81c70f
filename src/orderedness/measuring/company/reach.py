"""How many units each unit reaches."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from jaxtyping import Int
from scipy.sparse.csgraph import connected_components


def reach(weights: sp.csr_array) -> Int[np.ndarray, " units"]:
    """How many units can be reached from each, itself included.

    Strongly connected components reach the same; going through them against the flow, each is
    given the union of what those it feeds reach, one bit a unit.

    Args:
        weights: entry [r, c] from c to r.

    Examples:
        >>> reach(sp.csr_array(np.diag([1.0, 1.0], -1)))
        array([3, 2, 1])
    """
    units = weights.shape[0]
    count, labels = connected_components(weights, directed=True, connection="strong")
    targets = np.repeat(labels, np.diff(weights.indptr))
    sources = labels[weights.indices]
    between = sources != targets
    feeds = sp.csr_array(
        (np.ones(int(between.sum()), np.int8), (sources[between], targets[between])),
        shape=(count, count),
    )
    feeds.sum_duplicates()
    bits = np.zeros((count, -(-units // 8)), np.uint8)
    np.bitwise_or.at(
        bits, (labels, np.arange(units) // 8), (128 >> (np.arange(units) % 8)).astype(np.uint8)
    )
    waiting = np.diff(feeds.indptr).copy()
    fed_by = sp.csr_array(feeds.T)
    ready = list(np.flatnonzero(waiting == 0))
    while ready:
        component = ready.pop()
        for source in fed_by.indices[fed_by.indptr[component] : fed_by.indptr[component + 1]]:
            bits[source] |= bits[component]
            waiting[source] -= 1
            if waiting[source] == 0:
                ready.append(source)
    reached: np.ndarray = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    return reached[labels]
