"""Lower bounds from packed cycles, for graphs of any size.

Every cycle has an arc below the diagonal. If cycles C carry flows y_C >= 0, so that no arc
carries more than its weight, then no order costs less than the sum of all flows. The best flows
are the dual of the linear programme

    min  sum of w_e x_e    s.t.  sum of x_e over each cycle >= 1,  0 <= x <= 1.

Both are approached at once by the primal-dual hybrid gradient method over a pool of cycles, to
which those are added that are shorter than 1 in lengths x. Whatever the flows, scaled down to
fit and filled up greedily they prove a bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from jaxtyping import Bool, Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering._threads import over_ranges
from orderedness.ordering.annealing import Annealing
from orderedness.ordering.search import Search, Solver
from orderedness.ordering.short_cycles import short_cycles

QUARTERS = 4  # not the number of cores, on which results must not depend
ARCS_A_ROUND = 2_000_000_000
ARCS_A_LOOK = 50_000_000
STEPS_A_PIECE = 200_000_000


@compiled
def improve_flows(
    ends: Int[np.ndarray, " c1"],
    arcs: Int[np.ndarray, " room"],
    weight: Float[np.ndarray, " m"],
    count: Int[np.ndarray, " m"],
    length: Float[np.ndarray, " m"],
    flow: Float[np.ndarray, " c"],
    balance: float,
    iterations: int,
) -> None:
    """Primal-dual hybrid gradient steps, preconditioned by the sizes of rows and columns.

    `count` says in how many cycles each arc is; `length` (x) and `flow` (y) are changed.
    """
    extrapolated = length.copy()
    spare = np.empty(weight.size)
    for _ in range(iterations):
        spare[:] = weight
        for k in range(flow.size):
            total = 0.0
            for j in range(ends[k], ends[k + 1]):
                total += extrapolated[arcs[j]]
            y = max(0.0, flow[k] + balance * (1.0 - total) / (ends[k + 1] - ends[k]))
            flow[k] = y
            if y > 0.0:
                for j in range(ends[k], ends[k + 1]):
                    spare[arcs[j]] -= y
        for e in range(weight.size):
            if count[e] > 0:
                old = length[e]
                new = min(1.0, max(0.0, old - spare[e] / (balance * count[e])))
                length[e] = new
                extrapolated[e] = 2.0 * new - old


@compiled
def fit_flows(
    ends: Int[np.ndarray, " c1"],
    arcs: Int[np.ndarray, " room"],
    weight: Float[np.ndarray, " m"],
    flow: Float[np.ndarray, " c"],
    spare: Float[np.ndarray, " m"],
) -> float:
    """Scale flows down until they fit, fill up what is left; return their sum.

    Args:
        ends: cycle k has the arcs ``arcs[ends[k]:ends[k + 1]]``.
        arcs: see there.
        weight: what each arc can carry.
        flow: of each cycle; changed in place.
        spare: overwritten by what each arc could still carry.

    Example:
        >>> flow, spare = np.array([5.0]), np.zeros(2)
        >>> fit_flows(np.array([0, 2]), np.array([0, 1]), np.array([3.0, 2.0]), flow, spare)
        2.0
    """
    spare[:] = 0.0
    for k in range(flow.size):
        for j in range(ends[k], ends[k + 1]):
            spare[arcs[j]] += flow[k]
    load = spare.copy()
    spare[:] = weight
    total = 0.0
    for fill in range(2):
        for k in range(flow.size):
            amount = np.inf
            if fill:
                for j in range(ends[k], ends[k + 1]):
                    amount = min(amount, spare[arcs[j]])
            else:
                amount = flow[k]
                for j in range(ends[k], ends[k + 1]):
                    e = arcs[j]
                    if load[e] > weight[e]:
                        amount = min(amount, flow[k] * weight[e] / load[e])
                for j in range(ends[k], ends[k + 1]):
                    amount = min(amount, spare[arcs[j]])
                flow[k] = 0.0
            if amount > 0.0:
                flow[k] += amount
                total += amount
                for j in range(ends[k], ends[k + 1]):
                    e = arcs[j]
                    spare[e] = max(0.0, spare[e] - amount)
    return total


class CyclePool:
    """Cycles, their flows, and the lengths of arcs; a bound that rises.

    Attributes:
        bound: the best sum of fitting flows so far.
        length: x, by arc.
    """

    def __init__(self, net: sp.csr_array, order: Int[np.ndarray, " n"], seed: int) -> None:
        self.starts = net.indptr.astype(np.int64)
        self.heads = net.indices.astype(np.int64)
        self.weight = net.data
        self.rng = np.random.default_rng(seed)
        self.length = np.zeros(net.nnz)
        self.ends = np.zeros(1, np.int64)
        self.arcs = np.zeros(0, np.int64)
        self.flow = np.zeros(0)
        self.bound = 0.0
        self.closing = self._below(order)

    def _below(self, order: Int[np.ndarray, " n"]) -> Bool[np.ndarray, " m"]:
        """Arcs below the diagonal in a good order: every cycle has one."""
        place: Int[np.ndarray, " n"] = np.empty(order.size, np.int64)
        place[order] = np.arange(order.size)
        below: Bool[np.ndarray, " m"] = np.repeat(place, np.diff(self.starts)) > place[self.heads]
        return below

    def add(
        self,
        limit: float,
        most_settled: int,
        room: int = 2_000_000,
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """Add cycles shorter than `limit`; return how many.

        Among equals, those with few arcs are preferred; unless there are none, which is made sure.

        Args:
            limit: the longest that is of use.
            most_settled: how far to look from each unit.
            room: for at most so many arcs in each quarter of the units.
            stopped: asked from time to time whether to leave it at what was found.
        """
        sources = self.rng.permutation(self.starts.size - 1)
        quarter = -(-sources.size // QUARTERS)
        arcs_a_source = min(self.heads.size, most_settled * self.heads.size // sources.size + 1)
        look_at = max(1, ARCS_A_LOOK // arcs_a_source)
        for noise in (0.01, 0.0):
            length = self.length + noise * (1.0 + self.rng.random(self.length.size))
            found: dict[int, tuple[np.ndarray, np.ndarray]] = {}

            def look(
                start: int, stop: int, length: np.ndarray = length, found: Any = found
            ) -> None:
                left = room
                for first in range(start, stop, look_at):
                    if stopped() or left < 3:
                        return
                    ends, arcs = np.empty(left // 3 + 1, np.int64), np.empty(left, np.int64)
                    count = short_cycles(
                        self.starts,
                        self.heads,
                        length,
                        self.closing,
                        sources[first : min(first + look_at, stop)],
                        limit,
                        most_settled,
                        ends,
                        arcs,
                    )
                    found[first] = ends[1 : count + 1].copy(), arcs[: ends[count]].copy()
                    left -= int(ends[count])

            over_ranges(look, sources.size, quarter)
            before = self.flow.size
            for _, (ends, arcs) in sorted(found.items()):
                self.ends = np.concatenate([self.ends, self.ends[-1] + ends])
                self.arcs = np.concatenate([self.arcs, arcs])
            self.flow = np.concatenate([self.flow, np.zeros(self.ends.size - 1 - before)])
            if self.flow.size > before:
                break
        return self.flow.size - before

    def forget(self) -> None:
        """Drop cycles without flow that are much longer than 1."""
        total = np.add.reduceat(self.length[self.arcs], self.ends[:-1])
        keep = (self.flow > 0) | (total < 1.1)
        sizes = np.diff(self.ends)
        self.arcs = self.arcs[np.repeat(keep, sizes)]
        self.ends = np.concatenate([[0], np.cumsum(sizes[keep])])
        self.flow = self.flow[keep]

    def improve(self, iterations: int) -> None:
        """Better flows and lengths, and the bound that they prove."""
        count = np.bincount(self.arcs, minlength=self.weight.size)
        improve_flows(
            self.ends,
            self.arcs,
            self.weight,
            count,
            self.length,
            self.flow,
            float(self.weight.mean()),
            iterations,
        )
        flow, spare = self.flow.copy(), np.empty(self.weight.size)
        self.bound = max(self.bound, fit_flows(self.ends, self.arcs, self.weight, flow, spare))


@dataclass(frozen=True)
class Packing:
    """A good order from another solver, and a bound from packed cycles, for any size.

    Attributes:
        start: what finds the order.
        share: how much of a time limit it may use.
        rounds: how often new cycles are looked for.
        iterations: gradient steps in each round.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> around = np.arange(60)
        >>> problem = Problem.from_edges(np.tile(around, 2), np.r_[around + 1, around + 7] % 60)
        >>> ordering = solve(problem, Packing())
        >>> ordering.lower <= ordering.upper < 1
        True
    """

    start: Solver = field(default_factory=Annealing)
    share: float = 0.5
    rounds: int = 60
    iterations: int = 200

    def search(self, search: Search) -> None:
        """See `Solver`."""
        deadline = search.deadline
        if math.isfinite(deadline):
            search.deadline -= (1.0 - self.share) * max(0.0, search.remaining())
        self.start.search(search)
        search.deadline = deadline
        if search.over:
            return
        pool = CyclePool(search.weights, search.order, search.seed)
        most_settled = min(search.size, max(50, ARCS_A_ROUND // search.weights.nnz))
        for _ in range(self.rounds):
            if search.over:
                return
            found = pool.add(0.95, most_settled, stopped=lambda: search.over)
            if search.over:
                return
            search.statistics["cycles"] += found
            if not found:
                most_settled = search.size
                if not pool.add(0.999, most_settled, stopped=lambda: search.over):
                    return
            # In pieces, so that a time limit or Ctrl-C is noticed.
            pieces = max(1, pool.arcs.size * self.iterations // STEPS_A_PIECE)
            for _ in range(pieces):
                pool.improve(self.iterations // pieces)
                search.raise_bound(pool.bound)
                if search.over:
                    return
            pool.forget()
