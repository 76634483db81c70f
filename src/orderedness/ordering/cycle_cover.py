"""Sparse components with proof: cover all cycles by arcs of least weight.

    min  sum of w_e x_e    s.t.  sum of x_e over each cycle >= 1,  0 <= x <= 1.

Cycles are found when they are needed: those shorter than 1 in lengths x. If the linear programme
leaves a gap, x is made integral (HiGHS's own branch and bound), again with cycles as needed.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from orderedness.ordering import _highs as highspy
from orderedness.ordering.annealing import Annealing, repair_order
from orderedness.ordering.packing import CyclePool
from orderedness.ordering.search import Search

STRICT = 1e-10  # the least tolerance that HiGHS takes, in units of about the mean weight


@dataclass(frozen=True)
class CycleCover:
    """Exact for sparse components of some hundreds of units and some thousands of arcs.

    Integer programmes are solved in floating point: where the linear programme leaves a gap,
    integer weights that add up to more than about 1e9 may be left with an interval of one or two.

    Attributes:
        start: what finds the first order.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> around = np.arange(60)
        >>> problem = Problem.from_edges(np.tile(around, 2), np.r_[around + 1, around + 7] % 60)
        >>> solve(problem, CycleCover()).certified
        True
    """

    start: Annealing = field(default_factory=lambda: Annealing(sweeps=300))

    def search(self, search: Search) -> None:
        """See `Solver`."""
        self.start.search(search)
        if not search.over:
            _Cover(search).solve()


class _Cover:
    """The model of one cover, its rows found so far in `pool`."""

    def __init__(self, search: Search) -> None:
        self.given = search
        self.pool = CyclePool(search.weights, search.order, search.seed)
        self.unit_cost = 2.0 ** math.frexp(float(search.weights.data.mean()))[1]
        self.cost = search.weights.data / self.unit_cost
        self.rows = 0
        self.high = np.ones(self.cost.size)
        self.model = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", 0.0),
        ):
            self.model.setOptionValue(option, setting)
        self.model.HandleUserInterrupt = True
        self.model.addVars(self.cost.size, np.zeros(self.cost.size), self.high)
        every = np.arange(self.cost.size, dtype=np.int32)
        self.model.changeColsCost(self.cost.size, every, self.cost)

    def solve(self) -> None:
        search = self.given
        while not search.over and self._add_rows():
            finished = self._run()
            self._bound()
            if not finished:
                return
        if search.over:
            return
        every = np.arange(self.cost.size, dtype=np.int32)
        self.model.changeColsBounds(self.cost.size, every, np.zeros(self.cost.size), self.high)
        whole = np.full(self.cost.size, highspy.HighsVarType.kInteger.value, dtype=np.uint8)
        self.model.changeColsIntegrality(self.cost.size, every, whole)
        for option in ("mip_feasibility_tolerance", "dual_feasibility_tolerance"):
            self.model.setOptionValue(option, STRICT)
        doubt = STRICT * (1.0 + self.cost.size)  # every reduced cost may be wrong by so much
        while not search.over:
            finished = self._run()
            search.statistics["mips"] += 1
            bound = self.model.getInfo().mip_dual_bound
            if math.isfinite(bound):
                search.raise_bound((bound - doubt) * self.unit_cost)
            if not (finished and self._add_rows()):
                return

    def _add_rows(self) -> int:
        """Require what the present x violates; return how many rows."""
        pool = self.pool
        before = pool.flow.size
        found = pool.add(limit=1.0 - 1e-6, most_settled=self.given.size)
        ends = pool.ends[before:]
        arcs = pool.arcs[ends[0] : ends[-1]].astype(np.int32)
        self.model.addRows(
            found,
            np.ones(found),
            np.full(found, np.inf),
            arcs.size,
            (ends[:-1] - ends[0]).astype(np.int32),
            arcs,
            np.ones(arcs.size),
        )
        self.given.statistics["cycles"] += found
        return found

    def _run(self) -> bool:
        """Solve the model in the time left; offer the order that its x suggests."""
        search = self.given
        if math.isfinite(search.deadline):
            limit = self.model.getRunTime() + max(0.01, search.remaining())
            self.model.setOptionValue("time_limit", limit)
        self._run_interruptibly()
        x = np.array(self.model.getSolution().col_value)
        if x.size:
            self.pool.length = np.clip(x, 0.0, 1.0)
            search.offer(repair_order(search.weights, self.pool.length, search.order))
        return self.model.getModelStatus() == highspy.HighsModelStatus.kOptimal

    def _run_interruptibly(self) -> None:
        """Run the model in a thread of its own: an integer programme can take long."""
        self.model.startSolve()
        try:
            while not self.model.wait(0.1)[0]:
                pass
        except KeyboardInterrupt:
            self.model.cancelSolve()
            self.model.wait()
            raise

    def _bound(self) -> None:
        """Weak duality, so that tolerances do not matter; and arcs too dear to be below."""
        search = self.given
        solution = self.model.getSolution()
        multiplier = np.maximum(np.array(solution.row_dual), 0.0)
        if multiplier.size != self.pool.flow.size:
            return  # stopped before there was anything
        load = np.bincount(
            self.pool.arcs,
            weights=np.repeat(multiplier, np.diff(self.pool.ends)),
            minlength=self.cost.size,
        )
        reduced = self.cost - load
        bound = float(multiplier.sum() + np.minimum(0.0, reduced).sum())
        search.raise_bound(bound * self.unit_cost)
        gap = (search.cost - bound * self.unit_cost) / self.unit_cost
        self.high[reduced > gap + 1e-6 * (1.0 + gap)] = 0.0
