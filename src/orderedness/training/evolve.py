"""The iterations of the layer with a gradient of their own, for the inner loop of training."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from orderedness.network import Activation
from orderedness.network.product import by_weights, sent_back, weighted_sum

Saved = tuple[Array, Array, Array, Array]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def evolve(
    activation: Activation,
    iterations: int,
    weights: Float[Array, "units units ..."],
    drive: Float[Array, "batch units ..."],
    values: Float[Array, "units ..."],
    idle: Int[Array, "..."],
) -> Float[Array, "batch units ..."]:
    r"""Repeat \(s \leftarrow \sigma(s W_s^\top + d)\) from \(s = v\), as often as each asks.

    A network sits out the first `idle` of the compiled `iterations`, so that networks that iterate
    less share a program with those that iterate more; what all of them sit out is not computed.
    The reverse pass walks back over the saved states: loops, unlike written-out iterations, keep
    compilers from computing one iteration inside the next again and again.

    Examples:
        >>> weights, drive, values = jnp.ones((1, 1)), jnp.zeros((1, 1)), jnp.ones(1)
        >>> double = lambda z: 2 * z
        >>> [float(evolve(double, 5, weights, drive, values, jnp.array(i))[0, 0]) for i in (0, 3)]
        [32.0, 4.0]
    """
    return _forward(activation, iterations, weights, drive, values, idle)[0]


def evolve_written_out(
    activation: Activation,
    iterations: int,
    weights: Float[Array, "units units ..."],
    drive: Float[Array, "batch units ..."],
    values: Float[Array, "units ..."],
) -> Float[Array, "batch units ..."]:
    """The same for networks that all iterate as often as was compiled, with no loop left.

    On a GPU the loop costs more than the arithmetic in it.
    """
    state = jnp.broadcast_to(values, drive.shape)
    for _ in range(iterations):
        state = activation(weighted_sum(weights, state) + drive)
    return state


def _forward(
    activation: Activation,
    iterations: int,
    weights: Array,
    drive: Array,
    values: Array,
    idle: Array,
) -> tuple[Array, Saved]:
    start = jnp.broadcast_to(values, drive.shape)

    def iterate(time: Array, carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        state, states, slopes = carry
        now, pull = jax.vjp(activation, weighted_sum(weights, state) + drive)
        [slope] = pull(jnp.ones_like(now))  # σ is element-wise, so this is σ' at each element
        states = jax.lax.dynamic_update_index_in_dim(states, state, time, 0)
        slopes = jax.lax.dynamic_update_index_in_dim(slopes, slope, time, 0)
        return jnp.where(time >= idle, now, state), states, slopes

    saved = jax.lax.empty((iterations, *drive.shape), drive.dtype)
    end, states, slopes = jax.lax.fori_loop(
        jnp.min(idle), iterations, iterate, (start, saved, saved)
    )
    return end, (weights, idle, states, slopes)


def _backward(
    activation: Activation, iterations: int, saved: Saved, slope: Array
) -> tuple[Array, Array, Array, None]:
    weights, idle, states, slopes = saved

    def received_at(time: Array | int, by_state: Array) -> Array:
        """The gradient by what units receive at `time`, given that by the state it leads to."""
        return jnp.where(time >= idle, by_state * slopes[time], 0)

    def iterate(back: Array, carry: tuple[Array, ...]) -> tuple[Array, ...]:
        # `state` and `received` are carried, not computed where they are used: compilers would
        # fuse them into the sums and compute them again for each term.
        state, received, by_state, by_drive, so_far = carry
        time = iterations - 1 - back
        so_far = so_far + by_weights(received, state)
        by_state = jnp.where(time >= idle, sent_back(weights, received), by_state)
        before = received_at(time - 1, by_state)
        return states[time - 1], before, by_state, by_drive + received, so_far

    last = received_at(iterations - 1, slope)
    begin = (states[-1], last, slope, jnp.zeros_like(slope), jnp.zeros_like(weights))
    count = iterations - jnp.min(idle)
    *_, by_state, by_drive, so_far = jax.lax.fori_loop(0, count, iterate, begin)
    by_values = functools.reduce(jnp.add, by_state)  # over the batch, in order
    return so_far, by_drive, by_values, None


evolve.defvjp(_forward, _backward)
