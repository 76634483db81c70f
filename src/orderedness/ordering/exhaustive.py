"""Every order, one after the other: what the other solvers are checked against."""

import itertools
from dataclasses import dataclass

import numpy as np

from orderedness.ordering.search import Search

MOST_UNITS = 10


@dataclass(frozen=True)
class Exhaustive:
    """Look at all n! orders of each component; for at most ten units.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> solve(Problem.from_dense([[0, 1], [2, 0]]), Exhaustive()).certified
        True
    """

    def search(self, search: Search) -> None:
        """See `Solver`."""
        if search.size > MOST_UNITS:
            raise ValueError(
                f"Exhaustive takes components of at most {MOST_UNITS} units, got {search.size}."
            )
        for count, order in enumerate(itertools.permutations(range(search.size))):
            search.offer(np.array(order))
            search.statistics["orders"] += 1
            if count % 1024 == 0 and search.remaining() <= 0:
                return
        search.prove()
