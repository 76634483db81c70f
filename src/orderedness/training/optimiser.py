"""Optimisers from optax, with their numbers kept apart so that they can differ between networks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import optax

from orderedness import _checks


@dataclasses.dataclass(frozen=True)
class Optimiser:
    """An optax constructor and the numbers to call it with.

    Networks whose optimisers differ in numbers alone are trained by one compiled program.

    Attributes:
        make: builds the transformation, for instance `optax.adam`; called with `numbers`.
        numbers: keyword arguments of `make`, as sorted pairs.

    Examples:
        >>> adam(0.01) == Optimiser.of(optax.adam, learning_rate=0.01, b1=0.9, b2=0.999, eps=1e-8)
        True
        >>> momentum = Optimiser.of(optax.sgd, learning_rate=0.1, momentum=0.9)
    """

    make: Callable[..., optax.GradientTransformation]
    numbers: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, make: Callable[..., optax.GradientTransformation], **numbers: float) -> Optimiser:
        """Name the numbers by keyword."""
        return cls(make, tuple(sorted((name, float(number)) for name, number in numbers.items())))

    def __post_init__(self) -> None:
        for name, number in self.numbers:
            _checks.finite(name, number)


def adam(
    learning_rate: float = 0.01, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> Optimiser:
    """Adam, with the paper's settings as defaults."""
    return Optimiser.of(optax.adam, learning_rate=learning_rate, b1=b1, b2=b2, eps=eps)


@dataclasses.dataclass(frozen=True)
class _Fixed:
    """A transformation that is already built, as a constructor that takes no numbers."""

    transformation: optax.GradientTransformation

    def __call__(self) -> optax.GradientTransformation:
        return self.transformation


def as_optimiser(given: Optimiser | optax.GradientTransformation) -> Optimiser:
    """Accept any optax transformation, or an `Optimiser` as it is."""
    if isinstance(given, Optimiser):
        return given
    if isinstance(given, optax.GradientTransformation):
        return Optimiser(_Fixed(given))
    raise TypeError(
        f"optimiser is {given!r}, but must be an Optimiser or an optax GradientTransformation"
    )


def init(make: Callable[..., Any], numbers: dict[str, jax.Array], params: Any, axes: int) -> Any:
    """The optimiser's state for each network; `axes` trailing axes enumerate networks."""

    def one(numbers: dict[str, jax.Array], params: Any) -> Any:
        return make(**numbers).init(params)

    return _each(one, axes)(numbers, params)


def update(
    make: Callable[..., Any],
    numbers: dict[str, jax.Array],
    slopes: Any,
    state: Any,
    params: Any,
    axes: int,
) -> tuple[Any, Any]:
    """One step for each network: new parameters and state.

    Each network's step is taken by itself, so transformations that look at all parameters of a
    network at once (clipping by the global norm, say) never see those of another.
    """

    def one(numbers: dict[str, jax.Array], slopes: Any, state: Any, params: Any) -> Any:
        updates, state = make(**numbers).update(slopes, state, params)
        return optax.apply_updates(params, updates), state

    stepped: tuple[Any, Any] = _each(one, axes)(numbers, slopes, state, params)
    return stepped


def _each(function: Callable[..., Any], axes: int) -> Callable[..., Any]:
    for _ in range(axes):
        function = jax.vmap(function, in_axes=-1, out_axes=-1)
    return function
