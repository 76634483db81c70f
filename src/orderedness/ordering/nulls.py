"""Null models: how ordered a network would be by chance.

Sparser or heavier-tailed matrices have a higher orderedness whatever made them so. A null model
keeps some of what a network is and leaves the rest to chance; what O exceeds it by is order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from orderedness import _checks
from orderedness.ordering._arrays import as_numpy
from orderedness.ordering.measure import orderedness

# Networks whose nulls are drawn and ordered together; bounds memory.
_TOGETHER = 512
# Sums of the same numbers in another order differ by rounding; such values count as equal.
_EQUAL = 1e-9

Shuffle = Callable[[np.random.Generator, np.ndarray, np.ndarray, int, int], np.ndarray]


@dataclass(frozen=True)
class Excess:
    """Observed orderedness against its null, network by network.

    Attributes:
        observed: O.
        mean: mean of the null draws.
        std: their standard deviation (ddof 1).
        p: (1 + #{null >= observed}) / (1 + draws), one-sided.
    """

    observed: Float[np.ndarray, " networks"]
    mean: Float[np.ndarray, " networks"]
    std: Float[np.ndarray, " networks"]
    p: Float[np.ndarray, " networks"]

    @property
    def excess(self) -> Float[np.ndarray, " networks"]:
        """What O is above the null's mean."""
        return self.observed - self.mean

    @property
    def z(self) -> Float[np.ndarray, " networks"]:
        """The excess in standard deviations of the null; NaN where the null never varies."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.std > 0, self.excess / self.std, np.nan)


@dataclass(frozen=True)
class NullOrderedness:
    """What a null model says about a population.

    Attributes:
        model: its name.
        draws: null draws a network.
        full: on the square block of output and hidden units.
        hidden: on the hidden block alone.
    """

    model: str
    draws: int
    full: Excess
    hidden: Excess


def null_orderedness(
    weights: Any,
    model: str,
    *,
    draws: int = 100,
    seeds: Int[np.ndarray, " networks"] | None = None,
    outputs: int = 0,
    count_inputs: bool = False,
    reference: Any = None,
) -> NullOrderedness:
    """Compare a population's orderedness with that of networks made alike by chance.

    Models, all on magnitudes of the square block:

    - ``entries``: shuffle all entries (keeps the multiset of magnitudes);
    - ``roles``: shuffle within output rows, within output columns, within the hidden block;
    - ``orientation``: swap W[r, c] and W[c, r] or not, at random (keeps all but direction; of few
      units many orientations are acyclic, so that p cannot become small);
    - ``masks``: keep as many weights of `reference` in each role as `weights` has, at random.

    Args:
        weights: W of one network, (units, sources), or of many, (units, sources, networks).
        model: one of the names above.
        draws: null draws a network.
        seeds: one a network; draws depend on the network's own seed alone. By default 0, 1, ...
        outputs: output units, which stay at the front.
        count_inputs: whether the input columns, which no model touches, count in S.
        reference: for ``masks``, the weights before anything was removed, shaped as `weights`.

    Example:
        >>> chain = np.triu(np.ones((7, 7)), 1) * np.arange(1, 8)
        >>> result = null_orderedness(chain, "orientation", draws=99)
        >>> float(result.full.observed[0]), float(result.full.p[0]) < 0.1
        (1.0, True)
    """
    shuffle = MODELS[_checks.known("model", model, MODELS)]
    _checks.whole("draws", draws, least=1)
    magnitudes = _magnitudes(weights, "weights")
    square, inputs = np.split(magnitudes, [len(magnitudes)], axis=1)
    if (reference is None) == (model == "masks"):
        raise ValueError(
            f"reference is {'missing' if reference is None else 'given'}, but the model is "
            f"{model!r}: masks needs it, the others do not"
        )
    dense = square
    if reference is not None:
        dense = _magnitudes(reference, "reference")[:, : len(square)]
        _checks.shape("reference", dense, square.shape, "as weights, without the input columns")
    networks = square.shape[-1]
    chosen = np.arange(networks) if seeds is None else np.asarray(seeds)
    _checks.shape("seeds", chosen, (networks,), "one a network")
    observed = orderedness(magnitudes, outputs=outputs, count_inputs=count_inputs)
    nulls = [np.empty((networks, draws)), np.empty((networks, draws))]
    for start in range(0, networks, _TOGETHER):
        part = slice(start, min(start + _TOGETHER, networks))
        drawn = [
            shuffle(
                np.random.default_rng([int(seed), _STREAM]),
                square[..., n],
                dense[..., n],
                outputs,
                draws,
            )
            for n, seed in zip(range(part.start, part.stop), chosen[part], strict=True)
        ]
        alike = np.moveaxis(np.stack(drawn), (0, 1), (-2, -1))
        if count_inputs:
            beside = np.broadcast_to(inputs[..., part, None], (*inputs[..., part].shape, draws))
            alike = np.concatenate([alike, beside], axis=1)
        null = orderedness(alike, outputs=outputs, count_inputs=count_inputs)
        nulls[0][part], nulls[1][part] = null.value, null.hidden
    return NullOrderedness(
        model,
        draws,
        _excess(np.asarray(observed.value), nulls[0]),
        _excess(np.asarray(observed.hidden), nulls[1]),
    )


_STREAM = 0x0D0E  # keeps these draws apart from others made from the same seed


def _excess(observed: np.ndarray, null: np.ndarray) -> Excess:
    undefined = np.isnan(observed)
    reached = (null >= observed[:, None] - _EQUAL).sum(axis=1)
    p = (1 + reached) / (1 + null.shape[1])
    std = null.std(axis=1, ddof=1) if null.shape[1] > 1 else np.full(len(null), np.nan)
    return Excess(observed, null.mean(axis=1), std, np.where(undefined, np.nan, p))


def _magnitudes(weights: Any, name: str) -> Float[np.ndarray, "units sources networks"]:
    array = np.abs(as_numpy(weights, name).astype(float))
    array = array[..., None] if array.ndim == 2 else array
    if array.ndim != 3 or array.shape[0] > array.shape[1]:
        raise ValueError(
            f"{name} has shape {array.shape}, but must have shape (units, sources) or "
            "(units, sources, networks)"
        )
    return array


def _roles(units: int, outputs: int) -> Int[np.ndarray, "units units"]:
    """0 for output rows, 1 for output columns, 2 for the hidden block."""
    row, column = np.indices((units, units))
    return np.where(row < outputs, 0, np.where(column < outputs, 1, 2))


def _shuffle_within(
    random: np.random.Generator, square: np.ndarray, groups: np.ndarray, draws: int
) -> np.ndarray:
    out = np.repeat(square.reshape(1, -1), draws, axis=0)
    for group in np.unique(groups):
        places = np.flatnonzero(groups.ravel() == group)
        out[:, places] = random.permuted(out[:, places], axis=1)
    return out.reshape(draws, *square.shape)


def _entries(
    random: np.random.Generator, square: np.ndarray, dense: np.ndarray, outputs: int, draws: int
) -> np.ndarray:
    del dense, outputs
    return _shuffle_within(random, square, np.zeros(square.shape, int), draws)


def _within_roles(
    random: np.random.Generator, square: np.ndarray, dense: np.ndarray, outputs: int, draws: int
) -> np.ndarray:
    del dense
    return _shuffle_within(random, square, _roles(len(square), outputs), draws)


def _orientation(
    random: np.random.Generator, square: np.ndarray, dense: np.ndarray, outputs: int, draws: int
) -> np.ndarray:
    del dense, outputs
    swap = np.triu(random.random((draws, *square.shape)) < 0.5, 1)
    swap |= np.swapaxes(swap, 1, 2)
    return np.where(swap, square.T, square)


def _masks(
    random: np.random.Generator, square: np.ndarray, dense: np.ndarray, outputs: int, draws: int
) -> np.ndarray:
    kept = _shuffle_within(random, (square > 0) * 1.0, _roles(len(square), outputs), draws)
    return kept * dense


MODELS: dict[str, Shuffle] = {
    "entries": _entries,
    "roles": _within_roles,
    "orientation": _orientation,
    "masks": _masks,
}
