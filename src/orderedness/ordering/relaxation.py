"""The linear relaxation of a dense ordering problem, with rows that come and go.

A variable x_p for each pair p = (a, b), a < b, says whether a comes before b:

    min  const + sum over pairs of (net[b, a] - net[a, b]) x_ab
    s.t. 0 <= x_ab + x_bc - x_ac <= 1 for the triples a < b < c that were needed so far,
         and zero-half cuts.
"""

import math

import numpy as np
from jaxtyping import Bool, Float, Int

from orderedness.ordering import _highs as highspy
from orderedness.ordering._compiled import compiled
from orderedness.ordering._threads import over_ranges
from orderedness.ordering.zero_half import zero_half_cuts

TRIPLE_TOLERANCE = 1e-6


@compiled
def violated_triples(
    x: Float[np.ndarray, "n n"], tolerance: float, triples: Int[np.ndarray, "most 4"]
) -> tuple[int, float]:
    """Find triples a < b < c with x_ab + x_bc - x_ac outside [0, 1]; the last column says above.

    Of too many, only the more violated are considered. Returns how many are stored, and the worst
    violation.

    Example:
        >>> x = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])
        >>> triples = np.zeros((4, 4), np.int64)
        >>> violated_triples(x, 1e-6, triples), triples[0]
        ((1, 1.0), array([0, 1, 2, 1]))
    """
    n = x.shape[0]
    bins = np.zeros(65, np.int64)
    worst = 0.0
    threshold = tolerance
    for fill in range(2):
        count = 0
        for a in range(n):
            for b in range(a + 1, n):
                for c in range(b + 1, n):
                    value = x[a, b] + x[b, c] - x[a, c]
                    violation = max(value - 1.0, -value)
                    if violation <= threshold:
                        continue
                    if not fill:
                        worst = max(worst, violation)
                        bins[min(64, int(violation * 64.0))] += 1
                    elif count < triples.shape[0]:
                        triples[count, 0] = a
                        triples[count, 1] = b
                        triples[count, 2] = c
                        triples[count, 3] = 1 if value > 1.0 else 0
                        count += 1
        if fill:
            return count, worst
        total = 0
        for k in range(64, -1, -1):
            total += bins[k]
            if total > triples.shape[0]:
                threshold = max(tolerance, k / 64.0 - 1e-12)
                break
    return 0, worst


class Relaxation:
    """One HiGHS model of the relaxation, kept warm between calls.

    Attributes:
        pairs: two arrays, a and b of each variable.
        x: the last solution as a matrix with x[b, a] = 1 - x[a, b].
        bound: a lower bound on the cost, valid for the bounds on variables that were set.
        reduced: reduced costs, in units of the problem.
    """

    def __init__(self, net: Float[np.ndarray, "n n"]) -> None:
        self.units = net.shape[0]
        self.pairs = np.triu_indices(self.units, 1)
        self.variables = self.pairs[0].size
        self.index = np.zeros((self.units, self.units), np.int32)
        self.index[self.pairs] = np.arange(self.variables)
        self.flat = self.pairs[0] * self.units + self.pairs[1]
        gain = net.T[self.pairs] - net[self.pairs]
        self.unit_cost = 2.0 ** math.frexp(float(np.abs(gain).mean()) or 1.0)[1]
        self.cost = gain / self.unit_cost
        self.constant = float(net[self.pairs].sum()) / self.unit_cost
        self.low = np.zeros(self.variables)
        self.high = np.ones(self.variables)
        self.x = np.full(net.shape, 0.5)
        self.solution = np.full(self.variables, 0.5)
        self.reduced = np.zeros(self.variables)
        self.bound = 0.0
        self.cuts = 0
        # Of each row: its finite sides (kept here, HiGHS holds the coefficients).
        self.row_low = np.empty(0)
        self.row_high = np.empty(0)
        self.row_size = np.empty(0)
        self.is_cut: Bool[np.ndarray, " rows"] = np.empty(0, bool)
        self.model = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("presolve", "off"),
            ("solver", "simplex"),
        ):
            self.model.setOptionValue(option, setting)
        self.model.addVars(self.variables, self.low, self.high)
        every = np.arange(self.variables, dtype=np.int32)
        self.model.changeColsCost(self.variables, every, self.cost)

    def restrict(self, low: Float[np.ndarray, " p"], high: Float[np.ndarray, " p"]) -> None:
        """Set the bounds on the variables."""
        changed = np.flatnonzero((low != self.low) | (high != self.high)).astype(np.int32)
        if changed.size:
            self.model.changeColsBounds(changed.size, changed, low[changed], high[changed])
            self.low, self.high = low.copy(), high.copy()

    def solve(self, seconds: float, most_iterations: int = 2**31 - 1) -> bool:
        """Solve; return whether the model may still have a solution.

        `bound` is valid even if the time or the iterations ran out.
        """
        self.model.setOptionValue("time_limit", self.model.getRunTime() + max(0.01, seconds))
        self.model.setOptionValue("simplex_iteration_limit", most_iterations)
        self.model.run()
        status = self.model.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return False
        solution = self.model.getSolution()
        self.optimal = status == highspy.HighsModelStatus.kOptimal
        if not self.optimal and not solution.dual_valid:
            self.bound = 0.0
            return True
        self.solution = np.clip(np.array(solution.col_value), 0.0, 1.0)
        self.x[self.pairs] = self.solution
        self.x.T[self.pairs] = 1.0 - self.solution
        self.row_value = np.array(solution.row_value)
        self.row_dual = np.array(solution.row_dual)
        reduced = np.array(solution.col_dual)
        self.reduced = reduced * self.unit_cost
        self.bound = self._safe_bound(reduced) * self.unit_cost
        return True

    def _safe_bound(self, reduced: Float[np.ndarray, " p"]) -> float:
        """Weak duality with whatever multipliers there are, so that tolerances do not matter."""
        multiplier = self.row_dual
        side = np.where(multiplier > 0, self.row_low, self.row_high)
        usable = np.isfinite(side)
        lost = float((np.abs(multiplier) * self.row_size)[~usable].sum())
        rows = float((multiplier * np.where(usable, side, 0.0))[usable].sum())
        columns = float(np.minimum(reduced * self.low, reduced * self.high).sum())
        return self.constant + rows + columns - lost

    def drop_slack(self) -> None:
        """Remove the rows that do not hold the solution."""
        distance = np.minimum(self.row_value - self.row_low, self.row_high - self.row_value)
        keep = (np.abs(self.row_dual) > 1e-12) | (distance < 1e-9)
        drop = np.flatnonzero(~keep).astype(np.int32)
        if drop.size:
            self.model.deleteRows(drop.size, drop)
            self.row_low, self.row_high = self.row_low[keep], self.row_high[keep]
            self.row_size, self.is_cut = self.row_size[keep], self.is_cut[keep]

    def add_triples(self, most: int) -> float:
        """Add the most violated triple inequalities; return the worst violation."""
        triples = np.empty((most, 4), np.int64)
        count, worst = violated_triples(self.x, TRIPLE_TOLERANCE, triples)
        if count:
            a, b, c, above = triples[:count].T
            columns = np.stack([self.index[a, b], self.index[b, c], self.index[a, c]], axis=1)
            self._add_rows(
                np.where(above, -np.inf, 0.0),
                np.where(above, 1.0, np.inf),
                np.arange(0, 3 * count, 3),
                columns.ravel(),
                np.tile([1.0, 1.0, -1.0], count),
                np.full(count, 3.0),
                cut=False,
            )
        return worst

    def add_cuts(self, rng: np.random.Generator, least: float, most: int) -> int:
        """Add zero-half cuts violated by at least `least`, the deepest ones; return how many."""
        fractional = self.flat[(self.solution > 1e-3) & (self.solution < 1 - 1e-3)]
        rng.shuffle(fractional)
        room = min(fractional.size, 2 * most)
        if not room:
            return 0
        cuts: dict[int, tuple[np.ndarray, ...]] = {}

        def look(start: int, stop: int) -> None:
            rows, rights, violations = (
                np.empty((stop - start, self.units**2)),
                np.empty(stop - start),
                np.empty(stop - start),
            )
            sources = fractional[start:stop]
            found = zero_half_cuts(self.x, least, sources, rows, rights, violations)
            cuts[start] = rows[:found][:, self.flat], rights[:found], violations[:found]

        over_ranges(look, room, -(-room // 2))
        rows, rights, violations = (
            np.concatenate(parts) for parts in zip(*(cuts[k] for k in sorted(cuts)), strict=True)
        )
        if not rights.size:
            return 0
        # Many walks give the same cut; a weighted sum tells cuts apart.
        weighted = np.round(rows @ np.cos(np.arange(self.variables)), 9)
        kept = np.unique(weighted, return_index=True)[1]
        depth = violations[kept] / np.linalg.norm(rows[kept], axis=1)
        best = kept[np.argsort(-depth, kind="stable")[:most]]
        rows, rights = rows[best], rights[best]
        where = np.nonzero(rows)
        sizes = np.bincount(where[0], minlength=len(rows))
        self._add_rows(
            np.full(len(rows), -np.inf),
            rights,
            np.concatenate([[0], np.cumsum(sizes)[:-1]]),
            where[1],
            rows[where],
            np.abs(rows).sum(axis=1),
            cut=True,
        )
        self.cuts += len(rows)
        return len(rows)

    def _add_rows(
        self,
        low: np.ndarray,
        high: np.ndarray,
        starts: np.ndarray,
        columns: np.ndarray,
        values: np.ndarray,
        sizes: np.ndarray,
        cut: bool,
    ) -> None:
        self.model.addRows(
            low.size,
            low,
            high,
            columns.size,
            starts.astype(np.int32),
            columns.astype(np.int32),
            values,
        )
        self.row_low = np.concatenate([self.row_low, low])
        self.row_high = np.concatenate([self.row_high, high])
        self.row_size = np.concatenate([self.row_size, sizes])
        self.is_cut = np.concatenate([self.is_cut, np.full(low.size, cut)])
