"""The command line: arguments in, calls, exit codes. Heavy imports wait until a command runs."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import tyro

from orderedness._version import __version__
from orderedness.measuring.command import Measure
from orderedness.study.command import Results, Run

Arg = tyro.conf.arg


@dataclasses.dataclass(frozen=True)
class Table1:
    """Table 1: what initialisation and pruning do to orderedness, beside the published numbers."""

    replay: bool = False
    """Replay the paper's 240 networks from its own random draws; cells that differ from the
    published ones in the third decimal are marked."""
    networks: int = 1000
    """Networks a cell (not with --replay)."""
    reading: Annotated[Literal["run", "written"], Arg(name="as")] = "run"
    """Follow what produced the paper's numbers, or what its text says (not with --replay)."""
    seed: int = 0
    """Another seed gives other networks, with none in common."""
    shared_mask: bool = False
    """One random mask for all networks of the random row, as in the paper, instead of one each."""
    count_inputs: Annotated[Literal["yes", "no", "as-reading"], Arg()] = "as-reading"
    """Whether input columns count in the sum of all weights; as run they do not, as written they
    do."""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Compute and print; 1 if a replayed cell differs."""
        from orderedness import paper
        from orderedness.training.progress import progress_line

        if self.replay:
            cells = paper.replay()
            notes = [
                "Mean ± standard deviation of ten networks; below ours, the published numbers."
            ]
            title = "Table 1, replayed from the paper's draws"
        else:
            count = {"yes": True, "no": False, "as-reading": None}[self.count_inputs]
            with progress_line(len(paper.ROWS) * len(paper.COLUMNS) * self.networks) as finished:
                cells = paper.afresh(
                    self.networks,
                    self.reading,
                    seed=self.seed,
                    shared_mask=self.shared_mask,
                    count_inputs=count,
                    on_progress=finished,
                )
            mask = "one mask shared by all networks" if self.shared_mask else "a mask each"
            notes = [
                f"Mean ± standard deviation of {self.networks} networks; below ours, the published "
                "numbers (ten networks).",
                f"Random row: {mask}.",
            ]
            title = f"Table 1, afresh, as {self.reading}, seed {self.seed}"
        differing = [cell for cell in cells if self.replay and cell.agrees is False]
        if self.json:
            print(json.dumps([cell.as_json() for cell in cells]))
        else:
            _show_table1(cells, title, self.replay, notes)
            if self.replay:
                places = [(cell.row, cell.column) for cell in cells if cell.agrees]
                matching = len(places) + sum(place in places for place in paper.PRINTED_TWICE)
                printed = len(paper.TABLE1) + len(paper.PRINTED_TWICE)
                print(f"{matching} of the {printed} printed cells match to the third decimal.")
        return 1 if differing else 0


@dataclasses.dataclass(frozen=True)
class Figure1:
    """Figure 1: the weights of an MLP as a complete layer, and those of a perfect order."""

    out: Path = Path("results")
    """Folder for figure1.png and figure1.pdf."""
    seed: int = 0
    """Seed of the weights."""

    def run(self) -> int:
        """Draw and save."""
        from orderedness.report import figure1, save

        for path in save(figure1(seed=self.seed), self.out, "figure1"):
            print(path)
        return 0


@dataclasses.dataclass(frozen=True)
class Paper:
    """The paper's tables and figures."""

    what: Annotated[
        Annotated[Table1, tyro.conf.subcommand("table1")]
        | Annotated[Figure1, tyro.conf.subcommand("figure1")],
        Arg(name=""),
    ]

    def run(self) -> int:
        """Run the part that was asked for."""
        return self.what.run()


@dataclasses.dataclass(frozen=True)
class Train:
    """Train and prune a population, and measure its orderedness before and after."""

    task: str = "xor"
    """xor, sine, parity3, parity4, ... or untrained."""
    pruner: str = "dynamic-topk"
    """none, random, topk, dynamic-topk, tril-damping or dynamic-tril-damping."""
    sparsity: float = 0.5
    """Fraction removed, for random and top-k pruning."""
    fraction: float = 0.8
    """Fraction taken off below the diagonal at each step, for tril-damping."""
    networks: int = 100
    """How many networks."""
    seed: int = 0
    """Seed of the first network; the others follow."""
    hidden: int | None = None
    """Hidden units; the task's own number if not given."""
    iterations: int | None = None
    """Iterations T; the task's own number if not given."""
    out: Path | None = None
    """An .npz file for seeds, weights and values before and after, and losses."""
    json: bool = False
    """Print JSON instead of text."""

    def run(self) -> int:
        """Train, measure, print."""
        from orderedness import train
        from orderedness._checks import whole
        from orderedness.training.named import named_experiment
        from orderedness.training.progress import progress_line
        from orderedness.training.summary import save_outcome, summarise

        whole("networks", self.networks, least=1)
        experiment = named_experiment(
            self.task,
            self.pruner,
            sparsity=self.sparsity,
            fraction=self.fraction,
            hidden=self.hidden,
            iterations=self.iterations,
        )
        seeds = range(self.seed, self.seed + self.networks)
        with progress_line(self.networks) as finished:
            outcome = train(experiment, seeds, on_progress=finished)
        summary = summarise(outcome)
        if self.out is not None:
            save_outcome(outcome, self.out)
        print(json.dumps(summary.as_json()) if self.json else summary.text())
        return 0


def _show_table1(cells: Sequence[object], title: str, mark: bool, notes: Sequence[str]) -> None:
    from rich.console import Console

    from orderedness.report import table1

    Console(width=None if sys.stdout.isatty() else 110).print(
        table1(cells, title, mark=mark, notes=notes)  # type: ignore[arg-type]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 2 for anything that was asked wrongly."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) == ["--version"]:
        print(f"orderedness {__version__}")
        return 0
    command = tyro.extras.subcommand_cli_from_dict(
        {"measure": Measure, "paper": Paper, "train": Train, "run": Run, "results": Results},
        prog="orderedness",
        description="Measure, and explain, order in recurrent networks.",
        args=list(arguments),
        config=(tyro.conf.OmitArgPrefixes, tyro.conf.FlagCreatePairsOff),
    )
    try:
        return command.run()
    except (ValueError, TypeError, OSError) as error:
        print(f"orderedness: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("orderedness: stopped", file=sys.stderr)
        return 130


def entry() -> None:
    """What the installed command calls."""
    sys.exit(main())


if __name__ == "__main__":
    entry()
