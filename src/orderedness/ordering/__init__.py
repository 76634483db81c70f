"""How ordered a matrix is: problems, solvers, and orderings with bounds."""

from orderedness.ordering.annealing import Annealing
from orderedness.ordering.auto import Auto
from orderedness.ordering.branch_and_cut import BranchAndCut
from orderedness.ordering.cycle_cover import CycleCover
from orderedness.ordering.exhaustive import Exhaustive
from orderedness.ordering.measure import Orderedness, orderedness
from orderedness.ordering.memetic import Memetic
from orderedness.ordering.nulls import Excess, NullOrderedness, null_orderedness
from orderedness.ordering.packing import Packing
from orderedness.ordering.problem import Problem
from orderedness.ordering.result import Ordering
from orderedness.ordering.search import Search, Solver
from orderedness.ordering.solve import solve
from orderedness.ordering.subset_dp import SubsetDP

__all__ = [
    "Annealing",
    "Auto",
    "BranchAndCut",
    "CycleCover",
    "Excess",
    "Exhaustive",
    "Memetic",
    "NullOrderedness",
    "Orderedness",
    "Ordering",
    "Packing",
    "Problem",
    "Search",
    "Solver",
    "SubsetDP",
    "null_orderedness",
    "orderedness",
    "solve",
]
