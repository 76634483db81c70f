"""One function that measures any network."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from jaxtyping import Int

from orderedness._checks import known, suggestion
from orderedness.measuring.company.table import measure_company
from orderedness.measuring.convert import as_network
from orderedness.measuring.network import Direction, Name, Network
from orderedness.measuring.null_models import (
    DRAWS,
    NullModel,
    compare_with_null,
    uninterrupted,
)
from orderedness.measuring.result import Feedback, Measured, Reasons
from orderedness.measuring.shown import shown
from orderedness.ordering import Problem, Solver, solve

SelfLoops = Literal["count", "ignore"]
SHOWN_FEEDBACK = 10
EXACT_UNITS = 100  # an exact answer is likely, and worth ten seconds


def _silent(doing: str) -> None:
    pass


def default_time_limit(units: int) -> float:
    """Seconds for finding an order, which ends before if that is proved to be the best.

    10 for up to 100 units, else half a second and one for each 400 units, at most 600.

    Examples:
        >>> default_time_limit(100), default_time_limit(300)
        (10.0, 1.25)
    """
    return 10.0 if units <= EXACT_UNITS else min(600.0, 0.5 + units / 400)


def measure(
    network: Any,
    *,
    outputs: int | None = None,
    inputs: int | None = None,
    upstream: Sequence[Name] = (),
    downstream: Sequence[Name] = (),
    self_loops: SelfLoops = "count",
    count_inputs: bool = False,
    direction: Direction | None = None,
    array: str | None = None,
    gate: str | None = None,
    solver: Solver | None = None,
    time_limit: float | None = None,
    null: NullModel | None = None,
    draws: int = DRAWS,
    company: bool = True,
    seed: int = 0,
    on_stage: Callable[[str], None] = _silent,
) -> Measured:
    r"""Measure how feed-forward a network is: any matrix, module, graph or file.

        O = 1 - min over orders of L / S,

    on the magnitudes of the weights: L sums what flows against the order, S sums everything.

    Args:
        network: a path; a NumPy, JAX or torch array or nested lists, entry [r, c] from unit c to
            unit r; a SciPy sparse matrix; a directed networkx graph; a torch module or state
            dict; an Equinox module.
        outputs: how many of the first units are outputs: they keep the places farthest
            downstream. By default none, or what a layer of ours says.
        inputs: how many of the last units are inputs, which only send. By default what the shape
            of a matrix says.
        upstream: units, by name or index, that keep the first places in the flow.
        downstream: units that keep the last places, before outputs.
        self_loops: whether self-connections are in S. They are never in L.
        count_inputs: whether weights from inputs are in S. They are never in L.
        direction: "columns-feed-rows", the default for matrices, or "rows-feed-columns".
        array: which of the arrays in a file or module.
        gate: which gate of a GRU or LSTM; by default the magnitudes of all are summed.
        solver: how to look for the order; by default `Auto()`.
        time_limit: seconds to look for the order, and as long again for the null model; by
            default as `default_time_limit` says.
        null: compare with a null model: "orientation", "entries", "weights" or "degrees".
        draws: how many draws of it, time permitting.
        company: whether to compute the other measures.
        seed: for random choices.
        on_stage: is told what is being done.

    Ctrl-C ends the search, or the null model, and what there is by then is returned.

    Examples:
        >>> found = measure([[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 0.0, 0.0]])
        >>> round(found.orderedness, 4), found.certified, found.order
        (0.8333, True, (2, 1, 0))
        >>> round(found.measures["trophic_incoherence"], 4)
        0.8182
    """
    started = time.perf_counter()
    known("self_loops", self_loops, ("count", "ignore"))
    whole = as_network(network, array=array, gate=gate)
    whole = whole.with_roles(outputs=outputs, inputs=inputs, direction=direction)
    if whole.negative:
        note = f"Negative weights count by magnitude ({whole.negative:,} of them)."
        whole = dataclasses.replace(whole, notes=(*whole.notes, note))
    limit = default_time_limit(whole.units) if time_limit is None else time_limit
    posed = partial(
        as_problem,
        upstream=upstream,
        downstream=downstream,
        count_self=self_loops == "count",
        count_inputs=count_inputs,
    )
    problem = posed(whole)
    on_stage(f"looking for the best order, up to {limit:g} s")
    share = limit / (1 + len(whole.gates))
    ordering = solve(problem, solver, time_limit=share, seed=seed)
    gates = {
        name: solve(posed(single), solver, time_limit=share, seed=seed).value
        for name, single in whole.gates.items()
    }
    on_stage("computing other measures")
    measures, left_out = measure_company(whole) if company else ({}, {})
    compared = None
    if null is not None:
        on_stage(f"drawing from the null model, up to {limit:g} s")
        try:
            compared = compare_with_null(
                problem,
                uninterrupted(ordering),
                null,
                draws=draws,
                time_limit=limit,
                solver=solver,
                seed=seed,
            )
        except KeyboardInterrupt:  # the order is there, and is not lost
            note = "Interrupted before the first draw of the null model."
            whole = dataclasses.replace(whole, notes=(*whole.notes, note))
    permutation = np.asarray(ordering.permutation, np.int64)
    return Measured(
        orderedness=ordering.value,
        lower=ordering.lower,
        upper=ordering.upper,
        certified=ordering.certified,
        hidden=_hidden(whole, problem, permutation, self_loops == "count", ordering.value),
        order=tuple(whole.names[unit] for unit in permutation[::-1]),
        permutation=permutation,
        status=ordering.status,
        reasons=_reasons(problem, permutation),
        feedback=_feedback(problem.weights, permutation, whole.names),
        network=whole,
        count_self=self_loops == "count",
        seconds=time.perf_counter() - started,
        gates=gates,
        measures=measures,
        left_out=left_out,
        null=compared,
    )


def as_problem(
    network: Network,
    *,
    upstream: Sequence[Name] = (),
    downstream: Sequence[Name] = (),
    count_self: bool = True,
    count_inputs: bool = False,
) -> Problem:
    """The ordering problem of a network.

    Examples:
        >>> network = Network.from_matrix([[1.0, 2.0, 4.0], [3.0, 0.0, 0.0]])
        >>> as_problem(network).total, as_problem(network, count_inputs=True).total
        (6.0, 10.0)
    """
    places = {name: unit for unit, name in enumerate(network.names[: network.units])}
    if len(places) < network.units:
        twice = next(n for k, n in enumerate(network.names[: network.units]) if places[n] != k)
        if upstream or downstream:
            raise ValueError(f"two units are named {shown(twice)}, so none can be pinned by name")
    pinned: dict[str, list[int]] = {}
    for end, names in (("upstream", upstream), ("downstream", downstream)):
        pinned[end] = []
        for name in names:
            unit = places.get(name)
            if unit is None and isinstance(name, str) and name.isdecimal():
                unit = places.get(int(name))
            if unit is None:
                raise ValueError(
                    f"{end} names {shown(name)}, which is no unit of {network.about}"
                    f"{suggestion(name, map(shown, places))}"
                )
            if unit < network.outputs:
                raise ValueError(f"{end} names {shown(name)}, which is an output already")
            pinned[end].append(unit)
    both = pinned["upstream"] + pinned["downstream"]
    for name, unit in zip([*upstream, *downstream], both, strict=True):
        if both.count(unit) > 1:
            raise ValueError(f"{shown(name)} is pinned twice, but has one place")
    # The flow runs from the last place of a Problem to its first.
    problem = Problem.from_sparse(
        network.square,
        front=[*range(network.outputs), *reversed(pinned["downstream"])],
        back=list(reversed(pinned["upstream"])),
        count_self=count_self,
    )
    if count_inputs:
        problem = dataclasses.replace(problem, apart=problem.apart + network.input_weight)
    return problem


def _below(
    weights: sp.csr_array, permutation: Int[np.ndarray, " units"]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, columns and weights of the connections against the order."""
    place: np.ndarray = np.empty(permutation.size, np.int64)
    place[permutation] = np.arange(permutation.size)
    entries = weights.tocoo()
    rows, columns = entries.coords
    against = place[rows] > place[columns]
    return rows[against], columns[against], entries.data[against]


def _hidden(
    network: Network,
    problem: Problem,
    permutation: Int[np.ndarray, " units"],
    count_self: bool,
    value: float,
) -> float:
    """O of the block of units that are no outputs, in the same order."""
    if not network.outputs:
        return value
    block = abs(sp.csr_array(network.square[network.outputs :][:, network.outputs :]))
    total = float(block.sum()) - (0.0 if count_self else float(block.diagonal().sum()))
    if total <= 0:
        return math.nan
    rows, columns, weights = _below(problem.weights, permutation)
    inside = (rows >= network.outputs) & (columns >= network.outputs)
    return 1.0 - float(weights[inside].sum()) / total


def _reasons(problem: Problem, permutation: Int[np.ndarray, " units"]) -> Reasons:
    if problem.total == 0:
        return Reasons(0.0, 0.0, 0.0)
    rows, columns, weights = _below(problem.weights, permutation)
    pinned: np.ndarray = np.zeros(problem.size, bool)
    pinned[[*problem.front, *problem.back]] = True
    held = pinned[rows] | pinned[columns]
    transposed = sp.csr_array(problem.weights.T)
    mutual = problem.weights.minimum(transposed).tocsr()
    free = ~held
    back = np.asarray(mutual[rows[free], columns[free]]).ravel() if free.any() else np.zeros(0)
    shares = (
        float(weights[held].sum()),
        float(back.sum()),
        float((weights[free] - back).sum()),
    )
    return Reasons(*(max(0.0, share) / problem.total for share in shares))


def _feedback(
    weights: sp.csr_array, permutation: Int[np.ndarray, " units"], names: Sequence[Name]
) -> tuple[Feedback, ...]:
    rows, columns, sizes = _below(weights, permutation)
    largest = np.lexsort((rows, columns, -sizes))[:SHOWN_FEEDBACK]
    return tuple(
        Feedback(names[columns[k]], names[rows[k]], float(sizes[k])) for k in largest.tolist()
    )
