"""Pruners: what is taken away from W after every step, and how much of it when.

A pruner is a description without state. It has two halves: `amounts`, computed on the host in
double precision before training starts, and a pure projection of W that runs in compiled code.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from orderedness import _checks
from orderedness.pruning.projections import damp_lower, keep_largest, zero_where

Shape = tuple[int, int]
UserFunction = Callable[[Array, Array, Array], Array]
Preparation = Callable[[Key[Array, ""], tuple[int, ...]], Any]


class Projection(Protocol):
    """W, the amount at this moment, what was prepared from the key -> W."""

    def __call__(self, weights: Array, amount: Array, prepared: Any, /) -> Array:
        """Project W."""


class Pruner(abc.ABC):
    """What is done to W after every step.

    Calling a pruner applies it once: `pruner(weights, progress, key)`. In training its parts are
    used instead: `preparation` once a network, `amounts` once a run, `projection` at every step.
    Pruners with the same preparation and projection share compiled programs.
    """

    @property
    @abc.abstractmethod
    def projection(self) -> Projection:
        """The compiled half; weights, amount and prepared may carry trailing axes of networks."""

    @abc.abstractmethod
    def amounts(self, progress: Float[np.ndarray, " steps"], shape: Shape) -> np.ndarray:
        """The amount given to the projection at each progress from 0 to 1, for W of this shape."""

    @property
    def preparation(self) -> Preparation | None:
        """What one network draws from its key before training starts, or None for nothing."""
        return None

    def __call__(
        self, weights: Float[Array, "units sources"], progress: float, key: Key[Array, ""]
    ) -> Float[Array, "units sources"]:
        """Prune one network's W at `progress` (0 to 1)."""
        shape = (weights.shape[0], weights.shape[1])
        [amount] = self.amounts(np.array([_checks.fraction("progress", progress)]), shape)
        prepared = None if self.preparation is None else self.preparation(key, shape)
        return self.projection(weights, jnp.asarray(amount), prepared)


def ramp(progress: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    r"""The rise of the dynamic pruners, \(\sin^4(\pi x / 2)\): late, from 0 to 1.

    Examples:
        >>> ramp(np.array([0.0, 0.5, 1.0])).round(3).tolist()
        [0.0, 0.25, 1.0]
    """
    return np.sin(np.pi * np.asarray(progress, np.float64) / 2) ** 4


def _keep_all(weights: Array, amount: Array, prepared: Any) -> Array:
    del amount, prepared
    return weights


def _keep_largest(weights: Array, amount: Array, prepared: Any) -> Array:
    del prepared
    return keep_largest(weights, amount)


def _damp_lower(weights: Array, amount: Array, prepared: Any) -> Array:
    del prepared
    return damp_lower(weights, amount)


def _zero_where(weights: Array, amount: Array, prepared: Any) -> Array:
    return zero_where(weights, prepared < amount)


def mask_draws(key: Key[Array, ""], shape: tuple[int, ...]) -> Float[Array, "..."]:
    """Uniform draws on [0, 1); a weight is zeroed where its own is below the sparsity.

    So masks of one key are nested: what is zeroed at a low sparsity is zeroed at a higher one.
    """
    return jax.random.uniform(key, shape, jnp.float32)


@dataclasses.dataclass(frozen=True)
class _SharedDraws:
    """The same draws for every network."""

    seed: int

    def __call__(self, key: Key[Array, ""], shape: tuple[int, ...]) -> Array:
        del key
        return mask_draws(jax.random.key(self.seed), shape)


def _the_key(key: Key[Array, ""], shape: tuple[int, ...]) -> Key[Array, ""]:
    del shape
    return key


@dataclasses.dataclass(frozen=True)
class NoPruning(Pruner):
    """Leave W as it is.

    Examples:
        >>> NoPruning()(jnp.ones((1, 2)), 0.5, jax.random.key(0))
        Array([[1., 1.]], dtype=float32)
    """

    @property
    def projection(self) -> Projection:
        """Nothing."""
        return _keep_all

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """Zeros."""
        del shape
        return np.zeros(len(progress), np.float32)


@dataclasses.dataclass(frozen=True)
class RandomPruning(Pruner):
    """Zero a random part of W: each weight with probability `sparsity` (the paper's p).

    The mask is drawn once a network, from the network's own key, and holds throughout.

    Attributes:
        sparsity: the probability with which a weight is zeroed.
        mask_seed: if given, all networks share the one mask drawn from this seed.

    Examples:
        >>> pruned = RandomPruning(0.5)(jnp.ones((50, 50)), 0.0, jax.random.key(0))
        >>> 0.45 < float((pruned == 0).mean()) < 0.55
        True
    """

    sparsity: float = 0.5
    mask_seed: int | None = None

    def __post_init__(self) -> None:
        _checks.fraction("sparsity", self.sparsity)
        if self.mask_seed is not None:
            _checks.whole("mask_seed", self.mask_seed, least=0)

    @property
    def projection(self) -> Projection:
        """Zero where the mask says so."""
        return _zero_where

    @property
    def preparation(self) -> Preparation:
        """Draw what decides the mask."""
        return mask_draws if self.mask_seed is None else _SharedDraws(self.mask_seed)

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """The sparsity, throughout."""
        del shape
        return np.full(len(progress), self.sparsity, np.float32)


@dataclasses.dataclass(frozen=True)
class TopK(Pruner):
    r"""Keep the `int((1 - sparsity) * W.size)` weights of largest magnitude, zero the rest.

    The paper's k is 1 - sparsity. Zeroed weights may grow back at the next step.

    Examples:
        >>> TopK(0.5)(jnp.array([[3.0, -1.0], [2.0, -4.0]]), 0.0, jax.random.key(0))
        Array([[ 3.,  0.],
               [ 0., -4.]], dtype=float32)
    """

    sparsity: float = 0.5

    def __post_init__(self) -> None:
        _checks.fraction("sparsity", self.sparsity)

    @property
    def projection(self) -> Projection:
        """Keep the largest."""
        return _keep_largest

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """How many weights stay."""
        return _counts(np.full(len(progress), 1 - self.sparsity), shape)


@dataclasses.dataclass(frozen=True)
class DynamicTopK(TopK):
    r"""Top-k whose kept fraction falls from 1 to k: \(k'(x) = 1 - (1-k) \sin^4(\pi x/2)\).

    Counts are computed in double precision and truncated: a hair after the start k' is already
    below 1 and one weight goes.

    Examples:
        >>> DynamicTopK(0.5).amounts(np.array([0.0, 0.001, 0.5, 1.0]), (6, 8)).tolist()
        [48, 47, 42, 24]
    """

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """How many weights stay."""
        # Written with k, as the paper does: 1 - sparsity * ramp can round to another count.
        k = 1 - self.sparsity
        return _counts(1 - (1 - k) * ramp(progress), shape)


@dataclasses.dataclass(frozen=True)
class TrilDamping(Pruner):
    r"""Damp what flows back: \(W \leftarrow W - f\, tril(W, -1)\) after every step.

    Attributes:
        fraction: the paper's f.

    Examples:
        >>> TrilDamping(0.75)(jnp.ones((2, 2)), 0.0, jax.random.key(0))
        Array([[1.  , 1.  ],
               [0.25, 1.  ]], dtype=float32)
    """

    fraction: float = 0.8

    def __post_init__(self) -> None:
        _checks.fraction("fraction", self.fraction)

    @property
    def projection(self) -> Projection:
        """Damp the lower triangle."""
        return _damp_lower

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """The fraction taken off."""
        del shape
        return np.full(len(progress), self.fraction, np.float32)


@dataclasses.dataclass(frozen=True)
class DynamicTrilDamping(TrilDamping):
    r"""Tril-damping whose fraction rises from 0 to f: \(f'(x) = f \sin^4(\pi x/2)\).

    Examples:
        >>> DynamicTrilDamping(0.8).amounts(np.array([0.0, 0.5, 1.0]), (6, 8))
        array([0. , 0.2, 0.8], dtype=float32)
    """

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """The fraction taken off."""
        del shape
        return (self.fraction * ramp(progress)).astype(np.float32)


@dataclasses.dataclass(frozen=True)
class CustomPruning(Pruner):
    """A user's own function of one network's W, the progress (0 to 1) and a key.

    The key is the network's own and the same at every step, so that a mask drawn from it holds.

    Attributes:
        function: `function(weights, progress, key) -> weights`, of JAX operations.

    Examples:
        >>> def fade(weights, progress, key):
        ...     return weights * (1 - progress)
        >>> CustomPruning(fade)(jnp.ones((1, 2)), 0.25, jax.random.key(0))
        Array([[0.75, 0.75]], dtype=float32)
    """

    function: UserFunction

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(
                f"function is {self.function!r}, but must be callable as "
                "function(weights, progress, key)"
            )

    @property
    def projection(self) -> Projection:
        """The function, network by network."""
        return _EachNetwork(self.function)

    def amounts(self, progress: np.ndarray, shape: Shape) -> np.ndarray:
        """The progress itself."""
        del shape
        return np.asarray(progress, np.float32)

    @property
    def preparation(self) -> Preparation:
        """The key."""
        return _the_key


@dataclasses.dataclass(frozen=True)
class _EachNetwork:
    """Lift a function of one network to a population; equal for equal functions."""

    function: UserFunction

    def __call__(self, weights: Array, amount: Array, prepared: Any) -> Array:
        if weights.ndim == 2:
            return self.function(weights, amount, prepared)
        amount = jnp.broadcast_to(amount, weights.shape[2:])
        return jax.vmap(self, in_axes=-1, out_axes=-1)(weights, amount, prepared)


def _counts(kept_fraction: np.ndarray, shape: Shape) -> np.ndarray:
    """`int(k * W.size)`, in double precision."""
    return (kept_fraction * (shape[0] * shape[1])).astype(np.int32)
