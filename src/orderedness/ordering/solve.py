"""The verb: order the units of a problem with a solver, and say how sure the answer is."""

import math
import time
from collections import Counter

import numpy as np
from jaxtyping import Int

from orderedness.ordering.auto import Auto
from orderedness.ordering.problem import Problem
from orderedness.ordering.reduction import Reduction, reduce_problem
from orderedness.ordering.result import TOLERANCE, Ordering
from orderedness.ordering.search import Search, Solver


def solve(
    problem: Problem,
    solver: Solver | None = None,
    *,
    time_limit: float | None = None,
    seed: int = 0,
) -> Ordering:
    """Order the units so that as little weight as possible lies below the diagonal.

    2-cycles are cancelled and strongly connected components are solved one by one, small ones
    first, each with its share of the time. Ctrl-C ends the search, not the program: the best
    order so far is returned.

    Args:
        problem: what to order.
        solver: how; by default `Auto()`.
        time_limit: seconds; by default each solver ends by its own rule.
        seed: for random choices. The same seed gives the same answer, unless time cuts it short.

    Example:
        >>> problem = Problem.from_edges([0, 1, 2], [1, 2, 0], [3.0, 2.0, 1.0])
        >>> ordering = solve(problem)
        >>> round(ordering.value, 4), ordering.certified
        (0.8333, True)
    """
    if not isinstance(problem, Problem):
        raise TypeError(f"problem must be a Problem, got {type(problem).__name__}.")
    solver = Auto() if solver is None else solver
    if not hasattr(solver, "search"):
        raise TypeError(f"solver must be a solver such as Auto(), got {solver!r}.")
    started = time.perf_counter()
    deadline = started + check_time_limit(time_limit)
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or seed < 0:
        raise ValueError(f"seed must be an integer of at least 0, got {seed!r}.")

    reduction = reduce_problem(problem)
    searches = _searches(problem, reduction, int(seed))
    interrupted = False
    try:
        waiting = sorted((s for s in searches if not s.done), key=lambda search: search.size)
        for k, search in enumerate(waiting):
            left = deadline - time.perf_counter()
            share = search.weights.nnz / sum(s.weights.nnz for s in waiting[k:])
            search.deadline = time.perf_counter() + max(0.0, left) * share
            if left > 0:
                solver.search(search)
    except KeyboardInterrupt:
        interrupted = True
        for search in searches:
            search.deadline = -math.inf  # threads that still work on one see that they may end
    if interrupted:
        ending = "interrupted: the best order so far, with valid bounds"
    elif time.perf_counter() >= deadline:
        ending = "time limit: the best order so far, with valid bounds"
    else:
        ending = "search ended: the best order found, with valid bounds"
    return _ordering(problem, reduction, searches, started, ending)


def check_time_limit(time_limit: float | None) -> float:
    """The time limit in seconds, infinite for None; an error if it cannot be one.

    Example:
        >>> check_time_limit(None)
        inf
    """
    if time_limit is None:
        return math.inf
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float | np.number):
        raise TypeError(f"time_limit must be a number of seconds, got {time_limit!r}.")
    if not time_limit >= 0:
        raise ValueError(f"time_limit must be at least 0 seconds, got {time_limit}.")
    return float(time_limit)


def _searches(problem: Problem, reduction: Reduction, seed: int) -> list[Search]:
    """One search for each component, from the order that the units came in."""
    searches = []
    for units in reduction.components:
        weights = reduction.net
        if len(reduction.components) > 1:
            weights = weights[units][:, units] if units.size > 1 else weights[:0, :0]
        searches.append(
            Search(
                weights=weights,
                order=np.arange(weights.shape[0]),
                integral=problem.integral,
                slack=0.5 * TOLERANCE * float(weights.data.sum()),
                seed=seed,
            )
        )
    return searches


def _ordering(
    problem: Problem,
    reduction: Reduction,
    searches: list[Search],
    started: float,
    ending: str,
) -> Ordering:
    """Put the components together again."""
    parts: list[Int[np.ndarray, " k"]] = [
        units[search.order] if search.size else units
        for units, search in zip(reduction.components, searches, strict=True)
    ]
    free = reduction.free[np.concatenate(parts)] if parts else reduction.free
    permutation = np.concatenate([problem.front, free, problem.back]).astype(np.int64)
    statistics: Counter[str] = Counter()
    for search in searches:
        statistics.update(search.statistics)
    result = {
        **statistics,
        "components": sum(search.size > 1 for search in searches),
        "largest component": max((search.size for search in searches), default=0),
        "seconds": time.perf_counter() - started,
    }
    if problem.total == 0:
        return Ordering(math.nan, permutation, math.nan, math.nan, True, "no weight", result)
    below = problem.below(permutation)
    bound = reduction.settled + sum(search.bound for search in searches)
    certified = all(search.done for search in searches)
    value = 1.0 - below / problem.total
    upper = value if certified else min(1.0, max(value, 1.0 - bound / problem.total))
    status = "optimal" if certified else ending
    return Ordering(value, permutation, value, upper, certified, status, result)
