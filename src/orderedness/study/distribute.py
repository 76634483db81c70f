"""Handing out the blocks of a study to an executor's workers, and taking failures as they come."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import queue
import uuid
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import Any

import polars as pl

from orderedness.study.crew import Crew, meet
from orderedness.study.failed import FailedError, Failure
from orderedness.study.greeting import UnlikeError
from orderedness.study.manifest import Place
from orderedness.study.packing import pack
from orderedness.study.part import decode
from orderedness.study.plan import Block, Study
from orderedness.study.record import Record
from orderedness.study.store import Store
from orderedness.study.worker import Delivery, Errand, Trouble, work
from orderedness.training import OnProgress, Recording
from orderedness.training.plan import kin, width_of

TRIES = 3
_OUT = 1000  # tasks handed out at a time


def elsewhere(
    study: Study, store: Store, report: OnProgress, executor: Executor, *, mixed_devices: bool
) -> tuple[dict[Place, pl.DataFrame], dict[Place, str]]:
    """The rows of all blocks of a study, and the device of each; an executor's workers compute.

    Args:
        study: what to run.
        store: where they write, and what they wrote is read.
        report: told the networks found, then those of each finished task.
        executor: through which they are reached.
        mixed_devices: whether their devices may differ.
    """
    crew = meet(executor, store, mixed_devices=mixed_devices)
    blocks = study.blocks()
    stored = [block.place for block in blocks if not block.why_not_stored]
    found, devices = store.read_any(stored, crew.settings)
    report(sum(rows.height for rows in found.values()))
    absent = [block for block in blocks if block.place not in found]
    settings = dict.fromkeys(crew.settings)
    failures = []
    for group, end in distribute(absent, study.record, store, executor, crew):
        if isinstance(end, Failed):
            failures += [end.of(block, _arm(study, block)) for block in group]
            continue
        settings[end.setting] = None
        for place, data in end.rows.items():
            found[place], devices[place] = decode(data)[0], end.setting.device
        report(sum(map(len, group)))
    if failures:
        raise FailedError(study.name, failures, len(blocks))
    rest = [place for place in stored if place not in found]
    rows, computed_on = store.read_any(rest, settings)
    if len(rows) < len(rest):
        raise OSError(
            f"{len(rest) - len(rows)} of the {len(blocks)} blocks of study {study.name!r} were "
            f"written to {store.where}, but are not there now: run the same again"
        )
    return found | rows, devices | computed_on


def _arm(study: Study, block: Block) -> str:
    """The labels of the first arm that asks for a block."""
    asked = (arm.labels for arm in study.arms if arm.experiment is block.experiment)
    return str(dict(next(asked)))


@dataclasses.dataclass(frozen=True)
class _Task:
    blocks: tuple[Block, ...]
    tries: int = 1  # this one counted


def distribute(
    blocks: Sequence[Block], record: Record, store: Store, executor: Executor, crew: Crew
) -> Iterator[tuple[tuple[Block, ...], Delivery | Failed]]:
    """Have blocks computed and stored; give those of each task when it is finished, or given up.

    A task that fails is tried three times in all, its blocks one by one from the second time on.

    Args:
        blocks: what is missing.
        record: what is recorded of each network.
        store: where the workers write.
        executor: through which they are reached.
        crew: what they are.
    """
    packed = {}
    for block in blocks:
        if block.place.key not in packed:
            packed[block.place.key] = pack(block.experiment)
    waiting = collections.deque(_Task(group) for group in groups(blocks, record, crew))
    out: dict[Future[Delivery | Trouble], _Task] = {}
    back: queue.SimpleQueue[Future[Delivery | Trouble]] = queue.SimpleQueue()

    def hand_out(task: _Task) -> None:
        errand = Errand(
            uuid.uuid4().hex,
            store.files.address,
            record,
            tuple((packed[b.place.key], b.place, b.why_not_stored) for b in task.blocks),
            crew.versions,
            crew.setting,
            crew.mixed_devices,
        )
        future = executor.submit(work, errand)
        out[future] = task
        future.add_done_callback(back.put)

    try:
        while waiting or out:
            while waiting and len(out) < _OUT:
                hand_out(waiting.popleft())
            future = back.get()
            task = out.pop(future)
            end = _end(future)
            if isinstance(end, Delivery):
                yield task.blocks, end
            elif end.unlike:
                raise UnlikeError(end.reason)
            elif task.tries < TRIES and (len(task.blocks) > 1 or not end.deadly):
                again = (_Task((block,), task.tries + 1) for block in task.blocks)
                waiting.extendleft(again)
            elif end.files:
                raise OSError(end.reason)  # what cannot be written here can be nowhere
            else:
                yield task.blocks, Failed(task.tries, end.reason)
    finally:
        for future in out:
            future.cancel()


@dataclasses.dataclass(frozen=True)
class Failed:
    """A task that was given up.

    Attributes:
        tries: how often it was tried.
        reason: the last error.
    """

    tries: int
    reason: str

    def of(self, block: Block, arm: str) -> Failure:
        """What to tell of one of its blocks."""
        return Failure(arm, block.place.start, block.place.stop, self.tries, self.reason)


def groups(blocks: Iterable[Block], record: Record, crew: Crew) -> Iterator[tuple[Block, ...]]:
    """Blocks that go into one task: of one compiled program, and enough to keep a worker busy.

    That is as many networks as it trains at once, twice over if it has several cores; but where
    that would leave workers without any, fewer.

    Examples:
        >>> from orderedness.study.crew import Crew
        >>> from orderedness.study.greeting import greeting
        >>> from orderedness.study.plan import Study
        >>> from orderedness.training import Experiment, xor
        >>> arms = {f"{h}": Experiment(xor(), hidden=h) for h in (2, 3)}
        >>> blocks = Study("s", arms, networks=600, block=128).blocks()
        >>> me = dataclasses.replace(greeting(), platform="cpu", cores=1)
        >>> crew = Crew([me, me], mixed_devices=False)
        >>> [sum(map(len, group)) for group in groups(blocks, Record(), crew)]
        [256, 256, 128, 256, 256, 128]
    """
    blocks = list(blocks)
    recording = Recording(loss_every=record.loss_every)
    worker = crew.smallest
    lanes = worker.cores if worker.platform == "cpu" else 2
    fair = sum(map(len, blocks)) // (8 * crew.count)
    related: dict[Any, list[Block]] = {}
    for block in blocks:
        related.setdefault(kin(block.experiment, recording, worker.platform), []).append(block)
    for members in related.values():
        width = width_of(members[0].experiment, recording, worker.platform, worker.memory)
        enough = max(min(width * lanes * (2 if lanes > 1 else 1), fair), min(width, 256))
        group: list[Block] = []
        for block in members:
            group.append(block)
            if sum(map(len, group)) >= enough:
                yield tuple(group)
                group = []
        if group:
            yield tuple(group)


def _end(future: Future[Delivery | Trouble]) -> Delivery | Trouble:
    """How a task ended; raises if no other task can end any better."""
    try:
        return future.result()
    except concurrent.futures.CancelledError:
        raise ConnectionError(
            "the connection to the scheduler was lost; everything finished is in the store, so "
            "run the same again when it is back"
        ) from None
    except concurrent.futures.BrokenExecutor as error:
        raise ConnectionError(
            f"the workers are gone ({error}); everything finished is in the store, so run the "
            "same again"
        ) from error
    except Exception as error:
        # Dask has tried enough where each worker that took a task on was lost.
        deadly = type(error).__name__ == "KilledWorker"
        return Trouble(f"{type(error).__name__}: {error}", deadly=deadly)
