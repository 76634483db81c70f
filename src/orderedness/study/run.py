"""Running a study: what is missing is computed, all arms together, and stored block by block."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path

import polars as pl

from orderedness.study.manifest import Place
from orderedness.study.measure import measure
from orderedness.study.plan import Block, Study
from orderedness.study.record import Record
from orderedness.study.setting import this_setting
from orderedness.study.store import Store, StoreWarning
from orderedness.study.table import assemble
from orderedness.training import Job, OnProgress, Recording, train_jobs


def run_study(
    study: Study,
    store: Store | Path | str,
    on_progress: OnProgress | None = None,
    executor: Executor | None = None,
    *,
    mixed_devices: bool = False,
) -> pl.DataFrame:
    """The table of a study; computes what the store does not have yet, and stores it.

    Each block is stored as soon as it is finished, so that a run that is stopped loses at most the
    blocks it was working on. Arms that cannot be stored, for want of a name, are computed every
    time, with a warning that says so.

    With an executor its workers compute, each with its own cores or GPU, and write into the store
    themselves; only rows that no store can hold travel back. They must see the same store and have
    the same versions as this process. A block that fails is tried three times; if some still do,
    the others are finished first and then `FailedError` tells which.

    Args:
        study: what to run.
        store: where results are looked for and kept: a `Store`, its folder or s3://bucket/prefix.
        on_progress: called first with the number of networks that were found, then with the size
            of each block, or of the blocks of each task, computed and stored; `study.size` in all.
        executor: who computes, if not this process: what `cluster` gives, a Dask
            `Client.get_executor()`, a `ProcessPoolExecutor` that spawns, or any other.
        mixed_devices: let devices of several kinds compute, whose bits may differ; the column
            `device` says which one computed a row.

    Returns:
        One row a network, arm after arm.

    Examples:
        >>> import tempfile
        >>> from orderedness.training import Experiment, xor
        >>> study = Study("tiny", {"xor": Experiment(xor(epochs=3))}, networks=5, block=4)
        >>> run_study(study, tempfile.mkdtemp()).select("arm", "seed", "iterations").row(4)
        ('xor', 4, 3)
    """
    store = store if isinstance(store, Store) else Store(store)
    store.remember(study)
    for why in dict.fromkeys(block.why_not_stored for block in study.blocks()):
        if why:
            warnings.warn(f"not stored, {why}", StoreWarning, stacklevel=2)
    report = on_progress or (lambda networks: None)
    if executor is None:
        blocks, devices = _here(study, store, report)
    else:
        from orderedness.study.distribute import elsewhere

        blocks, devices = elsewhere(study, store, report, executor, mixed_devices=mixed_devices)
    return assemble(study.manifest(), blocks, devices)


def _here(
    study: Study, store: Store, report: OnProgress
) -> tuple[dict[Place, pl.DataFrame], dict[Place, str]]:
    """The rows of all blocks, and the device of each; this process computes."""
    setting = this_setting()
    blocks = study.blocks()
    found, _ = store.read_any([b.place for b in blocks if not b.why_not_stored], [setting])
    report(sum(rows.height for rows in found.values()))
    absent = [block for block in blocks if block.place not in found]
    for block, rows in compute(absent, study.record):
        if not block.why_not_stored:
            store.write(block, study.record, rows)
        found[block.place] = rows
        report(len(block))
    return found, dict.fromkeys(found, setting.device)


def compute(blocks: Sequence[Block], record: Record) -> Iterator[tuple[Block, pl.DataFrame]]:
    """Train and measure blocks, of any experiments; give each with its rows when it is finished.

    All are trained in one go, so that those that can share compiled programs and vectors of
    networks do. Memory is bounded by the blocks that are begun.

    Examples:
        >>> from orderedness.training import Experiment, xor
        >>> study = Study("tiny", {"xor": Experiment(xor(epochs=3))}, networks=5, block=4)
        >>> [(block.seeds, rows.height) for block, rows in compute(study.blocks(), study.record)]
        [(range(0, 4), 4), (range(4, 8), 4)]
    """
    jobs = [Job(block.experiment, block.seeds) for block in blocks]
    for number, outcome in train_jobs(jobs, Recording(loss_every=record.loss_every)):
        yield blocks[number], measure(outcome, record)
