"""`orderedness paper`."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import tyro

if TYPE_CHECKING:
    from orderedness.paper import Cell
    from orderedness.paper.verdict import Claim

T = TypeVar("T")
Arg = tyro.conf.arg
What = Literal["all", "table1", "figure1", "figure2", "figure3", "figure4", "figure5", "claims"]


@dataclasses.dataclass(frozen=True)
class Paper:
    """The paper, run again: all of it with a report to open, or one table, figure or the claims.

    What was computed is kept in the store and never computed twice, however a run ended.
    """

    what: Annotated[tyro.conf.Positional[What], Arg(metavar="WHAT")] = "all"
    """all, table1, figure1 to figure5, or claims."""
    networks: int = 1000
    """Networks a cell."""
    reading: Annotated[Literal["run", "written"], Arg(name="as")] = "run"
    """Follow what produced the paper's numbers, or what its text says."""
    seed: int = 0
    """Another seed gives other networks, with none in common."""
    out: Path = Path("results")
    """Folder for the report, tables and figures."""
    store: str | None = None
    """Folder, or s3://bucket/prefix, in which results are kept; `store` inside the folder of the
    report by default."""
    on: str | None = None
    """Workers that compute, instead of this process: local:N for N processes on this machine, or
    dask://host:port for a cluster of your own."""
    mixed_devices: bool = False
    """With --on: let devices of several kinds compute; what comes out then mixes them."""
    replay: bool = False
    """With table1: replay the paper's 240 networks from its own random draws; cells that differ
    from the published ones in the third decimal are marked."""
    shared_mask: bool = False
    """With table1: one random mask for all networks of the random row, as in the paper."""
    count_inputs: bool = False
    """Count input columns in the sum of all weights, as the paper's text does; what produced its
    numbers did not."""
    json: bool = False
    """With table1: print JSON instead of a table."""

    def run(self) -> int:
        """Compute what is missing, write and print; 1 if a replayed cell differs."""
        own = self.replay or self.shared_mask or self.json
        if own and self.what != "table1":
            raise ValueError(
                f"what is {self.what!r}, but --replay, --shared-mask and --json belong to table1"
            )
        if self.replay and (self.shared_mask or self.count_inputs or self.reading == "written"):
            raise ValueError(
                "replay follows the paper's own numbers, so it goes with none of --as written, "
                "--shared-mask and --count-inputs"
            )
        if self.on is not None and self.what == "table1":
            raise ValueError(
                f"on is {self.on!r}, but table1 alone keeps nothing in a store, so it is computed "
                "here: `paper claims` computes the same networks on workers"
            )
        if self.what == "table1":
            return self._table1()
        if self.what == "all":
            return self._all()
        if self.what == "claims":
            return self._claims()
        return self._figure(self.what)

    def _table1(self) -> int:
        from orderedness import paper
        from orderedness.training.progress import progress_line

        if self.replay:
            cells = paper.replay()
            title = "Table 1, replayed from the paper's draws"
            notes = ["Mean ± standard deviation of ten networks; below ours, the published ones."]
        else:
            with progress_line(len(paper.ROWS) * len(paper.COLUMNS) * self.networks) as finished:
                cells = paper.afresh(
                    self.networks,
                    self.reading,
                    seed=self.seed,
                    shared_mask=self.shared_mask,
                    count_inputs=self.count_inputs,
                    on_progress=finished,
                )
            title = f"Table 1, afresh, as {self.reading}, seed {self.seed}"
            notes = self._notes
        if self.json:
            print(json.dumps([cell.as_json() for cell in cells]))
        else:
            _show_table1(cells, title, notes, mark=self.replay)
        return 1 if self.replay and any(cell.agrees is False for cell in cells) else 0

    def _all(self) -> int:
        from orderedness.paper.results import size, whole_paper
        from orderedness.report.files import write_report

        count = size(self.networks, self.reading, seed=self.seed)
        results = self._computed(
            count,
            lambda how: whole_paper(self.networks, self._store, self.reading, **how),
        )
        page = write_report(results, self.out)
        title = f"Table 1, afresh, as {self.reading}, seed {self.seed}"
        _show_table1([one.cell for one in results.table1], title, self._notes, mark=False)
        _show_claims(results.claims, self.networks)
        print(f"The report: {page}")
        return 0

    def _claims(self) -> int:
        from orderedness.paper.claims import claims
        from orderedness.paper.results import run_studies, size

        count = size(self.networks, self.reading, seed=self.seed)
        tables = self._computed(
            count,
            lambda how: run_studies(self.networks, self._store, self.reading, **how),
        )
        _show_claims(claims(tables), self.networks)
        return 0

    def _figure(self, name: str) -> int:
        from orderedness.paper.results import run_studies, size
        from orderedness.report.files import STUDY_OF, write_figure

        names = STUDY_OF[name]
        count = size(self.networks, self.reading, seed=self.seed, names=names)
        tables = self._computed(
            count,
            lambda how: run_studies(self.networks, self._store, self.reading, names=names, **how),
        )
        for path in write_figure(
            name, tables, self.out, networks=self.networks, reading=self.reading, seed=self.seed
        ):
            print(path)
        return 0

    @property
    def _notes(self) -> list[str]:
        """What a table computed afresh must say of itself."""
        mask = "one mask shared by all networks" if self.shared_mask else "a mask each"
        inputs = "counted in" if self.count_inputs else "left out of"
        return [
            f"Mean ± standard deviation of {self.networks} networks; below ours, the published "
            "ones (ten networks).",
            f"Random row: {mask}. Input columns: {inputs} the sum of all weights.",
        ]

    @property
    def _store(self) -> str:
        return str(self.out / "store") if self.store is None else self.store

    def _computed(self, networks: int, compute: Callable[[dict[str, Any]], T]) -> T:
        """Compute behind a line that says how far it is, on workers if there are some."""
        from orderedness.study.command import working

        with working(self.on, networks) as (executor, finished):
            return compute(
                {
                    "seed": self.seed,
                    "on_progress": finished,
                    "executor": executor,
                    "mixed_devices": self.mixed_devices,
                    "count_inputs": self.count_inputs,
                }
            )


def _show_table1(cells: list[Cell], title: str, notes: list[str], *, mark: bool) -> None:
    from rich.console import Console

    from orderedness import paper
    from orderedness.report import table1

    width = None if sys.stdout.isatty() else 110
    Console(width=width).print(table1(cells, title, mark=mark, notes=notes))
    if mark:
        places = [(cell.row, cell.column) for cell in cells if cell.agrees]
        matching = len(places) + sum(place in places for place in paper.PRINTED_TWICE)
        printed = len(paper.TABLE1) + len(paper.PRINTED_TWICE)
        print(f"{matching} of the {printed} printed cells match to the third decimal.")


def _show_claims(claims: list[Claim], networks: int) -> None:
    from orderedness.paper.claims import ENOUGH

    for claim in claims:
        holding = sum(part.holds for part in claim.parts)
        print(f"{claim.number}. {claim.statement}")
        print(f"   {claim.verdict}: {holding} of {len(claim.parts)} parts hold")
        for part in claim.parts:
            if not part.holds and claim.verdict == "depends":
                print(f"     not: {part.name}")
    if networks < ENOUGH:
        print(
            f"With {networks} networks a cell most intervals are too wide to support anything; "
            f"the rules ask for {ENOUGH:,} or more."
        )
