"""Exchanging the targets of edges, compiled."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int

from orderedness.ordering._compiled import compiled


@compiled
def exchange_targets(
    starts: Int[np.ndarray, " units1"],
    targets: Int[np.ndarray, " edges"],
    sources: Int[np.ndarray, " edges"],
    attempts: int,
    rng: np.random.Generator,
) -> int:
    """Try to exchange the targets of random pairs of edges; return how often it was done.

    Args:
        starts: unit u feeds ``targets[starts[u]:starts[u + 1]]``.
        targets: of the edges; changed in place.
        sources: of the edges, in ascending order.
        attempts: how many pairs are tried.
        rng: for drawing.

    Examples:
        >>> targets = np.array([1, 2])
        >>> edges = np.array([0, 1, 2, 2]), targets, np.array([0, 1])
        >>> exchange_targets(*edges, 5, np.random.default_rng(0)), targets
        (0, array([1, 2]))
    """
    edges = targets.size
    done = 0
    for _ in range(attempts):
        first, second = rng.integers(0, edges), rng.integers(0, edges)
        a, b = sources[first], sources[second]
        x, y = targets[first], targets[second]
        possible = a != b and x != y and a != y and b != x
        if possible:
            for edge in range(starts[a], starts[a + 1]):
                possible = possible and targets[edge] != y
            for edge in range(starts[b], starts[b + 1]):
                possible = possible and targets[edge] != x
        if possible:
            targets[first], targets[second] = y, x
            done += 1
    return done
