"""Dense components with proof: branch and bound over a linear relaxation with cuts."""

import heapq
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering.insertion import descend
from orderedness.ordering.memetic import Memetic
from orderedness.ordering.relaxation import Relaxation
from orderedness.ordering.search import Search

LEAST_VIOLATION = 0.04
CUTS_A_ROUND, CUTS_FAR = 200, 400
SLOW_ROOT, SLOW_NODE = 0.005, 0.1  # of the gap; smaller gains in a round count as none
SLOW_FAR = 0.001
MOST_STALLED = 20
WORKERS = 2  # not the number of cores, on which results must not depend
DIVE = 0.006  # of the net weight: with a smaller gap, finish one part after the other
PATIENCE, PATIENCE_FAR = 2, 6  # rounds without gain before branching
CANDIDATES, TRIAL_ITERATIONS = 8, 25


@compiled
def _close(fixed: Int[np.ndarray, "n n"], a: int, b: int) -> bool:
    """Fix a before b and all that follows by transitivity; False if that is a contradiction.

    fixed[i, j] is 1 if i comes before j, 0 if after, -1 if open. It was closed before.
    """
    if fixed[a, b] == 0:
        return False
    n = fixed.shape[0]
    for i in range(n):
        if i == a or fixed[i, a] == 1:
            for j in range(n):
                if j == b or fixed[b, j] == 1:
                    if i == j or fixed[i, j] == 0:
                        return False
                    fixed[i, j] = 1
                    fixed[j, i] = 0
    return True


@dataclass(order=True)
class _Node:
    """A part of all orders: some pairs are fixed, and no order in it costs less than `bound`.

    Parts are taken by `key`.
    """

    key: float
    serial: int
    bound: float = field(compare=False)
    fixed: Int[np.ndarray, "n n"] = field(compare=False)


@dataclass(frozen=True)
class BranchAndCut:
    """Exact for dense components of some dozens of units; beyond, stopped, it gives an interval.

    A memetic search gives the start. Then linear relaxations with 3-cycle inequalities and
    zero-half cuts bound the cost from below, reduced costs fix pairs, and the pair is branched
    on that raises the bounds most. Where the gap is small, parts are finished one after the
    other, which keeps the model warm; else the part with the least bound comes first, which
    narrows the interval soonest.

    Attributes:
        start: what finds the first order.
        most_nodes: end after this many nodes.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> matrix = np.random.default_rng(0).normal(size=(22, 22))
        >>> solve(Problem.from_dense(matrix), BranchAndCut()).certified
        True
    """

    start: Memetic = field(default_factory=Memetic)
    most_nodes: int = 1_000_000

    def search(self, search: Search) -> None:
        """See `Solver`."""
        self.start.search(search)
        if not search.over:
            _grow(search, self.most_nodes)


def _cutoff(search: Search) -> float:
    """Parts whose bound reaches this hold nothing better than what is known."""
    if search.integral:
        return search.cost - 1.0 + 1e-6 + 1e-10 * search.total
    return search.cost - search.slack


def _grow(search: Search, most_nodes: int) -> None:
    """Process parts, two at a time, until none is left that could hold something better.

    Which worker takes which part, and what it knows of the best order, does not depend on timing.
    """
    parts = [_Node(0.0, 0, search.bound, np.full((search.size,) * 2, -1, np.int64))]
    workers: list[_Worker] = []
    serial = 1
    dive = False
    pool = ThreadPoolExecutor(WORKERS)
    try:
        while parts:
            search.raise_bound(min(part.bound for part in parts))
            if search.over or search.statistics["nodes"] >= most_nodes:
                return
            batch = [heapq.heappop(parts) for _ in range(min(WORKERS, len(parts)))]
            while len(workers) < len(batch):
                workers.append(_Worker(search, len(workers)))
            processed = [
                pool.submit(worker.process, node, _cutoff(search))
                for worker, node in zip(workers, batch, strict=False)
            ]
            pairs = [future.result() for future in processed]
            search.statistics["nodes"] += len(batch)
            for worker in workers:
                worker.report()
            if serial == 1:
                dive = search.cost - batch[0].bound < DIVE * search.total
            for node, pair in zip(batch, pairs, strict=True):
                if search.remaining() <= 0:
                    parts.append(node)
                elif pair is not None:
                    for a, b in (pair, pair[::-1]):
                        fixed = node.fixed.copy()
                        if _close(fixed, a, b):
                            key = -serial if dive else node.bound
                            parts.append(_Node(key, serial, node.bound, fixed))
                            serial += 1
            parts = [part for part in parts if part.bound < _cutoff(search)]
            heapq.heapify(parts)
        search.prove()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """Bounds parts with a relaxation of its own."""

    def __init__(self, search: Search, number: int) -> None:
        self.given = search
        self.relaxation = Relaxation(search.dense)
        self.skew = search.dense - search.dense.T
        self.rng = np.random.default_rng((search.seed, number))
        self.least_gain = search.least_gain
        self.cutoff = 0.0
        self.orders: list[Int[np.ndarray, " n"]] = []

    def report(self) -> None:
        """Offer the orders found, and count the cuts."""
        for order in self.orders:
            self.given.offer(order)
        self.orders.clear()
        self.given.statistics["cuts"] += self.relaxation.cuts
        self.relaxation.cuts = 0

    def _limits(self, fixed: Int[np.ndarray, "n n"]) -> tuple[np.ndarray, np.ndarray]:
        values = fixed[self.relaxation.pairs]
        return (values == 1).astype(float), (values != 0).astype(float)

    def process(self, node: _Node, cutoff: float) -> tuple[int, int] | None:
        """Bound one part; return the pair to branch on, or None if nothing better is in it."""
        search, relaxation = self.given, self.relaxation
        self.cutoff = cutoff
        root = node.serial == 0
        stalled = 0
        rounds = 0
        far = False
        while True:
            relaxation.restrict(*self._limits(node.fixed))
            if not relaxation.solve(search.remaining()):
                node.bound = np.inf
                return None
            improved = relaxation.bound - node.bound
            node.bound = max(node.bound, relaxation.bound)
            if root:
                search.raise_bound(node.bound)
            if node.bound >= self.cutoff or search.remaining() <= 0:
                return None
            self._round()
            if not self._fix(node):
                node.bound = np.inf
                return None
            if (node.fixed[relaxation.pairs] >= 0).all():
                self.orders.append(np.argsort(-node.fixed.sum(axis=1), kind="stable"))
                node.bound = np.inf
                return None
            rounds += 1
            gap = self.cutoff - node.bound
            if rounds > 1:
                # Far from a proof, many cuts on all orders narrow more than branching does.
                far = root and gap > DIVE * search.total
                slow = SLOW_FAR if far else SLOW_ROOT if root else SLOW_NODE
                stalled = stalled + 1 if improved < slow * gap else 0
            if improved > 1e-9 * search.total:
                relaxation.drop_slack()
            worst = relaxation.add_triples(max(100, relaxation.variables // 2))
            if worst < 0.1 or stalled >= MOST_STALLED:
                if stalled >= (PATIENCE_FAR if far else PATIENCE):
                    break
                most = CUTS_FAR if far else CUTS_A_ROUND
                added = relaxation.add_cuts(self.rng, LEAST_VIOLATION, most)
                if not added and worst <= 1e-6:
                    break
        return self._branch(node)

    def _round(self) -> None:
        """An order from the relaxation: by how many units come after each, then local search."""
        order = np.argsort(-self.relaxation.x.sum(axis=1), kind="stable")
        descend(self.skew, order, self.least_gain)
        self.orders.append(order)

    def _fix(self, node: _Node) -> bool:
        """Fix pairs whose reduced cost says that changing them costs more than the gap."""
        relaxation = self.relaxation
        gap = self.cutoff - relaxation.bound
        a, b = relaxation.pairs
        unset = node.fixed[a, b] < 0
        value = relaxation.solution
        up = unset & (value > 0.5) & (-relaxation.reduced > gap)
        down = unset & (value < 0.5) & (relaxation.reduced > gap)
        return all(_close(node.fixed, a[k], b[k]) for k in np.flatnonzero(up)) and all(
            _close(node.fixed, b[k], a[k]) for k in np.flatnonzero(down)
        )

    def _branch(self, node: _Node) -> tuple[int, int]:
        """The pair whose two sides raise the bound most, by a few dual simplex steps on each."""
        relaxation, search = self.relaxation, self.given
        a, b = relaxation.pairs
        open_pairs = np.flatnonzero(node.fixed[a, b] < 0)
        fraction = np.abs(relaxation.solution[open_pairs] - 0.5)
        weight = np.abs(relaxation.cost[open_pairs])
        score = (0.5 - fraction) * (0.1 + weight)
        candidates = open_pairs[np.argsort(-score, kind="stable")[:CANDIDATES]]
        best, best_score = candidates[0], -1.0
        base = relaxation.bound
        low, high = self._limits(node.fixed)
        keep = relaxation.x.copy(), relaxation.solution.copy()
        for k in candidates:
            gains = []
            for value in (0.0, 1.0):
                low_k, high_k = low.copy(), high.copy()
                low_k[k] = high_k[k] = value
                relaxation.restrict(low_k, high_k)
                if relaxation.solve(search.remaining(), TRIAL_ITERATIONS):
                    gains.append(max(0.0, relaxation.bound - base))
                else:
                    gains.append(self.cutoff - base)
            score_k = max(gains[0], 1e-9) * max(gains[1], 1e-9)
            if score_k > best_score:
                best, best_score = k, score_k
        relaxation.x, relaxation.solution = keep
        relaxation.restrict(low, high)
        return int(a[best]), int(b[best])
