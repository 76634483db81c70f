"""How ordered a network would be by chance: null models that keep all but its direction."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from orderedness._checks import known, whole
from orderedness.measuring.rewiring import exchange_targets
from orderedness.ordering import Annealing, Ordering, Problem, Solver, solve

NullModel = Literal["orientation", "entries", "weights", "degrees"]
DRAWS = 100
SWAPS = 10  # attempted for each edge: enough to forget where they were (Milo et al. 2003)
SWEEP = 7e-8  # seconds a connection: only to choose how many sweeps fit the time
LEAST_SWEEPS, MOST_SWEEPS = 20, 200


@dataclass(frozen=True)
class NullComparison:
    """A network beside networks that differ from it by chance.

    Attributes:
        model: which null model.
        draws: how many networks were drawn; fewer than asked for if the time ran out.
        observed: the orderedness of the network, found in the same way as those of the draws.
        mean: the mean orderedness of the draws.
        sd: their standard deviation.
        p: (1 + draws that are at least as ordered) / (1 + draws).
        alike: how all of them were ordered, in words.
    """

    model: NullModel
    draws: int
    observed: float
    mean: float
    sd: float
    p: float
    alike: str

    @property
    def excess(self) -> float:
        """What the network has beyond chance."""
        return self.observed - self.mean

    @property
    def z(self) -> float:
        """The excess in standard deviations of the draws; NaN if these are all alike."""
        return self.excess / self.sd if self.sd > 0 else math.nan

    def as_json(self) -> dict[str, Any]:
        """What JSON can hold."""
        record = dataclasses.asdict(self) | {"excess": self.excess, "z": self.z}
        return {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in record.items()
        }


def quick_solver(connections: int, seconds: float) -> Annealing:
    """Annealing that takes about so long: the same number of sweeps for every network compared.

    Examples:
        >>> quick_solver(100_000, 0.5), quick_solver(100, 0.5)
        (Annealing(sweeps=71,...), Annealing(sweeps=200,...))
    """
    sweeps = seconds / (SWEEP * max(1, connections))
    return Annealing(sweeps=int(min(MOST_SWEEPS, max(LEAST_SWEEPS, sweeps))))


def swap_orientation(weights: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    """Turn each pair round, or not, by a fair coin: keeps all but the direction.

    Examples:
        >>> pair = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
        >>> swap_orientation(pair, np.random.default_rng(0)).sum()
        np.float64(3.0)
    """
    upper, lower = sp.triu(weights, 1).tocsr(), sp.tril(weights, -1).T.tocsr()
    pairs = sp.csr_array(upper + lower)  # every pair that is connected, once
    coins = sp.csr_array(
        (rng.integers(0, 2, pairs.nnz).astype(float), pairs.indices, pairs.indptr), pairs.shape
    )
    stay = sp.csr_array(upper - upper.multiply(coins) + lower.multiply(coins))
    turned = sp.csr_array(lower - lower.multiply(coins) + upper.multiply(coins))
    return _clean(stay + turned.T)


def shuffle_entries(weights: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    """Put all entries off the diagonal, zeros too, in random places: keeps the magnitudes.

    Examples:
        >>> pair = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
        >>> shuffle_entries(pair, np.random.default_rng(0)).sum()
        np.float64(3.0)
    """
    units = weights.shape[0]
    places = units * (units - 1)
    if weights.nnz * 3 > places:
        chosen = rng.permutation(places)[: weights.nnz]
    else:
        chosen = np.unique(rng.integers(0, places, weights.nnz))
        while chosen.size < weights.nnz:
            more = rng.integers(0, places, weights.nnz - chosen.size)
            chosen = np.unique(np.concatenate([chosen, more]))
    rows, columns = np.divmod(chosen, max(1, units - 1))
    columns = columns + (columns >= rows)  # skip the diagonal
    values = rng.permutation(weights.data)
    return _clean(sp.csr_array((values, (rows, columns)), shape=weights.shape))


def shuffle_weights(weights: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    """Deal the weights anew over the same connections: keeps who feeds whom.

    Examples:
        >>> pair = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
        >>> shuffle_weights(pair, np.random.default_rng(0)).nnz
        2
    """
    dealt = (rng.permutation(weights.data), weights.indices, weights.indptr)
    return sp.csr_array(dealt, shape=weights.shape)


def rewire(weights: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    """Exchange the targets of pairs of edges: keeps how many each unit feeds and is fed by.

    Each edge takes its weight along from its source, so that a unit's outgoing weights stay its
    own. Exchanges that would give a self-connection or a second edge are not made.

    Examples:
        >>> ring = sp.csr_array(np.roll(np.eye(6), 1, axis=0))
        >>> rewired = rewire(ring, np.random.default_rng(0))
        >>> rewired.sum(axis=0), rewired.sum(axis=1)
        (array([1., 1., 1., 1., 1., 1.]), array([1., 1., 1., 1., 1., 1.]))
    """
    by_source = sp.csr_array(weights.T)
    starts, targets = by_source.indptr.astype(np.int64), by_source.indices.astype(np.int64)
    sources = np.repeat(np.arange(weights.shape[0]), np.diff(starts))
    exchange_targets(starts, targets, sources, SWAPS * sources.size, rng)
    return _clean(sp.csr_array((by_source.data, (targets, sources)), shape=weights.shape))


NULL_MODELS: Mapping[NullModel, Callable[[sp.csr_array, np.random.Generator], sp.csr_array]] = {
    "orientation": swap_orientation,
    "entries": shuffle_entries,
    "weights": shuffle_weights,
    "degrees": rewire,
}


def _clean(matrix: Any) -> sp.csr_array:
    rows = sp.csr_array(matrix)
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows


def uninterrupted(ordering: Ordering) -> Ordering:
    """The ordering, unless Ctrl-C cut it short: then that is raised again.

    Examples:
        >>> uninterrupted(solve(Problem.from_edges([0], [1]))).value
        1.0
    """
    if ordering.status.startswith("interrupted"):
        raise KeyboardInterrupt
    return ordering


def compare_with_null(
    problem: Problem,
    ordering: Ordering,
    model: NullModel,
    *,
    draws: int = DRAWS,
    time_limit: float = 10.0,
    solver: Solver | None = None,
    seed: int = 0,
) -> NullComparison:
    """Draw networks from a null model, order them, and put the network beside them.

    Where the network and every draw are certified, these values are compared. Where one is not,
    all draws, and the network once more, are ordered by the same number of sweeps of annealing: a
    certified value beside values merely found would look better than it is.

    Args:
        problem: the network; pinned units stay pinned, self-connections stay where they are.
        ordering: its order.
        model: one of `NULL_MODELS`.
        draws: how many networks.
        time_limit: seconds; when they are over, the draws made so far are used.
        solver: what found `ordering`, for draws that can be certified.
        seed: for the draws.

    Raises:
        KeyboardInterrupt: at Ctrl-C before the first draw; later, the draws made so far are used.

    Examples:
        >>> chain = Problem.from_edges(range(7), range(1, 8))
        >>> compared = compare_with_null(chain, solve(chain), "degrees", draws=19)
        >>> compared.observed, compared.p <= 1
        (1.0, True)
    """
    known("null", model, NULL_MODELS)
    whole("draws", draws, least=1)
    started = time.perf_counter()
    ends = started + time_limit
    share = time_limit / (draws + 1)

    def drawn(solver: Solver | None, exact: bool) -> list[float] | None:
        """The values of the draws; None if one of them should have been certified and was not."""
        rng = np.random.default_rng(seed)
        values: list[float] = []
        try:
            while len(values) < draws and (not values or time.perf_counter() < ends):
                weights = NULL_MODELS[model](problem.weights, rng)
                other = dataclasses.replace(problem, weights=weights)
                found = solve(other, solver, time_limit=share if exact else None, seed=seed)
                uninterrupted(found)
                if exact and not found.certified:
                    return None
                values.append(found.value)
        except KeyboardInterrupt:
            if not values:
                raise
        return values

    observed, alike = ordering.value, "all certified"
    values = drawn(solver, exact=True) if ordering.certified else None
    if values is None:
        quick = quick_solver(problem.weights.nnz, share)
        observed = uninterrupted(solve(problem, quick, seed=seed)).value
        alike = f"all ordered by {quick.sweeps} sweeps of annealing"
        values = drawn(quick, exact=False) or []
    found = np.array(values)
    # Equal orders may differ in the last bits of their sums.
    at_least = int((found >= observed - 1e-9).sum())
    return NullComparison(
        model=model,
        draws=found.size,
        observed=observed,
        mean=float(found.mean()),
        sd=float(found.std(ddof=1)) if found.size > 1 else 0.0,
        p=(1 + at_least) / (1 + found.size),
        alike=alike,
    )
