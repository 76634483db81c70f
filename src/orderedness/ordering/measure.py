"""Orderedness of weight matrices: one network, or thousands along the trailing axes."""

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

from orderedness.ordering._arrays import as_numpy, first_index
from orderedness.ordering._threads import over_ranges
from orderedness.ordering.population_dp import order_population, sum_population
from orderedness.ordering.problem import Problem
from orderedness.ordering.search import Solver
from orderedness.ordering.solve import check_time_limit, solve
from orderedness.ordering.subset_dp import subset_order

LANE_HIDDEN = 12  # beyond, the tables of sixteen lanes fall out of the second-level cache
EXACT_HIDDEN = 20  # beyond, a table over subsets is slower than the other solvers
CHUNK_BYTES = 4 << 20


@dataclass(frozen=True)
class Orderedness:
    """How ordered networks are, and the order that shows it.

    Attributes:
        value: O = 1 - L/S, a float for one network, else an array of the population's shape.
        permutation: unit indices of the square block in best order, outputs first; shape
            (o+h, *population). ``np.tril(abs(W)[p][:, p], -1).sum()`` is the least possible L.
        hidden: O of the hidden block alone, for which the same order is best. NaN where the
            block is empty or all zero.
        lower: a lower bound on the value.
        upper: an upper bound on the value.
        certified: whether the value is known to be the best possible (to rounding).
    """

    value: float | Float[np.ndarray, "*population"]
    permutation: Int[np.ndarray, " units *population"]
    hidden: float | Float[np.ndarray, "*population"]
    lower: float | Float[np.ndarray, "*population"]
    upper: float | Float[np.ndarray, "*population"]
    certified: bool | Bool[np.ndarray, "*population"]


def orderedness(
    weights: Any,
    *,
    outputs: int = 0,
    inputs: int | None = None,
    count_inputs: bool = False,
    count_self: bool = True,
    solver: Solver | None = None,
    time_limit: float | None = None,
    seed: int = 0,
) -> Orderedness:
    r"""Orderedness of weight matrices: the largest share of weight on one side of an order.

        O(W) = 1 - min over orders of the hidden units of L / S,

    on the magnitudes |W|, where L sums the square block of output and hidden units strictly below
    the diagonal and S sums all of that block. Outputs keep their places at the front.

    Args:
        weights: (o+h) x (o+h+i), entry [r, c] from unit c to unit r, units in the order outputs,
            hidden, inputs. Trailing axes enumerate networks. NumPy, JAX, torch or lists.
        outputs: o, the number of output units.
        inputs: i; by default what the shape says.
        count_inputs: whether the input columns count in S. They are never in L.
        count_self: whether self-connections count in S. They are never in L.
        solver: what orders the hidden units. By default dynamic programming over subsets, exact,
            for up to 20 of them, and `Auto` beyond.
        time_limit: seconds, shared by the networks; without it each solver ends by its own rule,
            which for many more than 40 hidden units can take long.
        seed: for solvers that draw.

    Returns:
        An `Orderedness`. A network whose S is zero has no orderedness: its value is NaN.

    Example:
        >>> weights = [[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 0.0, 0.0]]
        >>> result = orderedness(weights)
        >>> round(result.value, 4)
        0.8333
        >>> result.permutation
        array([0, 1, 2], dtype=int32)
    """
    array = as_numpy(weights, "weights")
    outputs = _check_shape(array, outputs, inputs)
    rows, population = array.shape[0], array.shape[2:]
    if solver is None and rows - outputs <= EXACT_HIDDEN:
        check_time_limit(time_limit)
        value, hidden, permutation = _exact_population(array, outputs, count_inputs, count_self)
        lower, upper, certified = value, value, np.ones(value.size, bool)
    else:
        value, hidden, permutation, lower, upper, certified = _solved_population(
            array, outputs, count_inputs, count_self, solver, time_limit, seed
        )
    if not population:
        return Orderedness(
            value=float(value[0]),
            permutation=permutation[:, 0],
            hidden=float(hidden[0]),
            lower=float(lower[0]),
            upper=float(upper[0]),
            certified=bool(certified[0]),
        )
    return Orderedness(
        value=value.reshape(population),
        permutation=permutation.reshape(rows, *population),
        hidden=hidden.reshape(population),
        lower=lower.reshape(population),
        upper=upper.reshape(population),
        certified=certified.reshape(population),
    )


def _check_shape(array: np.ndarray, outputs: int, inputs: int | None) -> int:
    """Say what is wrong with sizes that cannot be; return `outputs` as a plain integer."""
    if array.ndim < 2:
        raise ValueError(f"weights must have at least 2 axes, got shape {array.shape}.")
    rows, columns = array.shape[:2]
    if rows > columns:
        raise ValueError(
            f"weights must have at least as many columns as rows, got shape {array.shape}; "
            "networks are enumerated by trailing axes: np.moveaxis(weights, 0, -1) moves a "
            "leading one there."
        )
    for name, given in (("outputs", outputs), ("inputs", inputs)):
        if given is not None and (isinstance(given, bool) or not hasattr(given, "__index__")):
            raise TypeError(f"{name} must be an integer, got {given!r}.")
    if not 0 <= outputs <= rows:
        raise ValueError(f"outputs must be from 0 to the {rows} rows of weights, got {outputs}.")
    if inputs is not None and inputs != columns - rows:
        raise ValueError(
            f"inputs must be columns - rows = {columns - rows} for weights of shape "
            f"{array.shape}, got {inputs}."
        )
    return int(outputs)


def _magnitudes(
    chunk: np.ndarray, start: int, population: tuple[int, ...]
) -> Float[np.ndarray, "rows columns networks"]:
    """|chunk| in double precision; networks near the ends of its range are scaled by a power of 2.

    Scaling changes no orderedness and keeps sums from overflowing or vanishing. It depends on
    the network alone.
    """
    magnitudes: np.ndarray = chunk.astype(np.float64)
    np.abs(magnitudes, out=magnitudes)
    largest = magnitudes.max(axis=(0, 1), initial=0.0)
    if not np.isfinite(largest).all():
        row, column, network = first_index(~np.isfinite(magnitudes))
        where = (row, column, *(int(i) for i in np.unravel_index(start + network, population)))
        raise ValueError(f"weights must be finite, got {chunk[row, column, network]} at {where}.")
    extreme = (largest > 2.0**900) | ((largest < 2.0**-900) & (largest > 0))
    if extreme.any():
        exponents = np.where(extreme, -np.frexp(largest)[1], 0)
        magnitudes = np.ldexp(magnitudes, exponents)
    return magnitudes


def _share(lower: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """1 - lower / (lower + rest); NaN for nothing at all. Never below 0: rest is not negative."""
    total = lower + rest
    share: np.ndarray = np.full_like(total, np.nan)
    np.divide(lower, total, out=share, where=total > 0)
    return 1.0 - share


def _exact_population(
    weights: np.ndarray, outputs: int, count_inputs: bool, count_self: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, hidden values and permutations of networks on the last axis, chunk by chunk."""
    rows, columns, *population = weights.shape
    total = math.prod(population)
    networks = weights.reshape(rows, columns, total)
    value = np.empty(total)
    hidden = np.empty(total)
    permutation = np.empty((rows, total), np.int32)

    def work(start: int, stop: int) -> None:
        chunk = _magnitudes(networks[:, :, start:stop], start, tuple(population))
        square = np.ascontiguousarray(chunk[:, :rows])
        counted = chunk if count_inputs else square
        orders = np.empty((rows, stop - start), np.int32)
        if rows - outputs <= LANE_HIDDEN:
            order_population(square, outputs, orders)
        else:
            orders[:outputs] = np.arange(outputs)[:, None]
            for network in range(stop - start):
                block = np.ascontiguousarray(square[outputs:, outputs:, network])
                orders[outputs:, network] = outputs + subset_order(block)
        lower, rest = np.empty(stop - start), np.empty(stop - start)
        sum_population(counted, 0, orders, count_self, lower, rest)
        value[start:stop] = _share(lower, rest)
        sum_population(square, outputs, orders, count_self, lower, rest)
        hidden[start:stop] = _share(lower, rest)
        permutation[:, start:stop] = orders

    over_ranges(work, total, step=max(64, CHUNK_BYTES // (8 * max(1, rows * columns)) // 64 * 64))
    return value, hidden, permutation


def _solved_population(
    weights: np.ndarray,
    outputs: int,
    count_inputs: bool,
    count_self: bool,
    solver: Solver | None,
    time_limit: float | None,
    seed: int,
) -> tuple[np.ndarray, ...]:
    """The same by a solver, one network after the other, with bounds on the values."""
    rows, columns, *population = weights.shape
    total = math.prod(population)
    networks = weights.reshape(rows, columns, total)
    value, hidden, lower, upper = (np.empty(total) for _ in range(4))
    permutation = np.empty((rows, total), np.int32)
    certified = np.empty(total, bool)
    deadline = time.perf_counter() + check_time_limit(time_limit)
    for k in range(total):
        magnitudes = _magnitudes(networks[:, :, k : k + 1], k, tuple(population))
        square = magnitudes[:, :rows, 0]
        left = max(0.0, deadline - time.perf_counter()) / (total - k)
        ordering = solve(
            Problem.from_dense(square, front=range(outputs)),
            solver,
            time_limit=left if math.isfinite(left) else None,
            seed=seed,
        )
        order = ordering.permutation[:, None].astype(np.int32)
        permutation[:, k : k + 1] = order
        below, rest = np.empty(1), np.empty(1)
        counted = magnitudes if count_inputs else np.ascontiguousarray(magnitudes[:, :rows])
        sum_population(counted, 0, order, count_self, below, rest)
        value[k : k + 1] = _share(below, rest)
        everything = float((below + rest)[0])
        inner = np.ascontiguousarray(counted[:, :rows])
        sum_population(inner, outputs, order, count_self, below, rest)
        hidden[k : k + 1] = _share(below, rest)
        lower[k], certified[k] = value[k], ordering.certified
        # The bound is on the weight below the diagonal, whatever else is in S.
        spread = ordering.upper - ordering.lower
        if certified[k] or everything == 0:
            upper[k] = value[k]
        else:
            upper[k] = min(1.0, value[k] + spread * float(square.sum()) / everything)
    return value, hidden, permutation, lower, upper, certified
