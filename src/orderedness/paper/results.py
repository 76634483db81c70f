"""The whole paper, computed: what a report is made of."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path

import numpy as np
import polars as pl

from orderedness.paper.claims import claims
from orderedness.paper.curves import Curve, curve
from orderedness.paper.published import TABLE1, UNTRAINED_ORDEREDNESS
from orderedness.paper.studies import studies
from orderedness.paper.table1 import Cell, replay
from orderedness.paper.verdict import Cells, Claim
from orderedness.study import run_study
from orderedness.study.statistics import Estimate, estimate, solved_share
from orderedness.training import (
    OnProgress,
    Reading,
    sine_baseline,
    train_baseline,
    xor_baseline,
)

# Baselines train for up to 10,000 epochs and only illustrate: more would show nothing more.
_BASELINES = 256


@dataclasses.dataclass(frozen=True, eq=False)
class Summarised:
    """A cell of Table 1 with what the paper does not give.

    Attributes:
        cell: the networks' changes of O (or O itself).
        change: their mean with its interval.
        excess: O after training above its entry-shuffle null, or None in the column of O itself.
        hidden: change of the hidden block's own orderedness, likewise.
        solved: the share that solves the task, or None where nothing is learned.
    """

    cell: Cell
    change: Estimate
    excess: Estimate | None
    hidden: Estimate | None
    solved: Estimate | None


@dataclasses.dataclass(frozen=True, eq=False)
class Results:
    """Everything the paper shows, at some number of networks.

    Attributes:
        networks: networks a cell.
        reading: as run or as written.
        seed: seed of the studies.
        count_inputs: whether input columns count in S.
        tables: the studies' tables by name.
        table1: Table 1 afresh.
        replayed: Table 1 from the paper's draws.
        claims: the nine claims, judged.
        baselines: training losses of the MLPs (figure 4) by task.
    """

    networks: int
    reading: Reading
    seed: int
    count_inputs: bool
    tables: Mapping[str, pl.DataFrame]
    table1: list[Summarised]
    replayed: list[Cell]
    claims: list[Claim]
    baselines: Mapping[str, Curve]


def whole_paper(
    networks: int,
    store: Path | str,
    reading: Reading = "run",
    *,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    executor: Executor | None = None,
    mixed_devices: bool = False,
    count_inputs: bool = False,
) -> Results:
    """Compute, or take from the store, all that the paper shows."""
    tables = run_studies(
        networks,
        store,
        reading,
        seed=seed,
        on_progress=on_progress,
        executor=executor,
        mixed_devices=mixed_devices,
        count_inputs=count_inputs,
    )
    return Results(
        networks,
        reading,
        seed,
        count_inputs,
        tables,
        list(summarised(tables["table1"])),
        replay(),
        claims(tables),
        baseline_losses(networks, reading, seed=seed),
    )


def run_studies(
    networks: int,
    store: Path | str,
    reading: Reading = "run",
    *,
    seed: int = 0,
    names: Sequence[str] | None = None,
    on_progress: OnProgress | None = None,
    executor: Executor | None = None,
    mixed_devices: bool = False,
    count_inputs: bool = False,
) -> dict[str, pl.DataFrame]:
    """The tables of the paper's studies, or of those named; computes what the store lacks."""
    chosen = studies(networks, reading, seed=seed, count_inputs=count_inputs)
    return {
        name: run_study(study, store, on_progress, executor, mixed_devices=mixed_devices)
        for name, study in chosen.items()
        if names is None or name in names
    }


def size(
    networks: int,
    reading: Reading = "run",
    *,
    seed: int = 0,
    names: Sequence[str] | None = None,
) -> int:
    """How many networks `run_studies` reports progress on."""
    chosen = studies(networks, reading, seed=seed)
    return sum(study.size for name, study in chosen.items() if names is None or name in names)


def summarised(table: pl.DataFrame) -> Iterable[Summarised]:
    """Table 1 from the table of its study: O untrained first, then row by row."""
    cells = Cells(table, "row", "column")
    for (row, column), _ in TABLE1.items():
        if column == UNTRAINED_ORDEREDNESS:
            before = cells[row, "none"]["o_before"].to_numpy()
            yield Summarised(Cell(row, column, before), estimate(before), None, None, None)
    for row, column in table.select("row", "column").unique(maintain_order=True).iter_rows():
        part = cells[row, column]
        change = cells.change(row, column)
        yield Summarised(
            Cell(row, column, change),
            estimate(change),
            estimate(cells.excess(row, column)),
            estimate((part["hidden_after"] - part["hidden_before"]).to_numpy()),
            solved_share(part["loss"].to_numpy()) if column in ("xor", "sine") else None,
        )


def baseline_losses(networks: int, reading: Reading, *, seed: int) -> dict[str, Curve]:
    """The MLPs' training losses, cut where the first network stopped."""
    baselines = {"xor": xor_baseline(reading), "sine": sine_baseline(reading, seed=seed)}
    seeds = range(min(networks, _BASELINES))
    found = {task: train_baseline(one, seeds).curve() for task, one in baselines.items()}
    return {task: curve(task, np.arange(len(values)), values) for task, values in found.items()}
