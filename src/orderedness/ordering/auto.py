"""Choosing a solver for a component by its size and density."""

from dataclasses import dataclass

from orderedness.ordering.branch_and_cut import BranchAndCut
from orderedness.ordering.cycle_cover import CycleCover
from orderedness.ordering.memetic import Memetic
from orderedness.ordering.packing import Packing
from orderedness.ordering.search import Search, Solver
from orderedness.ordering.subset_dp import SubsetDP

SUBSET_UNITS = 19  # beyond, branch and cut is faster on dense matrices too
SPARSE = 0.2  # of all pairs: below, few of the short cycles matter
COVER_ARCS = 10_000
CUT_UNITS = 80
DENSE_UNITS = 2_000


@dataclass(frozen=True)
class Auto:
    """The solver for each component, by what it is like.

    | component | solver |
    | --- | --- |
    | up to 19 units | `SubsetDP` |
    | fewer than 20 % of the pairs connected, up to 10,000 arcs | `CycleCover` |
    | denser, up to 80 units | `BranchAndCut` |
    | denser, up to 2,000 units | `Packing` started by `Memetic` |
    | anything else | `Packing` started by `Annealing` |

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> solve(Problem.from_dense([[0, 1], [2, 0]]), Auto()).status
        'optimal'
    """

    def choose(self, search: Search) -> Solver:
        """The solver for one component."""
        if search.size <= SUBSET_UNITS:
            return SubsetDP()
        if search.density < SPARSE and search.weights.nnz <= COVER_ARCS:
            return CycleCover()
        if search.density >= SPARSE and search.size <= CUT_UNITS:
            return BranchAndCut()
        if search.density >= SPARSE and search.size <= DENSE_UNITS:
            return Packing(start=Memetic(sweeps=2000), share=0.9)
        return Packing()

    def search(self, search: Search) -> None:
        """See `Solver`."""
        self.choose(search).search(search)
