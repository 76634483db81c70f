"""What pruning does to W at one moment: pure projections, written for any number of networks.

Each takes weights (units, sources, *networks) and an amount that is one number or one a network.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, ArrayLike, Bool, Float, Int

# Up to this many weights of many networks each is compared with each, in vectors of networks; else
# the threshold is found bit by bit.
_COMPARE_ALL = 128


def keep_largest(
    weights: Float[Array, "units sources ..."], count: Int[ArrayLike, "..."]
) -> Float[Array, "units sources ..."]:
    """Keep the `count` weights of largest magnitude of each network, zero the rest.

    Of equal magnitudes the first in row order is kept, so exactly `count` stay. Sorting is what
    compilers do worst across many small networks, so no weight is ever moved: either each weight
    counts those before it, or the magnitude of the last one kept is found by bisecting its bits.

    Examples:
        >>> keep_largest(jnp.array([[3.0, -1.0], [2.0, -4.0]]), 2)
        Array([[ 3.,  0.],
               [ 0., -4.]], dtype=float32)
    """
    size = weights.shape[0] * weights.shape[1]
    # The bits of magnitudes, read as integers, are in the order of the magnitudes.
    wide = weights.dtype.itemsize == 8
    bits = jax.lax.bitcast_convert_type(jnp.abs(weights), jnp.int64 if wide else jnp.int32)
    bits = bits.reshape(size, *weights.shape[2:])
    small = weights.ndim > 2 and size <= _COMPARE_ALL
    kept = _by_rank(bits, count) if small else _by_threshold(bits, count)
    return jnp.where(kept.reshape(weights.shape), weights, 0)


def damp_lower(
    weights: Float[Array, "units sources ..."], amount: Float[ArrayLike, "..."]
) -> Float[Array, "units sources ..."]:
    r"""Take the fraction `amount` off every weight below the diagonal: \(W - f\,tril(W, -1)\).

    Examples:
        >>> damp_lower(jnp.ones((2, 3)), 0.75)
        Array([[1.  , 1.  , 1.  ],
               [0.25, 1.  , 1.  ]], dtype=float32)
    """
    rows, columns = weights.shape[:2]
    below = jnp.arange(rows)[:, None] > jnp.arange(columns)[None]
    below = below.reshape(rows, columns, *(1 for _ in weights.shape[2:]))
    return weights - jnp.where(below, jnp.asarray(amount, weights.dtype) * weights, 0)


def zero_where(
    weights: Float[Array, "units sources ..."], mask: Bool[Array, "units sources ..."]
) -> Float[Array, "units sources ..."]:
    """Zero every weight at which `mask` is True.

    Examples:
        >>> zero_where(jnp.ones((1, 2)), jnp.array([[True, False]]))
        Array([[0., 1.]], dtype=float32)
    """
    return jnp.where(mask, 0, weights)


def _by_rank(bits: Array, count: ArrayLike) -> Array:
    """Keep a weight if fewer than `count` come before it."""
    later = _column(jnp.arange(bits.shape[0]), bits)
    rank = jnp.zeros(bits.shape, jnp.int32)
    for index, other in enumerate(bits):
        # A later weight also ranks behind an equal one; bits are integers, so + 1 says "or equal".
        rank = rank + (other + (later > index) > bits).astype(jnp.int32)
    kept: Array = jnp.less(rank, count)
    return kept


def _by_threshold(bits: Array, count: ArrayLike) -> Array:
    """Keep what is above the count-th largest, and of those equal to it the first few."""
    count = jnp.broadcast_to(jnp.asarray(count, jnp.int32), bits.shape[1:])

    def narrow(place: Array, threshold: Array) -> Array:
        trial = threshold | (jnp.ones((), bits.dtype) << (top - place))
        enough = jnp.sum(bits >= trial, axis=0, dtype=jnp.int32) >= count
        return jnp.where(enough, trial, threshold)

    top = bits.dtype.itemsize * 8 - 2  # the sign bit is never set
    threshold = jax.lax.fori_loop(0, top + 1, narrow, jnp.zeros(bits.shape[1:], bits.dtype))
    above = bits > threshold
    equal = bits == threshold
    spare = count - jnp.sum(above, axis=0, dtype=jnp.int32)
    return above | (equal & (jnp.cumsum(equal, axis=0, dtype=jnp.int32) <= spare))


def _column(index: Array, like: Array) -> Array:
    return index.reshape(-1, *(1 for _ in like.shape[1:]))
