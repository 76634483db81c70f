"""Running planned blocks: compiled once, on all cores or devices at once, in bounded memory."""

from __future__ import annotations

import collections
import concurrent.futures
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np

from orderedness.network import CompletePerceptron
from orderedness.training.block import Parameters, Trained, recorded
from orderedness.training.compiling import compiled
from orderedness.training.fill import fill
from orderedness.training.job import Job
from orderedness.training.outcome import Outcome
from orderedness.training.plan import PlannedBlock, Recording, plan

OnProgress = Callable[[int], None]
"""Called with the number of networks just finished."""


def train_jobs(
    jobs: Sequence[Job],
    recording: Recording = Recording(),  # noqa: B008  # frozen
    on_progress: OnProgress | None = None,
) -> Iterator[tuple[int, Outcome]]:
    """Train all networks of all jobs; yield each job's number and outcome when it is complete.

    Jobs of all kinds may be mixed; those that share a compiled program share blocks. At most a few
    blocks are in flight at a time, so memory is bounded by the jobs that are begun and not taken.

    Args:
        jobs: what to train.
        recording: how often losses and snapshots are recorded.
        on_progress: called with the number of networks finished since it was last called.

    Examples:
        >>> from orderedness.training import Experiment, xor
        >>> jobs = [Job(Experiment(xor(epochs=2), hidden=h), range(4)) for h in (1, 3)]
        >>> {number: len(outcome) for number, outcome in train_jobs(jobs)}
        {0: 4, 1: 4}
    """
    devices = jax.local_devices()
    kind = devices[0].platform
    # On a GPU one block is made ready, or brought home, while another is trained.
    workers = _cores() if kind == "cpu" else 2 * len(devices)
    partial: dict[int, _Assembly] = {}
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting: collections.deque[tuple[PlannedBlock, Any]] = collections.deque()

        def collect() -> Iterator[tuple[int, Outcome]]:
            planned, future = waiting.popleft()
            start, trained = future.result()
            offset = 0
            for segment in planned.segments:
                job = jobs[segment.job]
                assembly = partial.setdefault(segment.job, _Assembly(job, recording))
                assembly.add(segment.start, segment.stop, offset, start, trained)
                offset += segment.stop - segment.start
                if assembly.complete:
                    yield segment.job, partial.pop(segment.job).outcome()
            if on_progress:
                on_progress(offset)

        try:
            blocks = plan(jobs, recording, kind, _memory(devices[0]))
            for number, planned in enumerate(blocks):
                device = devices[number % len(devices)]
                waiting.append((planned, pool.submit(_run_block, planned, jobs, device)))
                if len(waiting) > (2 * workers if kind == "cpu" else workers):
                    yield from collect()
            while waiting:
                yield from collect()
        finally:
            for _, future in waiting:  # stopped early: let go of what has not begun
                future.cancel()


def _run_block(
    planned: PlannedBlock, jobs: Sequence[Job], device: jax.Device
) -> tuple[Parameters, Trained]:
    with jax.default_device(device):
        block = fill(planned, jobs, on_host=device.platform == "cpu")
        task = jobs[planned.segments[0].job].experiment.task
        arguments = (block, task.inputs, task.targets)
        program = compiled(planned.program, arguments, device)
        start, trained = jax.device_get((block.start, program(*arguments)))
        return start, trained


def _memory(device: jax.Device) -> int:
    """Bytes of memory that JAX may use on a device."""
    told = device.memory_stats() or {}
    return int(told.get("bytes_limit", 2**36))


def _cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Assembly:
    """The outcome of one job while its networks come in."""

    def __init__(self, job: Job, recording: Recording) -> None:
        self._job = job
        self._recording = recording
        self._missing = len(job.seeds)
        self._arrays: Any = None  # (initial, trained), NumPy's

    @property
    def complete(self) -> bool:
        return self._missing == 0

    def add(self, start: int, stop: int, offset: int, initial: Parameters, block: Trained) -> None:
        """Take networks `offset` onwards of a block as networks `start` to `stop` of the job."""
        total = len(self._job.seeds)
        if self._arrays is None:
            self._arrays = jax.tree.map(
                lambda a: np.empty((*a.shape[:-1], total), a.dtype), (initial, block)
            )
        chosen = slice(offset, offset + stop - start)

        def copy(whole: np.ndarray, part: np.ndarray) -> None:
            whole[..., start:stop] = part[..., chosen]

        jax.tree.map(copy, self._arrays, (initial, block))
        self._missing -= stop - start

    def outcome(self) -> Outcome:
        assert self._arrays is not None
        initial, trained = self._arrays
        experiment, every = self._job.experiment, self._recording
        steps = experiment.task.steps

        def layer(parameters: Parameters) -> CompletePerceptron:
            return CompletePerceptron(
                *parameters,
                outputs=experiment.outputs,
                iterations=experiment.iterations,
                activation=experiment.activation,
            )

        return Outcome(
            experiment=experiment,
            seeds=np.asarray(self._job.seeds),
            initial=layer(initial),
            final=layer(trained.end),
            losses=trained.losses,
            loss_steps=np.arange(recorded(steps, every.loss_every)) * every.loss_every,
            final_loss=trained.final_loss,
            snapshots=trained.snapshots,
            snapshot_steps=_taken(steps, every.snapshot_every),
        )


def _taken(steps: int, every: int) -> np.ndarray:
    return np.arange(recorded(steps, every)) * every if every else np.zeros(0, int)
