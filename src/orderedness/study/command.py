"""`orderedness run` and `orderedness results`."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

if TYPE_CHECKING:
    import polars as pl

    from orderedness.study.plan import Study

Arg = tyro.conf.arg
STORE = "results/store"


@dataclasses.dataclass(frozen=True)
class Run:
    """Run a study that a TOML file describes; what the store already holds is not computed again.

    In the file, the lists of [grid] are multiplied out:

        [study]
        networks = 1000

        [grid]
        task = ["xor", "sine"]
        pruner = ["none", "topk"]
        sparsity = [0.2, 0.5]
    """

    study: Annotated[Path, tyro.conf.Positional]
    """The file."""
    store: str = STORE
    """Folder, or s3://bucket/prefix, in which results are looked for and kept."""
    networks: int | None = None
    """Networks an arm, instead of what the file says."""
    seed: int | None = None
    """Seed of the study, instead of what the file says; another one gives other networks."""
    on: str | None = None
    """Workers that compute, instead of this process: local:N for N processes on this machine, or
    dask://host:port for a cluster of your own."""
    mixed_devices: bool = False
    """With --on: let devices of several kinds compute; the column `device` says which one."""

    def run(self) -> int:
        """Compute what is missing, and say what came out."""
        from orderedness.study.grid import load_study
        from orderedness.study.run import run_study
        from orderedness.study.store import Store

        study = load_study(self.study, networks=self.networks, seed=self.seed)
        told: list[int] = []
        with _said(), working(self.on, study.size) as (executor, finished):

            def progress(networks: int) -> None:
                told.append(networks)
                finished(networks)

            table = run_study(
                study, Store(self.store), progress, executor, mixed_devices=self.mixed_devices
            )
        _print_summary(study, table)
        found, *computed = told
        print(f"{found} networks were in {self.store}, {sum(computed)} were computed.")
        return 0


@dataclasses.dataclass(frozen=True)
class List:
    """The studies in a store: arms, networks, what is finished, and sizes."""

    store: str = STORE
    """The folder, or s3://bucket/prefix."""

    def run(self) -> int:
        """Print a table."""
        from rich.table import Table

        from orderedness.study.results import existing_store, listing

        table = Table("study", "arms", "networks", "blocks", "size", "computed on", box=None)
        with _said():
            for item in listing(existing_store(self.store)):
                told = (item.name, str(item.arms), str(item.networks))
                blocks = f"{item.blocks} of {item.of}"
                table.add_row(
                    *(told if item.name else ("(no study)", "", "")),
                    blocks if item.name else str(item.blocks),
                    _bytes(item.size),
                    item.setting,
                )
        _print(table)
        return 0


@dataclasses.dataclass(frozen=True)
class Export:
    """Write the table of a study, one row a network, to a CSV or Parquet file."""

    out: Annotated[Path, tyro.conf.Positional]
    """The file, .csv or .parquet; lists in a CSV are numbers with spaces between."""
    study: str | None = None
    """Name of the study; need not be given where the store holds only one."""
    setting: str | None = None
    """What computed it, as the list names it, if not this machine and version."""
    mixed_devices: bool = False
    """Take what is missing from devices of other kinds; the column `device` says which one."""
    store: str = STORE
    """The folder, or s3://bucket/prefix."""

    def run(self) -> int:
        """Write, and say what."""
        from orderedness.study.results import check_out, existing_store, export, find_study

        check_out(self.out)
        store = existing_store(self.store)
        with _said():
            manifest = find_study(store, self.study)
            table = store.table(manifest, self.setting, mixed_devices=self.mixed_devices)
        export(table, self.out)
        print(f"{self.out}: {table.height} networks, {table.width} columns")
        return 0


@dataclasses.dataclass(frozen=True)
class Clean:
    """Remove damaged files, abandoned partial ones, and what other versions computed."""

    store: str = STORE
    """The folder, or s3://bucket/prefix."""
    dry_run: bool = False
    """Only say what would be removed."""

    def run(self) -> int:
        """Say what is removed, and remove it."""
        from orderedness.study.results import existing_store, removable, remove

        store = existing_store(self.store)
        found = removable(store)
        for item in found:
            print(f"{item.name}: {item.why}, {_bytes(item.size)}")
        if not self.dry_run:
            remove(store, found)
        done = "would be removed" if self.dry_run else "removed"
        print(f"{len(found)} {done}, {_bytes(sum(item.size for item in found))}")
        return 0


@dataclasses.dataclass(frozen=True)
class Results:
    """Results in a store: list, export, clean."""

    what: Annotated[
        Annotated[List, tyro.conf.subcommand("list")]
        | Annotated[Export, tyro.conf.subcommand("export")]
        | Annotated[Clean, tyro.conf.subcommand("clean")],
        Arg(name=""),
    ]

    def run(self) -> int:
        """Do what was asked for."""
        return self.what.run()


@contextlib.contextmanager
def working(
    on: str | None, networks: int
) -> Iterator[tuple[Executor | None, Callable[[int], None]]]:
    """The workers that were asked for, if any, behind a line that says how far they are.

    Args:
        on: as `cluster` takes it, or None for this process.
        networks: how many are to be computed or found.
    """
    from orderedness.training.progress import progress_line

    if on is None:
        with progress_line(networks) as finished:
            yield None, finished
        return
    from orderedness.study.dask_cluster import cluster

    with (
        cluster(on) as executor,
        progress_line(networks, workers=lambda: executor.workers) as finished,
    ):
        yield executor, finished


def _print_summary(study: Study, table: pl.DataFrame) -> None:
    """One line an arm: means over the networks whose orderedness is defined."""
    import polars as pl
    from rich.table import Table

    from orderedness.training.summary import SOLVED_BELOW

    labels = list(study.arms[0].labels)
    change = (pl.col("o_after") - pl.col("o_before")).fill_nan(None)
    arms = table.group_by(labels, maintain_order=True).agg(
        before=pl.col("o_before").fill_nan(None).mean(),
        after=pl.col("o_after").fill_nan(None).mean(),
        change=change.mean(),
        spread=change.std(ddof=0),
        undefined=change.is_null().sum(),
        solved=(pl.col("loss") < SOLVED_BELOW).mean(),
    )
    shown = Table(*labels, "O before", "after", "change", "solved", "undefined", box=None)
    for row in arms.iter_rows(named=True):
        shown.add_row(
            *("" if row[label] is None else str(row[label]) for label in labels),
            _three(row["before"]),
            _three(row["after"]),
            f"{_three(row['change'])} ± {_three(row['spread'])}",
            f"{row['solved']:.0%}",
            str(row["undefined"]),
        )
    _print(shown)


@contextlib.contextmanager
def _said() -> Iterator[None]:
    """Let what a store warns of be read as sentences."""
    from orderedness.study.store import StoreWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", StoreWarning)
        try:
            yield
        finally:
            for warning in caught:
                print(f"orderedness: {warning.message}", file=sys.stderr)


def _print(table: object) -> None:
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 160).print(table)


def _three(number: float | None) -> str:
    return "undefined" if number is None else f"{number:.3f}"


def _bytes(size: float) -> str:
    """A size for people.

    >>> _bytes(999), _bytes(12_345_678)
    ('999 B', '12.3 MB')
    """
    units = ("B", "kB", "MB", "GB", "TB")
    place = 0
    while size >= 1000 and place < len(units) - 1:
        size, place = size / 1000, place + 1
    return f"{size:.0f} B" if place == 0 else f"{size:.1f} {units[place]}"
