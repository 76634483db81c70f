"""A pruner as the last link of an `optax.chain`, for people with a training loop of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Float, Int, Key

from orderedness import _checks
from orderedness.pruning.pruners import Pruner


class PruningState(NamedTuple):
    """How many steps were taken, and what was prepared for each matrix."""

    step: Int[Array, ""]
    prepared: tuple[Any, ...]


def prune_with(
    pruner: Pruner,
    *,
    progress: Float[np.ndarray, " steps"],
    key: Key[Array, ""],
    where: Callable[[Any], Any] = lambda params: params,
) -> optax.GradientTransformation:
    """Make a gradient transformation that changes updates so that they lead to pruned weights.

    Put it last: after `optax.apply_updates`, the chosen matrices are what the pruner makes of
    them. Each is pruned by itself; weights it zeroes come out as exactly zero.

    Args:
        pruner: what to take away.
        progress: the progress, 0 to 1, at each step of your loop, for instance
            `numpy.arange(steps) / steps`; beyond its end the last one holds.
        key: for pruners that draw something.
        where: picks the matrix, or a tuple of matrices, from the parameters.

    Examples:
        >>> from orderedness.pruning import TopK
        >>> steps = 10
        >>> link = prune_with(TopK(0.5), progress=np.arange(steps) / steps, key=jax.random.key(0))
        >>> optimiser = optax.chain(optax.adam(0.01), link)
        >>> params = jnp.array([[3.0, -1.0], [2.0, -4.0]])
        >>> state = optimiser.init(params)
        >>> updates, state = optimiser.update(jnp.ones((2, 2)), state, params)
        >>> np.asarray(optax.apply_updates(params, updates)).tolist()[0][1]
        0.0
    """
    progress = _checks.finite("progress", progress)
    if progress.ndim != 1 or progress.size == 0 or progress.min() < 0 or progress.max() > 1:
        raise ValueError(
            f"progress has shape {progress.shape}, but must be a list of numbers from 0 to 1, "
            "one a step"
        )

    def chosen(tree: Any) -> tuple[Array, ...]:
        matrices = where(tree)
        return tuple(matrices) if isinstance(matrices, tuple | list) else (matrices,)

    def init(params: Any) -> Any:
        for place, matrix in enumerate(chosen(params)):
            if jnp.ndim(matrix) != 2:
                raise ValueError(
                    f"where picks an array of shape {jnp.shape(matrix)} in place {place}, but "
                    "pruning is of matrices"
                )
        prepare = pruner.preparation
        prepared = tuple(
            None if prepare is None else prepare(jax.random.fold_in(key, place), matrix.shape)
            for place, matrix in enumerate(chosen(params))
        )
        return PruningState(jnp.zeros((), jnp.int32), prepared)

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        if params is None:
            raise ValueError(
                "params is None, but pruning needs them: call update(updates, state, params)"
            )
        now = jnp.minimum(state.step, len(progress) - 1)
        pruned = []
        for matrix, change, prepared in zip(
            chosen(params), chosen(updates), state.prepared, strict=True
        ):
            amounts = jnp.asarray(pruner.amounts(progress, _shape(matrix)))
            pruned.append(pruner.projection(matrix + change, amounts[now], prepared) - matrix)
        single = not isinstance(where(updates), tuple | list)
        updates = eqx.tree_at(where, updates, pruned[0] if single else tuple(pruned))
        return updates, PruningState(state.step + 1, state.prepared)

    return optax.GradientTransformation(init, update)


def _shape(matrix: Array) -> tuple[int, int]:
    return (matrix.shape[0], matrix.shape[1])
