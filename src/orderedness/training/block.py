"""The compiled program: a block of networks, from initial parameters to trained ones.

Everything here is written for one network with any number of trailing axes that enumerate more of
them. Nothing depends on which networks share a block.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from orderedness.network import Activation, CompletePerceptron
from orderedness.pruning.pruners import Projection
from orderedness.training import optimiser
from orderedness.training.evolve import evolve, evolve_written_out


class Parameters(NamedTuple):
    """What is trained."""

    weights: Float[Array, "units sources ..."]
    values: Float[Array, "units ..."]
    bias: Float[Array, "units ..."] | None


@dataclasses.dataclass(frozen=True)
class Program:
    """What is fixed when a program is compiled; networks that share it can share a block.

    Attributes:
        outputs: output units.
        iterations: iterations compiled, at least those of every network in the block.
        waits: whether networks may iterate less often than that; else nothing is left of the loop.
        activation: σ.
        make: the optax constructor.
        projection: the compiled half of the pruner.
        learns: whether the optimiser steps at all.
        loss_every: record the loss before every n-th step.
        snapshot_every: record W before every n-th step, or 0 for never.
        batched: whether networks are trained by batched matrix products (for large layers)
            instead of multiply-and-add over vectors of networks.
        fused: whether training is one kernel, where that is possible.
    """

    outputs: int
    iterations: int
    waits: bool
    activation: Activation
    make: Callable[..., Any]
    projection: Projection
    learns: bool
    loss_every: int
    snapshot_every: int
    batched: bool
    fused: bool


class Block(NamedTuple):
    """What differs from network to network, on the last axis; NumPy's arrays before they run."""

    start: Parameters
    prepared: Any  # what the pruner drew for each network
    amounts: Any  # (steps, networks): what the pruner does at each step
    numbers: dict[str, Any]  # (networks,): the optimiser's numbers
    idle: Any  # (networks,): compiled iterations that a network sits out; None where none does
    order: Any  # (steps, batch, networks): examples of each step; None for all of them


class Trained(NamedTuple):
    """What comes out of a block."""

    end: Parameters
    losses: Float[Array, "recorded ..."]  # before the update
    final_loss: Float[Array, "..."]  # on all examples, after the last pruning
    snapshots: Float[Array, "snapshots units sources ..."] | None


def run(program: Program, block: Block, inputs: Array, targets: Array) -> Trained:
    """Train a block of networks."""
    if not program.batched:
        return _train(program, block, inputs, targets)
    axes = jax.tree.map(lambda _: -1, block)
    one = jax.vmap(_train, in_axes=(None, axes, None, None), out_axes=-1)
    trained: Trained = one(program, block, inputs, targets)
    return trained


class _Carry(NamedTuple):
    now: Parameters
    optimiser: Any
    losses: Array
    snapshots: Array | None


def _train(program: Program, block: Block, inputs: Array, targets: Array) -> Trained:
    steps = block.amounts.shape[0]
    axes = block.start.weights.ndim - 2

    def step(carry: _Carry, moment: tuple[Array, Array, Array | None]) -> tuple[_Carry, None]:
        index, amount, rows = moment
        x, y = _examples(inputs, targets, rows, axes)
        now, snapshots = carry.now, carry.snapshots
        if snapshots is not None:
            snapshots = _record(snapshots, now.weights, index, program.snapshot_every)
        losses, slopes = loss_and_slopes(program, now, block.idle, x, y)
        now, state = advance(program, now, carry.optimiser, slopes, amount, block)
        losses = _record(carry.losses, losses, index, program.loss_every)
        return _Carry(now, state, losses, snapshots), None

    networks = block.start.weights.shape[2:]
    every, each = program.loss_every, program.snapshot_every
    begin = _Carry(
        block.start,
        optimiser.init(program.make, block.numbers, block.start, axes),
        jnp.zeros((recorded(steps, every) + 1, *networks)),
        jnp.zeros((recorded(steps, each) + 1, *block.start.weights.shape)) if each else None,
    )
    last, _ = jax.lax.scan(step, begin, (jnp.arange(steps), block.amounts, block.order))
    x, y = _examples(inputs, targets, None, axes)
    return Trained(
        last.now,
        last.losses[:-1],
        loss(program, last.now, block.idle, x, y),
        None if last.snapshots is None else last.snapshots[:-1],
    )


def loss_and_slopes(
    program: Program, now: Parameters, idle: Array | None, x: Array, y: Array
) -> tuple[Array, Parameters | None]:
    """Each network's loss, and its slope by each parameter if the program learns."""

    def total(now: Parameters) -> tuple[Array, Array]:
        losses = loss(program, now, idle, x, y)
        return jnp.sum(losses), losses  # each network's slope is its own: none shares a term

    if not program.learns:
        return total(now)[1], None
    (_, losses), slopes = jax.value_and_grad(total, has_aux=True)(now)
    return losses, slopes


def advance(
    program: Program,
    now: Parameters,
    state: Any,
    slopes: Parameters | None,
    amount: Array,
    block: Block,
) -> tuple[Parameters, Any]:
    """The optimiser's step, if the program learns, and pruning."""
    if slopes is not None:
        axes = now.weights.ndim - 2
        now, state = optimiser.update(program.make, block.numbers, slopes, state, now, axes)
    return now._replace(weights=program.projection(now.weights, amount, block.prepared)), state


def recorded(steps: int, every: int) -> int:
    """How many of `steps` are recorded when every n-th is, the first included.

    >>> recorded(10, 1), recorded(10, 4), recorded(9, 4)
    (10, 3, 3)
    """
    return (steps - 1) // every + 1


def _record(record: Array, now: Array, index: Array, every: int) -> Array:
    """Write `now` into the row of the next recorded step.

    Steps between recorded ones write there too and are overwritten: cheaper than a branch. Those
    after the last one land in a spare row at the end.
    """
    return jax.lax.dynamic_update_index_in_dim(record, now, (index + every - 1) // every, 0)


def _examples(inputs: Array, targets: Array, rows: Array | None, axes: int) -> tuple[Array, Array]:
    """The examples (batch, features, *networks) of one step."""

    def pick(examples: Array) -> Array:
        if rows is None:
            return examples.reshape(*examples.shape, *(1 for _ in range(axes)))
        return jnp.stack([column[rows] for column in examples.T], axis=1)

    return pick(inputs), pick(targets)


def loss(program: Program, now: Parameters, idle: Array | None, x: Array, y: Array) -> Array:
    """The mean squared error of each network."""
    layer = CompletePerceptron(
        *now,
        outputs=program.outputs,
        iterations=program.iterations,
        activation=program.activation,
    )
    recurrent = layer.weights[:, : layer.units]
    start = program.activation, program.iterations, recurrent, layer.drive(x), layer.values
    state = evolve_written_out(*start) if idle is None else evolve(*start, idle)
    error = state[:, : program.outputs] - y
    return jnp.mean(error * error, axis=(0, 1))
