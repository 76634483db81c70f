"""Filling a planned block with numbers: what is drawn, what was given, what the pruner will do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from orderedness.training.block import Block, Parameters
from orderedness.training.draw import Draw, Purpose, batch_order, draw
from orderedness.training.experiment import Experiment
from orderedness.training.job import Job
from orderedness.training.optimiser import as_optimiser
from orderedness.training.plan import PlannedBlock


def fill(planned: PlannedBlock, jobs: Sequence[Job], *, on_host: bool = True) -> Block:
    """The block's arrays, each `planned.width` networks wide.

    A block that is not full repeats its last network: nobody sees the copies.

    Args:
        planned: which networks.
        jobs: of all of them.
        on_host: make NumPy's arrays; else they stay on the device where they were drawn.
    """
    parts = [
        _part(jobs[s.job], slice(s.start, s.stop), planned, np if on_host else jnp)
        for s in planned.segments
    ]
    return _side_by_side(parts, planned.width)


def _part(job: Job, chosen: slice, planned: PlannedBlock, arrays: Any) -> Block:
    """The arrays, of NumPy or of JAX, of some networks of one job."""
    experiment = job.experiment
    seeds = np.asarray(job.seeds)[chosen]
    # Draws are compiled for whole blocks, so that a part of any size uses the same program.
    padded = np.pad(seeds, (0, planned.width - len(seeds)), mode="edge").astype(np.uint32)

    def drawn(function: Draw, shape: tuple[int, ...], purpose: Purpose) -> Any:
        whole = draw(function, shape, purpose, padded, arrays.asarray)
        return jax.tree.map(lambda array: array[..., : len(seeds)], whole)

    if job.initial is None:
        start = _draw_start(experiment, drawn)
    else:
        given = Parameters(job.initial.weights, job.initial.values, job.initial.bias)
        start = jax.tree.map(lambda array: arrays.asarray(array, np.float32)[..., chosen], given)
    prepared = None
    if job.masks is not None:
        # Draws that are below any sparsity where the mask says so, and above any elsewhere.
        prepared = arrays.where(arrays.asarray(job.masks)[..., chosen], -1, 2).astype(np.float32)
    elif experiment.pruner.preparation is not None:
        prepared = drawn(experiment.pruner.preparation, experiment.shape, Purpose.PRUNER)
    if job.order is not None:
        order = arrays.asarray(job.order, np.int32)[..., chosen]
    elif experiment.task.batch_size < len(experiment.task.inputs):
        order = arrays.asarray(batch_order(experiment.task, padded))[..., : len(seeds)]
    else:
        order = None
    amounts = experiment.pruner.amounts(experiment.task.progress, experiment.shape)
    numbers = as_optimiser(experiment.optimiser).numbers
    idle = planned.program.iterations - experiment.iterations
    return Block(
        start=start,
        prepared=prepared,
        amounts=arrays.repeat(arrays.asarray(amounts)[:, None], len(seeds), axis=1),
        numbers={name: np.full(len(seeds), value, np.float32) for name, value in numbers},
        idle=np.full(len(seeds), idle, np.int32) if planned.program.waits else None,
        order=order,
    )


def _draw_start(experiment: Experiment, drawn: Any) -> Parameters:
    shape = experiment.shape
    bias = experiment.bias
    return Parameters(
        drawn(experiment.weights, shape, Purpose.WEIGHTS),
        drawn(experiment.values, shape[:1], Purpose.VALUES),
        None if bias is None else drawn(bias, shape[:1], Purpose.BIAS),
    )


def _side_by_side(parts: Sequence[Block], width: int) -> Block:
    def join(*arrays: Any) -> Any:
        missing = width - sum(array.shape[-1] for array in arrays)
        made: Any = np if isinstance(arrays[0], np.ndarray) else jnp
        if missing:
            last = arrays[-1][..., -1:]
            arrays = (*arrays, made.broadcast_to(last, (*last.shape[:-1], missing)))
        return arrays[0] if len(arrays) == 1 else made.concatenate(arrays, axis=-1)

    return jax.tree.map(join, *parts)
