"""Heat-bath annealing of insertions on a sparse graph, with real-valued keys.

Every unit has a key; the order is the order of keys. Where one unit u may go depends on its
neighbours only: as its key rises past the key of v, the cost changes by skew[u, v]. So all places
of u are compared in O(d log d) for d neighbours, and one is drawn with the Boltzmann weight
exp(-cost / T) of each interval between neighbours' keys. No other unit has to move.
"""

import math
import time
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering.reduction import strong_components
from orderedness.ordering.search import Search

LATE = 0.02  # of the time limit: less than this is not late, so that ample time changes nothing


@compiled
def _sort_pairs(
    keys: Float[np.ndarray, " m"], changes: Float[np.ndarray, " m"], count: int
) -> None:
    """Sort the first `count` keys, with their changes."""
    if count > 48:
        order = np.argsort(keys[:count])
        keys[:count] = keys[:count][order]
        changes[:count] = changes[:count][order]
        return
    for k in range(1, count):
        key, change = keys[k], changes[k]
        place = k
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            changes[place] = changes[place - 1]
            place -= 1
        keys[place] = key
        changes[place] = change


@compiled
def anneal_sweep(
    starts: Int[np.ndarray, " n1"],
    neighbours: Int[np.ndarray, " m"],
    skew: Float[np.ndarray, " m"],
    visits: Int[np.ndarray, " n"],
    key: Float[np.ndarray, " n"],
    temperature: float,
    rng: np.random.Generator,
) -> float:
    """Draw a new place for each of the units to visit; return the change in cost.

    At temperature 0 each unit goes where it costs least, and stays if that is no better.

    Args:
        starts: row pointers of the skew weights ``net - net.T`` in CSR form.
        neighbours: their columns.
        skew: their values.
        visits: units, in the order to visit them.
        key: changed in place.
        temperature: in units of weight.
        rng: for drawing.

    Example:
        >>> key = np.array([0.0, 1.0])
        >>> rows = np.array([0, 1, 2]), np.array([1, 0]), np.array([-3.0, 3.0])
        >>> anneal_sweep(*rows, np.array([0]), key, 0.0, np.random.default_rng(0))
        -3.0
        >>> bool(key[0] > key[1])
        True
    """
    most = 0
    for unit in range(starts.size - 1):
        most = max(most, starts[unit + 1] - starts[unit])
    keys = np.empty(most)
    changes = np.empty(most)
    chances = np.empty(most + 1)
    total = 0.0
    for unit in visits:
        count = starts[unit + 1] - starts[unit]
        if count == 0:
            continue
        here = key[unit]
        now = 0.0
        for k in range(count):
            entry = starts[unit] + k
            keys[k] = key[neighbours[entry]]
            changes[k] = skew[entry]
            if keys[k] < here:
                now += skew[entry]
        _sort_pairs(keys, changes, count)
        least, cost = 0.0, 0.0
        choice = 0
        for k in range(count):
            cost += changes[k]
            if cost < least:
                least, choice = cost, k + 1
        if temperature > 0.0:
            weight, cost = 0.0, 0.0
            for k in range(count + 1):
                if k > 0:
                    cost += changes[k - 1]
                excess = (cost - least) / temperature
                if excess < 30.0:
                    weight += math.exp(-excess)
                chances[k] = weight
            drawn = rng.random() * weight
            choice = min(count, int(np.searchsorted(chances[: count + 1], drawn, side="right")))
        elif least >= now - 1e-12 * abs(now):
            continue
        cost = 0.0
        for k in range(choice):
            cost += changes[k]
        total += cost - now
        if choice == 0:
            key[unit] = keys[0] - rng.random()
        elif choice == count:
            key[unit] = keys[count - 1] + rng.random()
        else:
            low, high = keys[choice - 1], keys[choice]
            key[unit] = low + (high - low) * (0.01 + 0.98 * rng.random())
    return total


def greedy_order(net: sp.csr_array) -> Int[np.ndarray, " n"]:
    """Units by the share of their weight that wants them first: (out - in) / (out + in).

    Example:
        >>> greedy_order(sp.csr_array(np.array([[0.0, 0.0], [1.0, 0.0]])))
        array([1, 0])
    """
    first, last = net.sum(axis=1), net.sum(axis=0)
    score: np.ndarray = (first - last) / np.maximum(first + last, np.finfo(float).tiny)
    return np.argsort(-score, kind="stable")


@dataclass(frozen=True)
class Annealing:
    """Good orders of sparse components of any size, without a bound of its own.

    Attributes:
        sweeps: how often each unit is visited while the temperature falls.
        hot: the first temperature, in units of the mean net weight of a connection.
        cold: the last temperature, in the same units.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> problem = Problem.from_edges(np.arange(50), (np.arange(50) + 1) % 50)
        >>> solve(problem, Annealing()).value
        0.98
    """

    sweeps: int = 1000
    hot: float = 4.0
    cold: float = 0.1

    def search(self, search: Search) -> None:
        """See `Solver`."""
        net = search.weights
        search.offer(greedy_order(net))
        graph = skew_graph(net)
        rng = np.random.default_rng(search.seed)
        key = np.empty(search.size)
        key[search.order] = np.arange(search.size)
        try:
            self._cool(search, graph, key, rng)
        finally:  # also after Ctrl-C
            search.offer(np.argsort(key, kind="stable"))
        polish(search, graph, key, rng)

    def _cool(
        self,
        search: Search,
        graph: tuple[np.ndarray, np.ndarray, np.ndarray],
        key: Float[np.ndarray, " n"],
        rng: np.random.Generator,
    ) -> None:
        scale = search.total / max(1, search.weights.nnz)
        began, allowed = time.perf_counter(), search.remaining()
        for sweep in range(self.sweeps):
            if search.over:
                return
            used = (time.perf_counter() - began) / (0.95 * allowed)
            if used >= 1:
                return
            progress = sweep / max(1, self.sweeps - 1)
            if used > progress + LATE:  # get cold in time
                progress = used
            temperature = scale * self.hot * (self.cold / self.hot) ** progress
            anneal_sweep(*graph, rng.permutation(search.size), key, temperature, rng)
            key[np.argsort(key, kind="stable")] = np.arange(search.size)
            search.statistics["sweeps"] += 1


def polish(
    search: Search,
    graph: tuple[np.ndarray, np.ndarray, np.ndarray],
    key: Float[np.ndarray, " n"],
    rng: np.random.Generator,
) -> None:
    """Insert units where they cost least until nothing is gained, and offer the order."""
    while True:
        change = anneal_sweep(*graph, rng.permutation(search.size), key, 0.0, rng)
        order = np.argsort(key, kind="stable")
        key[order] = np.arange(search.size)
        search.offer(order)
        search.statistics["sweeps"] += 1
        if search.over or change >= -1e-12 * search.total:
            return


def skew_graph(net: sp.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows of ``net - net.T``: starts, neighbours and values, as `anneal_sweep` takes them.

    Example:
        >>> skew_graph(sp.csr_array(np.array([[0.0, 0.0], [3.0, 0.0]])))
        (array([0, 1, 2]), array([1, 0]), array([-3.,  3.]))
    """
    skew = sp.csr_array(net - net.T)
    skew.sort_indices()
    return skew.indptr.astype(np.int64), skew.indices.astype(np.int64), skew.data


def repair_order(
    net: sp.csr_array, cover: Float[np.ndarray, " m"], order: Int[np.ndarray, " n"]
) -> Int[np.ndarray, " n"]:
    """An order that respects the arcs that a cover leaves, as far as they have no cycles.

    Args:
        net: the arcs, in CSR form.
        cover: of each arc, how much of it is to be below the diagonal.
        order: settles what the cover does not.

    Example:
        >>> net = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
        >>> repair_order(net, np.array([1.0, 0.0]), np.array([0, 1]))
        array([1, 0])
    """
    left = net.copy()
    left.data[cover >= 0.5] = 0.0
    left.eliminate_zeros()
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    parts = strong_components(left)
    return np.concatenate([units[np.argsort(place[units])] for units in parts])
