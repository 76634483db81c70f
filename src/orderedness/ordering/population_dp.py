r"""Exact orders of many small matrices at once, by dynamic programming over subsets.

Let f(T) be the least weight below the diagonal when the units of T come first. The last of them,
v, has its inputs from T \ {v} below the diagonal:

    f({}) = 0,    f(T) = min over v in T of f(T \ {v}) + sum over u in T \ {v} of |W[v, u]|.

Matrices are processed sixteen at a time, one to a vector lane, so that the loops over subsets are
shared. A lane never looks at its neighbours: a matrix gets the same bits in any company.
"""

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled

LANES = 16


@compiled
def lower_sum(matrix: Float[np.ndarray, "n n"], order: Int[np.ndarray, " n"]) -> float:
    """The sum of ``matrix[order][:, order]`` strictly below the diagonal.

    Example:
        >>> float(lower_sum(np.array([[0.0, 1.0], [5.0, 0.0]]), np.array([1, 0])))
        1.0
    """
    total = 0.0
    for i in range(1, order.size):
        for j in range(i):
            total += matrix[order[i], order[j]]
    return total


@compiled
def _subset_sums(
    block: Float[np.ndarray, "h h lanes"],
    first: int,
    count: int,
    sums: Float[np.ndarray, "h subsets lanes"],
) -> None:
    """sums[v, T] = sum of row v over the columns ``first + bit``, one for each bit set in T."""
    units = block.shape[0]
    for v in range(units):
        for lane in range(LANES):
            sums[v, 0, lane] = 0.0
        for bit in range(count):
            for rest in range(1 << bit):
                for lane in range(LANES):
                    sums[v, rest + (1 << bit), lane] = (
                        sums[v, rest, lane] + block[v, first + bit, lane]
                    )


@compiled
def _order_lanes(
    block: Float[np.ndarray, "h h lanes"],
    cost: Float[np.ndarray, "subsets lanes"],
    low: Float[np.ndarray, "h lowsubsets lanes"],
    high: Float[np.ndarray, "h highsubsets lanes"],
    order: Int[np.ndarray, "h lanes"],
) -> None:
    """Best order of each lane's h x h matrix; equal orders are told apart by the lower index."""
    units = block.shape[0]
    half = units // 2
    mask = (1 << half) - 1
    _subset_sums(block, 0, half, low)
    _subset_sums(block, half, units - half, high)
    for lane in range(LANES):
        cost[0, lane] = 0.0
    for subset in range(1, 1 << units):
        for lane in range(LANES):
            cost[subset, lane] = np.inf
        for v in range(units):
            if subset >> v & 1:
                rest = subset ^ (1 << v)
                low_part = rest & mask
                high_part = rest >> half
                for lane in range(LANES):
                    candidate = cost[rest, lane] + (
                        low[v, low_part, lane] + high[v, high_part, lane]
                    )
                    if candidate < cost[subset, lane]:
                        cost[subset, lane] = candidate
    for lane in range(LANES):
        subset = (1 << units) - 1
        for place in range(units - 1, -1, -1):
            for v in range(units - 1, -1, -1):
                if subset >> v & 1:
                    rest = subset ^ (1 << v)
                    row = low[v, rest & mask, lane] + high[v, rest >> half, lane]
                    if cost[rest, lane] + row == cost[subset, lane]:
                        order[place, lane] = v
                        subset = rest
                        break


@compiled
def order_population(
    weights: Float[np.ndarray, "u u networks"],
    outputs: int,
    permutation: Int[np.ndarray, "u networks"],
) -> None:
    """Fill `permutation` with the best order of each network: outputs first, as they are.

    Args:
        weights: magnitudes, (o+h) x (o+h) x networks.
        outputs: o, how many units stay at the front.
        permutation: (o+h) x networks, overwritten.

    Example:
        >>> weights = np.array([[0.0, 1.0], [5.0, 0.0]])[:, :, None]
        >>> permutation = np.zeros((2, 1), np.int32)
        >>> order_population(weights, 0, permutation)
        >>> permutation[:, 0]
        array([1, 0], dtype=int32)
    """
    units, _, networks = weights.shape
    hidden = units - outputs
    block = np.zeros((hidden, hidden, LANES))
    cost = np.empty((1 << hidden, LANES))
    low = np.empty((hidden, 1 << (hidden // 2), LANES))
    high = np.empty((hidden, 1 << (hidden - hidden // 2), LANES))
    order = np.zeros((hidden, LANES), np.int64)
    for start in range(0, networks, LANES):
        used = min(LANES, networks - start)
        for r in range(hidden):
            for c in range(hidden):
                for lane in range(used):
                    block[r, c, lane] = weights[outputs + r, outputs + c, start + lane]
        _order_lanes(block, cost, low, high, order)
        for lane in range(used):
            for unit in range(outputs):
                permutation[unit, start + lane] = unit
            for place in range(hidden):
                permutation[outputs + place, start + lane] = outputs + order[place, lane]


@compiled
def sum_population(
    weights: Float[np.ndarray, "u units networks"],
    first: int,
    permutation: Int[np.ndarray, "u networks"],
    count_self: bool,
    lower: Float[np.ndarray, " networks"],
    rest: Float[np.ndarray, " networks"],
) -> None:
    """Split the weight of each permuted network into below the diagonal and everything else.

    Args:
        weights: magnitudes, (o+h) x (o+h [+i]) x networks; further columns are never below.
        first: leave out the first units (0, or the number of outputs for the hidden block).
        permutation: (o+h) x networks.
        count_self: whether self-connections are in `rest`.
        lower: overwritten.
        rest: overwritten.

    Example:
        >>> weights, lower, rest = np.ones((3, 3, 1)), np.zeros(1), np.zeros(1)
        >>> sum_population(weights, 0, np.arange(3)[:, None], True, lower, rest)
        >>> lower, rest
        (array([3.]), array([6.]))
    """
    units, columns, networks = weights.shape
    for network in range(networks):
        below = 0.0
        other = 0.0
        for i in range(first, units):
            r = permutation[i, network]
            for j in range(first, i):
                below += weights[r, permutation[j, network], network]
            if count_self:
                other += weights[r, r, network]
            for j in range(i + 1, units):
                other += weights[r, permutation[j, network], network]
            for c in range(units, columns):
                other += weights[r, c, network]
        lower[network] = below
        rest[network] = other
