"""One weighted sum for one network or for a population of them on trailing axes."""

from __future__ import annotations

import functools
import operator

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def weighted_sum(
    weights: Float[Array, "units sources ..."],
    states: Float[Array, "batch sources ..."],
) -> Float[Array, "batch units ..."]:
    r"""What each unit receives: \(z_{br} = \sum_c W_{rc}\, s_{bc}\), network by network.

    Without trailing axes this is `states @ weights.T`. With them, networks lie next to each other
    in memory, so the sum is written as multiply-and-add over whole vectors of networks: for small
    layers that is several times faster than a batch of tiny matrix products. Its gradient is
    written out the same way, because the one derived from it scatters column by column.

    Examples:
        >>> import jax.numpy as jnp
        >>> weighted_sum(jnp.array([[1.0, 2.0]]), jnp.array([[3.0, 4.0]]))
        Array([[11.]], dtype=float32)
    """
    if weights.ndim == 2 and states.ndim == 2:
        # Full single precision on every device: a GPU would otherwise round products to TF32.
        return jnp.matmul(states, weights.T, precision=jax.lax.Precision.HIGHEST)
    return _multiply_and_add(weights, states)


@jax.custom_vjp
def _multiply_and_add(weights: Array, states: Array) -> Array:
    return _sum(weights[:, c] * states[:, c][:, None] for c in range(weights.shape[1]))


def _forward(weights: Array, states: Array) -> tuple[Array, tuple[Array, Array]]:
    return _multiply_and_add(weights, states), (weights, states)


def _backward(saved: tuple[Array, Array], slope: Array) -> tuple[Array, Array]:
    weights, states = saved
    by_weight = _sum(slope[b][:, None] * states[b] for b in range(states.shape[0]))
    by_state = _sum(slope[:, r][:, None] * weights[r] for r in range(weights.shape[0]))
    return _like(by_weight, weights), _like(by_state, states)


_multiply_and_add.defvjp(_forward, _backward)


def _sum(terms: object) -> Array:
    return functools.reduce(operator.add, terms)  # type: ignore[call-overload, no-any-return]


def _like(slope: Array, primal: Array) -> Array:
    """Add up `slope` over the axes along which `primal` was one and the same for all networks."""
    shared = [a for a in range(primal.ndim) if primal.shape[a] == 1 and slope.shape[a] != 1]
    return jnp.sum(slope, axis=shared, keepdims=True) if shared else slope
