"""How deep each unit lies below those that feed it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int

from orderedness.ordering._compiled import compiled


@compiled
def _deepen(
    order: Int[np.ndarray, " units"],
    starts: Int[np.ndarray, " units1"],
    feeders: Int[np.ndarray, " edges"],
) -> Int[np.ndarray, " units"]:
    depth = np.zeros(order.size, np.int64)
    for unit in order:
        for edge in range(starts[unit], starts[unit + 1]):
            depth[unit] = max(depth[unit], depth[feeders[edge]] + 1)
    return depth


def longest_paths(
    order: Int[np.ndarray, " units"],
    targets: Int[np.ndarray, " edges"],
    sources: Int[np.ndarray, " edges"],
) -> Int[np.ndarray, " units"]:
    """The number of edges on the longest path to each unit.

    Args:
        order: such that sources come before their targets.
        targets: of the edges, sorted.
        sources: of the edges.

    Examples:
        >>> longest_paths(np.arange(3), np.array([1, 2, 2]), np.array([0, 0, 1]))
        array([0, 1, 2])
    """
    starts = np.searchsorted(targets, np.arange(order.size + 1))
    return _deepen(
        np.ascontiguousarray(order, np.int64), starts.astype(np.int64), sources.astype(np.int64)
    )
