"""Local search by insertion on a dense matrix: take a unit out, put it where it costs least.

A unit u that is moved towards the back past v starts to pay matrix[u, v] and stops paying
matrix[v, u]; so all the n places of one unit are compared in O(n), by running sums over
``skew = matrix - matrix.T``.
"""

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled


@compiled
def insert(order: Int[np.ndarray, " n"], place: int, target: int) -> None:
    """Move the unit at `place` to `target`; those between shift by one.

    Example:
        >>> order = np.arange(5)
        >>> insert(order, 0, 3)
        >>> order
        array([1, 2, 3, 0, 4])
    """
    unit = order[place]
    if target > place:
        for k in range(place, target):
            order[k] = order[k + 1]
    else:
        for k in range(place, target, -1):
            order[k] = order[k - 1]
    order[target] = unit


@compiled
def best_place(
    skew: Float[np.ndarray, "n n"], order: Int[np.ndarray, " n"], place: int
) -> tuple[int, float]:
    """Where the unit at `place` costs least, and by how much the cost changes (at most 0).

    Example:
        >>> skew = np.array([[0.0, -4.0], [4.0, 0.0]])
        >>> best_place(skew, np.array([0, 1]), 0)
        (1, -4.0)
    """
    row = skew[order[place]]
    target, gain = place, 0.0
    change = 0.0
    for k in range(place + 1, order.size):
        change += row[order[k]]
        if change < gain:
            gain, target = change, k
    change = 0.0
    for k in range(place - 1, -1, -1):
        change -= row[order[k]]
        if change < gain:
            gain, target = change, k
    return target, gain


@compiled
def descend(
    skew: Float[np.ndarray, "n n"],
    order: Int[np.ndarray, " n"],
    tolerance: float,
) -> float:
    """Insert units where they cost least until no insertion helps; return the change in cost.

    Args:
        skew: matrix - matrix.T.
        order: changed in place.
        tolerance: smaller gains are rounding, and not taken.

    Example:
        >>> skew = np.array([[0.0, -4.0, -1.0], [4.0, 0.0, 2.0], [1.0, -2.0, 0.0]])
        >>> order = np.array([0, 1, 2])
        >>> descend(skew, order, 1e-9), order
        (-5.0, array([1, 2, 0]))
    """
    units = order.size
    place_of = np.empty(units, np.int64)
    for place in range(units):
        place_of[order[place]] = place
    total = 0.0
    quiet = 0
    unit = 0
    while quiet < units:
        place = place_of[unit]
        target, gain = best_place(skew, order, place)
        if gain < -tolerance:
            insert(order, place, target)
            for k in range(min(place, target), max(place, target) + 1):
                place_of[order[k]] = k
            total += gain
            quiet = 0
        quiet += 1
        unit = unit + 1 if unit + 1 < units else 0
    return total
