"""One weighted sum for one network or for a population of them on trailing axes.

Without trailing axes these are matrix products. With them, networks lie next to each other in
memory, so sums are written as multiply-and-add over whole vectors of networks: for small layers
that is several times faster than a batch of tiny matrix products.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

# Full single precision on every device: a GPU would otherwise round products to TF32.
_matmul = functools.partial(jnp.matmul, precision=jax.lax.Precision.HIGHEST)

_WRITTEN_OUT = 8


@jax.custom_vjp
def weighted_sum(
    weights: Float[Array, "units sources ..."], states: Float[Array, "batch sources ..."]
) -> Float[Array, "batch units ..."]:
    r"""What each unit receives: \(z_{br} = \sum_c W_{rc}\, s_{bc}\), network by network.

    Its gradient is written out, because the one derived from multiply-and-add scatters its terms
    column by column.

    Examples:
        >>> import jax.numpy as jnp
        >>> weighted_sum(jnp.array([[1.0, 2.0]]), jnp.array([[3.0, 4.0]]))
        Array([[11.]], dtype=float32)
    """
    if weights.ndim == states.ndim == 2:
        return _matmul(states, weights.T)
    return _sum(lambda c: _at(weights, c, 1) * _at(states, c, 1)[:, None], weights.shape[1])


def sent_back(
    weights: Float[Array, "units sources ..."], slopes: Float[Array, "batch units ..."]
) -> Float[Array, "batch sources ..."]:
    r"""The gradient by the states, \(\sum_r W_{rc}\, \delta_{br}\).

    Examples:
        >>> sent_back(jnp.array([[1.0, 2.0]]), jnp.array([[3.0]]))
        Array([[3., 6.]], dtype=float32)
    """
    if weights.ndim == slopes.ndim == 2:
        return _matmul(slopes, weights)
    return _sum(lambda r: _at(slopes, r, 1)[:, None] * _at(weights, r, 0), weights.shape[0])


def by_weights(
    slopes: Float[Array, "batch units ..."], states: Float[Array, "batch sources ..."]
) -> Float[Array, "units sources ..."]:
    r"""The gradient by the weights, \(\sum_b \delta_{br}\, s_{bc}\).

    Examples:
        >>> by_weights(jnp.array([[3.0]]), jnp.array([[1.0, 2.0]]))
        Array([[3., 6.]], dtype=float32)
    """
    if slopes.ndim == states.ndim == 2:
        return _matmul(slopes.T, states)
    return _sum(lambda b: _at(slopes, b, 0)[:, None] * _at(states, b, 0), states.shape[0])


def _forward(weights: Array, states: Array) -> tuple[Array, tuple[Array, Array]]:
    return weighted_sum(weights, states), (weights, states)


def _backward(saved: tuple[Array, Array], slopes: Array) -> tuple[Array, Array]:
    weights, states = saved
    return _like(by_weights(slopes, states), weights), _like(sent_back(weights, slopes), states)


weighted_sum.defvjp(_forward, _backward)


def _sum(term: Callable[[int | Array], Array], terms: int) -> Array:
    """Add up `term(0)`, `term(1)`, ..., always in this order.

    A few terms are written out and become one pass over memory. Many would reach over more memory
    than the nearest cache holds, so they are added one after the other.
    """
    if terms <= _WRITTEN_OUT:
        return functools.reduce(operator.add, map(term, range(terms)))
    return jax.lax.fori_loop(1, terms, lambda index, so_far: so_far + term(index), term(0))


def _at(array: Array, index: int | Array, axis: int) -> Array:
    return jax.lax.dynamic_index_in_dim(array, index, axis, keepdims=False)


def _like(slope: Array, primal: Array) -> Array:
    """Add up `slope` over the axes along which `primal` was one and the same for all networks."""
    shared = [a for a in range(primal.ndim) if primal.shape[a] == 1 and slope.shape[a] != 1]
    return jnp.sum(slope, axis=shared, keepdims=True) if shared else slope
