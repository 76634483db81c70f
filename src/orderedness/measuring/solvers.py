"""Solvers by name."""

from __future__ import annotations

from collections.abc import Mapping

from orderedness._checks import known
from orderedness.ordering import (
    Annealing,
    Auto,
    BranchAndCut,
    CycleCover,
    Memetic,
    Packing,
    Solver,
    SubsetDP,
)

SOLVERS: Mapping[str, Solver] = {
    "auto": Auto(),
    "subsets": SubsetDP(),
    "branch-and-cut": BranchAndCut(),
    "cycle-cover": CycleCover(),
    "packing": Packing(),
    "memetic": Memetic(),
    "annealing": Annealing(),
}


def named_solver(name: str) -> Solver | None:
    """The solver of this name; None for "auto", which lets each step choose.

    Examples:
        >>> named_solver("memetic")
        Memetic(...)
    """
    known("solver", name, SOLVERS)
    return None if name == "auto" else SOLVERS[name]
