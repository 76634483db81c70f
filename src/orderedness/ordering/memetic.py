"""Memetic search: a population of locally best orders, crossed and improved again."""

import time
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering._threads import cores, over_ranges
from orderedness.ordering.dense_annealing import anneal_dense
from orderedness.ordering.insertion import descend
from orderedness.ordering.search import Search

RESTART = 2  # children in vain for each member
HOT, COLD = 0.25, 0.02
ANNEALING = 0.6  # of the time, at most


@compiled
def order_cost(skew: Float[np.ndarray, "n n"], order: Int[np.ndarray, " n"]) -> float:
    """Half the skew weight below the diagonal: the cost, up to a constant of the matrix."""
    cost = 0.0
    for i in range(1, order.size):
        row = skew[order[i]]
        for j in range(i):
            cost += row[order[j]]
    return 0.5 * cost


@compiled
def _cross(
    first: Int[np.ndarray, " n"],
    second: Int[np.ndarray, " n"],
    child: Int[np.ndarray, " n"],
    rng: np.random.Generator,
) -> None:
    """Order-based crossover: half of the places get their units in the order of the second."""
    units = first.size
    place_in_second = np.empty(units, np.int64)
    for k in range(units):
        place_in_second[second[k]] = k
    places = rng.permutation(units)[: units // 2]
    places.sort()
    chosen = np.empty(places.size, np.int64)
    for k in range(places.size):
        chosen[k] = place_in_second[first[places[k]]]
    chosen.sort()
    child[:] = first
    for k in range(places.size):
        child[places[k]] = second[chosen[k]]


@compiled
def evolve(
    skew: Float[np.ndarray, "n n"],
    population: Int[np.ndarray, "k n"],
    costs: Float[np.ndarray, " k"],
    children: int,
    tolerance: float,
    quiet: int,
    rng: np.random.Generator,
) -> int:
    """Breed children one by one; each takes the place of the worst if it is new and better.

    `quiet` counts the children since the last that was taken; the new count is returned.
    """
    members, units = population.shape
    child = np.empty(units, np.int64)
    for _ in range(children):
        first = rng.integers(0, members)
        second = rng.integers(0, members - 1)
        if second >= first:
            second += 1
        _cross(population[first], population[second], child, rng)
        descend(skew, child, tolerance)
        cost = order_cost(skew, child)
        known = False
        for member in range(members):
            if abs(costs[member] - cost) <= tolerance:
                known = True
        worst = np.argmax(costs)
        if not known and cost < costs[worst]:
            population[worst] = child
            costs[worst] = cost
            quiet = 0
        else:
            quiet += 1
        if quiet > RESTART * members:
            # The members have nothing new to tell each other: all but the best start again.
            best = np.argmin(costs)
            for member in range(members):
                if member != best:
                    population[member] = rng.permutation(units)
                    descend(skew, population[member], tolerance)
                    costs[member] = order_cost(skew, population[member])
            quiet = 0
    return quiet


@dataclass(frozen=True)
class Memetic:
    """Good orders of dense components, without a bound of its own.

    Each member of the first population comes from annealing and local search; then children are
    bred and improved.

    Attributes:
        members: the size of the population.
        sweeps: annealing of each member visits each unit so often, if time allows.
        patience: end after this many children for each unit without a better one.

    Example:
        >>> from orderedness.ordering import Problem, solve
        >>> matrix = np.triu(np.ones((30, 30)))[::-1, ::-1]
        >>> solve(Problem.from_dense(matrix), Memetic()).value
        1.0
    """

    members: int = 40
    sweeps: int = 0
    patience: int = 20

    def search(self, search: Search) -> None:
        """See `Solver`."""
        skew = search.dense - search.dense.T
        tolerance = search.least_gain
        rng = np.random.default_rng(search.seed)
        population = np.array([rng.permutation(search.size) for _ in range(self.members)])
        costs = np.full(self.members, np.inf)
        temperatures = self._temperatures(search, skew)
        piece = max(1, 100_000_000 // search.size**2)

        def raise_members(start: int, stop: int) -> None:
            for member in range(start, stop):
                order = population[member].copy()  # a whole order is in its place at any moment
                own = np.random.default_rng((search.seed, member))
                for sweep in range(0, temperatures.size, piece):
                    if search.over:
                        break
                    anneal_dense(skew, order, temperatures[sweep : sweep + piece], own)
                    population[member] = order
                if not search.over:
                    descend(skew, order, tolerance)
                    population[member], costs[member] = order, order_cost(skew, order)

        try:
            over_ranges(raise_members, self.members, 1)
        finally:  # also after Ctrl-C
            for order in population:
                search.offer(order)
        search.statistics["annealing sweeps"] += temperatures.size * self.members
        if not np.isfinite(costs).all():
            return
        batch = max(16, 1_000_000 // search.size**2)
        quiet, last_gain = 0, 0
        children = 0
        while not search.over and children - last_gain < self.patience * search.size:
            before = costs.min()
            quiet = evolve(skew, population, costs, batch, tolerance, quiet, rng)
            children += batch
            if costs.min() < before - tolerance:
                last_gain = children
                search.offer(population[np.argmin(costs)])
        search.statistics["children"] += children

    def _temperatures(
        self, search: Search, skew: Float[np.ndarray, "n n"]
    ) -> Float[np.ndarray, " sweeps"]:
        """From hot to cold, in units of the weight of a row; fewer sweeps if time is short."""
        scale = float(np.abs(skew).mean()) * search.size**0.5
        sweeps = self.sweeps
        if sweeps and np.isfinite(search.deadline):
            rng = np.random.default_rng(search.seed)
            order = rng.permutation(search.size)
            anneal_dense(skew, order, np.full(1, HOT * scale), rng)
            started = time.perf_counter()
            anneal_dense(skew, order, np.geomspace(HOT, COLD, 10) * scale, rng)
            seconds = (time.perf_counter() - started) / 10 * self.members / cores()
            sweeps = min(sweeps, int(ANNEALING * search.remaining() / seconds))
        return np.geomspace(HOT, COLD, max(2, sweeps))[: max(0, sweeps)] * scale
