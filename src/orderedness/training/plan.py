"""The plan of a population: which networks are trained in which block.

Everything that shapes the arithmetic (program, layout, width) is decided here, from one experiment
at a time, so that a network's bits never depend on what else was asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from orderedness.training.block import Program
from orderedness.training.experiment import Experiment
from orderedness.training.job import Job
from orderedness.training.optimiser import as_optimiser

# Compiled iterations: few, so that T = 1 to 10 share a program. On a CPU waiting costs next to
# nothing; a GPU pays for the loop itself, so there few iterations are written out.
_ITERATIONS = (10, 32, 128)
# From this many units on, batched matrix products beat multiply-and-add (benchmarks/bench_growth).
BATCHED_FROM = 40


@dataclasses.dataclass(frozen=True)
class Recording:
    """What is recorded while training, and whether training may be fused into one kernel."""

    loss_every: int = 1
    snapshot_every: int = 0
    fused: bool = False


@dataclasses.dataclass(frozen=True)
class Segment:
    """Networks `start` to `stop` of job number `job`."""

    job: int
    start: int
    stop: int


@dataclasses.dataclass(frozen=True)
class PlannedBlock:
    """Networks that are trained together."""

    program: Program
    width: int
    segments: tuple[Segment, ...]


def program_of(experiment: Experiment, recording: Recording, kind: str) -> Program:
    """What must be compiled for an experiment on a device of this kind."""
    needed = experiment.iterations
    waits = kind == "cpu" or needed > _ITERATIONS[0]
    batched = experiment.shape[0] >= BATCHED_FROM
    simple = not (waits or batched or recording.snapshot_every)
    return Program(
        outputs=experiment.outputs,
        iterations=next((n for n in _ITERATIONS if n >= needed), needed) if waits else needed,
        waits=waits,
        activation=experiment.activation,
        make=as_optimiser(experiment.optimiser).make,
        projection=experiment.pruner.projection,
        learns=experiment.task.learns,
        loss_every=recording.loss_every,
        snapshot_every=recording.snapshot_every,
        batched=batched,
        fused=recording.fused and simple,
    )


def width_of(experiment: Experiment, recording: Recording, kind: str, memory: int = 2**36) -> int:
    """How many networks of an experiment a block holds on a device of this kind and memory.

    On a CPU a block's parameters, moments and states should stay in the cache of one core; on a
    GPU there must be enough networks to fill it, and room for what goes in and comes out: some
    blocks are under way at a time, and compilers take room of their own.

    >>> from orderedness.training import xor
    >>> usual = Recording()
    >>> [width_of(Experiment(xor(), hidden=h), usual, "cpu") for h in (5, 100)]
    [256, 8]
    >>> [width_of(Experiment(xor()), usual, "gpu", bytes) for bytes in (2**36, 2**32)]
    [131072, 8192]
    """
    rows, columns = experiment.shape
    task = experiment.task
    floats = 4 * rows * (columns + 1) + 8 * task.batch_size * rows
    if kind == "cpu":
        budget, least, most = 2**18, 4, 256
    else:
        floats += task.steps * (2 + task.batch_size)  # losses, amounts, order
        floats += 2 * experiment.iterations * task.batch_size * rows
        if recording.snapshot_every:
            floats += task.steps // recording.snapshot_every * rows * columns
        budget, least, most = memory // 4 // 32, 1, 2**17
    return int(np.clip(2 ** int(np.log2(max(budget // floats, 1)) + 1), least, most))


def kin(experiment: Experiment, recording: Recording, kind: str) -> object:
    """What experiments must have in common for their networks to share blocks; can be compared.

    >>> from orderedness.pruning import TopK
    >>> from orderedness.training import xor
    >>> task = xor()
    >>> arms = [Experiment(task, pruner=TopK(0.1)), Experiment(task, pruner=TopK(0.9))]
    >>> len({kin(arm, Recording(), "cpu") for arm in [*arms, Experiment(task)]})
    2
    """
    return (
        program_of(experiment, recording, kind),
        experiment.task.fingerprint,
        experiment.shape,
        experiment.bias is not None,
        tuple(name for name, _ in as_optimiser(experiment.optimiser).numbers),
    )


def plan(
    jobs: Sequence[Job], recording: Recording, kind: str, memory: int = 2**36
) -> Iterator[PlannedBlock]:
    """Group networks that can share a program, and cut each group into blocks in order."""
    groups: dict[object, list[int]] = {}
    for index, job in enumerate(jobs):
        same = (kin(job.experiment, recording, kind), job.order is not None)
        groups.setdefault(same, []).append(index)
    for members in groups.values():
        experiment = jobs[members[0]].experiment
        width = width_of(experiment, recording, kind, memory)
        program = program_of(experiment, recording, kind)
        for segments in _cut(members, [len(jobs[index].seeds) for index in members], width):
            yield PlannedBlock(program, width, segments)


def _cut(jobs: list[int], sizes: list[int], width: int) -> Iterator[tuple[Segment, ...]]:
    """Fill blocks of `width` networks, job after job.

    >>> [[(s.job, s.start, s.stop) for s in block] for block in _cut([0, 4], [3, 2], 4)]
    [[(0, 0, 3), (4, 0, 1)], [(4, 1, 2)]]
    """
    block: list[Segment] = []
    room = width
    for job, size in zip(jobs, sizes, strict=True):
        start = 0
        while start < size:
            stop = min(size, start + room)
            block.append(Segment(job, start, stop))
            room -= stop - start
            start = stop
            if room == 0:
                yield tuple(block)
                block, room = [], width
    if block:
        yield tuple(block)
