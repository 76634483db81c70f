"""How ordered a matrix is: problems, solvers, and orderings with bounds."""

from orderedness.ordering.auto import Auto
from orderedness.ordering.branch_and_cut import BranchAndCut
from orderedness.ordering.exhaustive import Exhaustive
from orderedness.ordering.measure import Orderedness, orderedness
from orderedness.ordering.memetic import Memetic
from orderedness.ordering.problem import Problem
from orderedness.ordering.result import Ordering
from orderedness.ordering.search import Search, Solver
from orderedness.ordering.solve import solve
from orderedness.ordering.subset_dp import SubsetDP

__all__ = [
    "Auto",
    "BranchAndCut",
    "Exhaustive",
    "Memetic",
    "Orderedness",
    "Ordering",
    "Problem",
    "Search",
    "Solver",
    "SubsetDP",
    "orderedness",
    "solve",
]
