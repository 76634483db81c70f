"""Heat-bath annealing of insertions on a dense matrix: all n places of a unit in O(n)."""

import math

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering.insertion import insert


@compiled
def anneal_dense(
    skew: Float[np.ndarray, "n n"],
    order: Int[np.ndarray, " n"],
    temperatures: Float[np.ndarray, " sweeps"],
    rng: np.random.Generator,
) -> None:
    """At each temperature, n times: draw a unit, and its place from exp(-cost / T).

    Args:
        skew: matrix - matrix.T; the cost is what `orderedness.ordering.insertion.best_place` says.
        order: changed in place.
        temperatures: one for each sweep, all above 0.
        rng: for drawing.

    Example:
        >>> skew = np.triu(np.ones((5, 5)), 1) - np.tril(np.ones((5, 5)), -1)
        >>> order = np.array([3, 0, 4, 1, 2])
        >>> anneal_dense(skew, order, np.geomspace(1.0, 0.01, 50), np.random.default_rng(0))
        >>> order
        array([0, 1, 2, 3, 4])
    """
    units = order.size
    place_of = np.empty(units, np.int64)
    for k in range(units):
        place_of[order[k]] = k
    cost = np.empty(units)
    for temperature in temperatures:
        for _ in range(units):
            unit = rng.integers(0, units)
            place = place_of[unit]
            row = skew[unit]
            least, change = 0.0, 0.0
            cost[place] = 0.0
            for k in range(place + 1, units):
                change += row[order[k]]
                cost[k] = change
                least = min(least, change)
            change = 0.0
            for k in range(place - 1, -1, -1):
                change -= row[order[k]]
                cost[k] = change
                least = min(least, change)
            total = 0.0
            for k in range(units):
                excess = (cost[k] - least) / temperature
                if excess < 12.0:
                    total += math.exp(-excess)
                cost[k] = total  # from here on, the chances of all places up to k
            drawn = rng.random() * total
            target = min(units - 1, int(np.searchsorted(cost, drawn, side="right")))
            if target != place:
                insert(order, place, target)
                for k in range(min(place, target), max(place, target) + 1):
                    place_of[order[k]] = k
