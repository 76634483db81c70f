"""Choosing a solver for a component by its size and density."""

from dataclasses import dataclass

from orderedness.ordering.branch_and_cut import BranchAndCut
from orderedness.ordering.memetic import Memetic
from orderedness.ordering.search import Search, Solver
from orderedness.ordering.subset_dp import SubsetDP

DP_UNITS = 16


@dataclass(frozen=True)
class Auto:
    """The solver for each component, by what it is like.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> solve(Problem.from_dense([[0, 1], [2, 0]]), Auto()).status
        'optimal'
    """

    def choose(self, search: Search) -> Solver:
        """The solver for one component."""
        if search.size <= DP_UNITS:
            return SubsetDP()
        if search.size <= 100:
            return BranchAndCut()
        return Memetic()

    def search(self, search: Search) -> None:
        """See `Solver`."""
        self.choose(search).search(search)
