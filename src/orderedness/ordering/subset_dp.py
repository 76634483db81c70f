"""Exact order of one matrix of up to two dozen units, by dynamic programming over subsets."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering.search import Search

MOST_UNITS = 24


@compiled
def _subset_sums(
    matrix: Float[np.ndarray, "n n"], first: int, count: int
) -> Float[np.ndarray, "n subsets"]:
    """The sum of each row over every subset of the `count` columns from `first` on."""
    units = matrix.shape[0]
    sums = np.zeros((units, 1 << count))
    for v in range(units):
        for bit in range(count):
            for rest in range(1 << bit):
                sums[v, rest + (1 << bit)] = sums[v, rest] + matrix[v, first + bit]
    return sums


@compiled
def subset_order(matrix: Float[np.ndarray, "n n"]) -> Int[np.ndarray, " n"]:
    r"""The order with the least weight below the diagonal: O(2^n n) time, 8 * 2^n bytes.

    f(T) = min over v in T of f(T \ {v}) + sum over u in T \ {v} of matrix[v, u]; the sums over
    subsets come from two tables, one for each half of the units. Among equal orders the units
    with higher indices go last.

    Example:
        >>> subset_order(np.array([[0.0, 1.0, 0.0], [5.0, 0.0, 0.0], [0.0, 2.0, 0.0]]))
        array([2, 1, 0])
    """
    units = matrix.shape[0]
    half = units // 2
    mask = (1 << half) - 1
    low = _subset_sums(matrix, 0, half)
    high = _subset_sums(matrix, half, units - half)
    cost = np.zeros(1 << units)
    for subset in range(1, 1 << units):
        best = np.inf
        for v in range(units):
            if subset >> v & 1:
                rest = subset ^ (1 << v)
                candidate = cost[rest] + (low[v, rest & mask] + high[v, rest >> half])
                best = min(best, candidate)
        cost[subset] = best
    order = np.empty(units, np.int64)
    subset = (1 << units) - 1
    for place in range(units - 1, -1, -1):
        for v in range(units - 1, -1, -1):
            if subset >> v & 1:
                rest = subset ^ (1 << v)
                if cost[rest] + (low[v, rest & mask] + high[v, rest >> half]) == cost[subset]:
                    order[place] = v
                    subset = rest
                    break
    return order


@dataclass(frozen=True)
class SubsetDP:
    """Exact, by dynamic programming over subsets; for components of at most 24 units.

    It takes O(2^n n) time and 8 * 2^n bytes, and cannot be stopped half way.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> matrix = np.random.default_rng(0).normal(size=(12, 12))
        >>> solve(Problem.from_dense(matrix), SubsetDP()).certified
        True
    """

    def search(self, search: Search) -> None:
        """See `Solver`."""
        if search.size > MOST_UNITS:
            raise ValueError(
                f"SubsetDP takes components of at most {MOST_UNITS} units, got {search.size}."
            )
        search.offer(subset_order(search.dense))
        search.statistics["subsets"] += 1 << search.size
        search.prove()
