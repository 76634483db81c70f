"""Initialisers: functions of a key and a shape."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

Initialiser = Callable[[Key[Array, ""], tuple[int, ...]], Float[Array, "..."]]
"""A function of a random key and a shape that gives an array of that shape."""


def normal(key: Key[Array, ""], shape: tuple[int, ...]) -> Float[Array, "..."]:
    r"""Independent draws from \(\mathcal{N}(0, 1)\), the paper's default for W and v.

    Examples:
        >>> normal(jax.random.key(0), (2, 3)).shape
        (2, 3)
    """
    return jax.random.normal(key, shape, jnp.float32)


def uniform(key: Key[Array, ""], shape: tuple[int, ...]) -> Float[Array, "..."]:
    r"""Independent draws from \(\mathcal{U}(0, 1)\).

    Examples:
        >>> bool((uniform(jax.random.key(0), (100,)) >= 0).all())
        True
    """
    return jax.random.uniform(key, shape, jnp.float32)


def zeros(key: Key[Array, ""], shape: tuple[int, ...]) -> Float[Array, "..."]:
    """All zeros; the key is not used.

    Examples:
        >>> zeros(jax.random.key(0), (2,))
        Array([0., 0.], dtype=float32)
    """
    del key
    return jnp.zeros(shape, jnp.float32)
