"""What chance decides about a network, drawn from its seed alone."""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, Key

from orderedness.network import normal, uniform
from orderedness.pruning import mask_draws
from orderedness.training.task import Task

# Up to this many examples an epoch's order comes from ranks; above, from sorting.
_RANK_AT_MOST = 512


class Purpose(enum.IntEnum):
    """What a network's key is split for."""

    WEIGHTS = 0
    VALUES = 1
    BIAS = 2
    PRUNER = 3
    ORDER = 4


Draw = Callable[[Key[Array, ""], Any], Any]


# Of these, the first entries of a longer draw are a shorter draw, so sizes can share programs.
_ENTRY_BY_ENTRY = (normal, uniform, mask_draws)
_SMALLEST = 64


def draw(
    function: Draw,
    shape: tuple[int, ...],
    purpose: Purpose,
    seeds: Int[np.ndarray, " networks"],
    as_array: Callable[[Any], Any] = np.asarray,
) -> Any:
    """Call `function(key, shape)` for each seed; networks go on the last axis of what it gives.

    Arrays are passed through `as_array`; random keys, which have no NumPy form, stay as they are.

    Examples:
        >>> draw(normal, (2, 3), Purpose.WEIGHTS, np.arange(4)).shape
        (2, 3, 4)
    """
    if function not in _ENTRY_BY_ENTRY:
        return jax.tree.map(
            lambda a: a if jnp.issubdtype(a.dtype, jax.dtypes.prng_key) else as_array(a),
            _draw(function, shape, purpose, seeds),
        )
    size = math.prod(shape)
    longer = max(_SMALLEST, 1 << (size - 1).bit_length()) if size else _SMALLEST
    flat = as_array(_draw(function, (longer,), purpose, seeds))
    return flat[:size].reshape(*shape, len(seeds))


@functools.partial(jax.jit, static_argnums=(0, 1, 2))
def _draw(function: Draw, shape: tuple[int, ...], purpose: Purpose, seeds: Array) -> Any:
    return jax.vmap(lambda key: function(key, shape), out_axes=-1)(keys_for(purpose, seeds))


def batch_order(task: Task, seeds: Int[np.ndarray, " networks"]) -> Int[Array, "steps batch ..."]:
    """The examples of every step, reshuffled each epoch, network by network."""
    return _orders(len(task.inputs), task.batch_size, task.epochs, seeds)


def epoch_order(
    keys: Key[Array, " networks"], epoch: Int[Array, ""], examples: int, batch: int
) -> Int[Array, "batches batch networks"]:
    """The examples of every batch of one epoch."""
    draws = jax.vmap(
        lambda key: jax.random.bits(jax.random.fold_in(key, epoch), (examples,)), out_axes=-1
    )(keys)
    order = _ranks(draws) if examples <= _RANK_AT_MOST else jnp.argsort(draws, axis=0)
    batches = examples // batch
    return order[: batches * batch].reshape(batches, batch, -1)


def keys_for(purpose: Purpose, seeds: Int[Array, " networks"]) -> Key[Array, " networks"]:
    """Each network's key for one purpose."""
    return jax.vmap(lambda seed: jax.random.fold_in(jax.random.key(seed), purpose))(seeds)


@functools.partial(jax.jit, static_argnums=(0, 1, 2))
def _orders(examples: int, batch: int, epochs: int, seeds: Array) -> Array:
    keys = keys_for(Purpose.ORDER, seeds)
    orders = jax.lax.map(lambda e: epoch_order(keys, e, examples, batch), jnp.arange(epochs))
    return orders.reshape(-1, batch, len(seeds))


def _ranks(draws: Array) -> Array:
    """The rank of each of a column of independent draws: a permutation drawn uniformly.

    Counting is much faster than sorting where many short columns lie side by side.
    """
    place = jnp.arange(draws.shape[0])[:, None]

    def count(index: Array, ranks: Array) -> Array:
        other = jax.lax.dynamic_index_in_dim(draws, index, 0)
        before = (other < draws) | ((other == draws) & (index < place))
        return ranks + before.astype(jnp.int32)

    return jax.lax.fori_loop(0, draws.shape[0], count, jnp.zeros(draws.shape, jnp.int32))


def check_seeds(seeds: Sequence[int] | np.ndarray) -> Int[np.ndarray, " networks"]:
    """Seeds as an array, or an error that names the first bad one.

    >>> check_seeds(range(3))
    array([0, 1, 2])
    >>> check_seeds([0, -1])
    Traceback (most recent call last):
        ...
    ValueError: seeds[1] is -1, but must be a whole number from 0 to 4294967295
    """
    array = np.asarray(seeds)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(f"seeds is {seeds!r}, but must be a list of at least one whole number")
    bad = np.flatnonzero((array < 0) | (array > 2**32 - 1))
    if bad.size:
        raise ValueError(
            f"seeds[{bad[0]}] is {array[bad[0]]}, but must be a whole number from 0 to {2**32 - 1}"
        )
    return array.astype(np.int64)
