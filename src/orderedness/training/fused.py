"""The whole training of a network in one GPU kernel, one network a thread.

The plain path passes over all parameters in memory several times a step. Here each thread reads
the parameters of one network, holds them in registers, trains them to the end and writes them
once. The arithmetic is that of `block`, computed number by number, one example after the other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jaxtyping import Array

from orderedness.training import optimiser
from orderedness.training.block import (
    Block,
    Parameters,
    Program,
    Trained,
    advance,
    loss_and_slopes,
    recorded,
)
from orderedness.training.lanes import Lanes, Later, Numbers, Places, spread

LANES = 32  # networks a kernel instance: one warp, so that few networks fill the chip, too

Entries = tuple[Lanes, ...]
Ref = Any
"""A table in memory: a row for each number of a network, a column for each network."""


class _Written(NamedTuple):
    """What a kernel writes."""

    end: Any
    losses: Any
    final: Any


def run_fused(
    program: Program, block: Block, inputs: Array, targets: Array, *, interpret: bool = False
) -> Trained:
    """Train a block of networks as `block.run` does, to rounding.

    Args:
        program: one in which no network waits and nothing but losses is recorded.
        block: its networks.
        inputs: (examples, inputs).
        targets: (examples, outputs).
        interpret: run on any device, slowly, for tests.
    """
    networks = block.start.weights.shape[-1]
    lanes = math.gcd(networks, LANES)
    steps = block.amounts.shape[0]

    def table(shape: tuple[int, ...], dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct((math.prod(shape), networks), dtype)

    one = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape[:-1], leaf.dtype), block)
    state = _begin(program, one.numbers, one.start) if program.learns else None
    written = _Written(
        jax.tree.map(lambda leaf: table(leaf.shape, leaf.dtype), one.start),
        table((recorded(steps, program.loss_every) + 1,)),
        table((1,)),
    )
    read = jax.tree.map(lambda leaf: leaf.reshape(-1, networks), block)
    columns = functools.partial(jax.tree.map, functools.partial(_columns, lanes))
    trained = pl.pallas_call(
        functools.partial(_kernel, program, one, state, (inputs.shape, targets.shape), (lanes,)),
        out_shape=written,
        grid=(networks // lanes,),
        in_specs=[_whole(inputs), _whole(targets), columns(read)],
        out_specs=columns(written),
        interpret=interpret,
        **({} if interpret else _one_warp()),
    )(inputs, targets, read)
    end = jax.tree.map(lambda leaf, like: leaf.reshape(like.shape), trained.end, block.start)
    return Trained(end, trained.losses[:-1], trained.final[0], None)


def _kernel(
    program: Program,
    one: Block,
    state: Any,
    shapes: tuple[tuple[int, ...], tuple[int, ...]],
    lanes: tuple[int, ...],
    inputs: Ref,
    targets: Ref,
    read: Block,
    *into: Any,
) -> None:
    """What a thread does.

    Args:
        program: what is computed.
        one: shapes and types of what belongs to one network.
        state: likewise of its optimiser's state, or None if it does not learn.
        shapes: of inputs and targets.
        lanes: the shape of a number.
        inputs: where examples are read.
        targets: likewise.
        read: where the block is read.
        into: where results go, as in `_Written`.
    """
    written = _Written(*into)

    def example(numbers: Numbers, row: Any) -> tuple[Places, Places]:
        x, y = (
            numbers.add_all([ref[row, column] for column in range(shape[1])], (1, shape[1]))
            for ref, shape in zip((inputs, targets), shapes, strict=True)
        )
        return x, y

    def mean_slopes(now: Entries, row: Callable[[Array], Any], count: int) -> tuple[Lanes, Entries]:
        """The mean loss over the examples in some rows, and its slopes if the program learns."""

        def add(which: Array, total: Entries) -> Entries:
            numbers = Numbers()
            found = numbers.trace(
                lambda now, x, y: loss_and_slopes(program, now, None, x, y),
                _placed(numbers, now, one.start),
                *example(numbers, row(which)),
            )
            return tuple(map(jnp.add, total, _all(numbers, found, lanes)))

        zero = spread(np.float32(0), lanes)
        begin = (zero,) * (1 + (len(now) if program.learns else 0))
        share = np.float32(1 / count)
        loss, *slopes = (x * share for x in jax.lax.fori_loop(0, count, add, begin))
        return loss, tuple(slopes)

    def step(index: Array, carry: tuple[Entries, Entries]) -> tuple[Entries, Entries]:
        def row(which: Array) -> Any:
            return which if read.order is None else read.order[index * one.order.shape[1] + which]

        now, moments = carry
        batch = shapes[0][0] if one.order is None else one.order.shape[1]
        loss, slopes = mean_slopes(now, row, batch)
        written.losses[(index + program.loss_every - 1) // program.loss_every] = loss
        numbers = Numbers()
        block = Block(
            _placed(numbers, now, one.start),
            _loaded(numbers, read.prepared, one.prepared),
            numbers.add_all([read.amounts[index]], ()),
            _loaded(numbers, read.numbers, one.numbers),
            None,
            None,
        )
        now, moments = numbers.trace(
            lambda block, state, slopes: advance(
                program, block.start, state, slopes, block.amounts, block
            ),
            block,
            _placed(numbers, moments, state),
            _placed(numbers, slopes, one.start) if program.learns else None,
        )
        return _all(numbers, now, lanes), _all(numbers, moments, lanes)

    numbers = Numbers()
    start, moments = _loaded(numbers, read.start, one.start), None
    if program.learns:
        rates = _loaded(numbers, read.numbers, one.numbers)
        moments = numbers.trace(
            functools.partial(optimiser.init, program.make, axes=0), rates, start
        )
    begin = _all(numbers, start, lanes), _all(numbers, moments, lanes)
    end, _ = jax.lax.fori_loop(0, one.amounts.shape[0], step, begin)
    rows = iter(end)
    for ref, like in zip(jax.tree.leaves(written.end), jax.tree.leaves(one.start), strict=True):
        for row in range(math.prod(like.shape)):
            ref[row] = next(rows)
    written.final[0] = mean_slopes(end, lambda which: which, shapes[0][0])[0]


def _begin(program: Program, rates: Any, start: Parameters) -> Any:
    """Shapes and types of an optimiser's state."""
    return jax.eval_shape(functools.partial(optimiser.init, program.make, axes=0), rates, start)


def _loaded(numbers: Numbers, refs: Any, like: Any) -> Any:
    """Places of what is in memory, read when it is first needed."""

    def leaf(ref: Ref, like: jax.ShapeDtypeStruct) -> Places:
        rows = range(math.prod(like.shape))
        entries = [Later(functools.partial(ref.__getitem__, row), (), like.dtype) for row in rows]
        return numbers.add_all(entries, like.shape)

    return jax.tree.map(leaf, refs, like)


def _placed(numbers: Numbers, entries: Entries, like: Any) -> Any:
    """Places of entries that are at hand."""
    rest = iter(entries)

    def leaf(like: jax.ShapeDtypeStruct) -> Places:
        return numbers.add_all([next(rest) for _ in range(math.prod(like.shape))], like.shape)

    return jax.tree.map(leaf, like)


def _all(numbers: Numbers, tree: Any, lanes: tuple[int, ...]) -> Entries:
    leaves = jax.tree.leaves(tree)
    return tuple(spread(numbers[place], lanes) for leaf in leaves for place in leaf.flat)


def _whole(array: Any) -> pl.BlockSpec:
    return pl.BlockSpec(array.shape, lambda _: (0,) * len(array.shape))


def _columns(lanes: int, array: Any) -> pl.BlockSpec:
    return pl.BlockSpec((array.shape[0], lanes), lambda place: (0, place))


def _one_warp() -> dict[str, Any]:
    from jax.experimental.pallas import triton

    return {"compiler_params": triton.CompilerParams(num_warps=1, num_stages=1)}
