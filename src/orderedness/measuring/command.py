"""The command ``orderedness measure``."""

from __future__ import annotations

import dataclasses
import json as json_text
import sys
from pathlib import Path
from typing import Annotated, Literal

import tyro

Arg = tyro.conf.arg


@dataclasses.dataclass(frozen=True)
class Measure:
    """How ordered any network is: a matrix, edges, or the weights of a trained network."""

    file: tyro.conf.Positional[Path]
    """.npy, .npz, .csv, .tsv, .parquet, .mtx, .graphml, .safetensors, .pt or .mat."""
    format: (
        Literal[
            "npy",
            "npz",
            "csv-matrix",
            "csv-edges",
            "parquet",
            "mtx",
            "graphml",
            "safetensors",
            "pt",
            "mat",
        ]
        | None
    ) = None
    """What the file is, where its name or looks do not tell."""
    array: str | None = None
    """Which array, tensor or variable of the file, such as weight_hh_l0."""
    gate: str | None = None
    """Which gate of a GRU (reset, update, new) or LSTM (input, forget, cell, output); without it
    the magnitudes of all are summed, and each has its value beside."""
    outputs: int | None = None
    """How many of the first units are outputs, which keep the places farthest downstream."""
    inputs: int | None = None
    """How many of the last units are inputs, which only send."""
    count_inputs: bool = False
    """Count the weights from inputs in the total."""
    pin: tuple[str, ...] = ()
    """Units that keep their places at one end, in the order given: NAME=upstream or
    NAME=downstream."""
    self_loops: Literal["count", "ignore"] = "count"
    """Whether self-connections are in the total; they never flow back."""
    direction: Literal["columns-feed-rows", "rows-feed-columns"] | None = None
    """Whether entry [r, c] of a matrix runs from c to r (the default, usual for weights) or from
    r to c (usual for adjacency tables). O is the same, the order is not."""
    time_limit: float | None = None
    """Seconds to look for the order, and as long again for a null model; by default 10 for up to
    100 units, else 0.5 + units/400, at most 600."""
    solver: Literal[
        "auto", "subsets", "branch-and-cut", "cycle-cover", "packing", "memetic", "annealing"
    ] = "auto"
    """How to look for the order."""
    null: Literal["orientation", "entries", "weights", "degrees"] | None = None
    """Compare with a null model: pairs turned round, entries or weights shuffled, or edges
    rewired with all degrees kept."""
    draws: int = 100
    """Draws of the null model, time permitting."""
    seed: int = 0
    """For random choices."""
    plot: Path | None = None
    """A picture to write: .png, or .html for a page with the tables too."""
    json: Annotated[bool, Arg(aliases=())] = False
    """Print JSON instead of text."""

    def run(self) -> int:
        """Read, measure, print."""
        from orderedness.measuring.function import measure
        from orderedness.measuring.pictures.write import check_picture, write_picture
        from orderedness.measuring.readers.read import read
        from orderedness.measuring.shown import shown
        from orderedness.measuring.solvers import named_solver
        from orderedness.measuring.stages import showing_stages

        upstream, downstream = split_pins(self.pin)
        if self.plot is not None:
            check_picture(self.plot)
        size = self.file.stat().st_size if self.file.is_file() else 0
        with showing_stages(size) as stages:
            network = read(
                self.file,
                format=self.format,
                array=self.array,
                gate=self.gate,
                progress=stages.bytes_read,
            )
            found = measure(
                network,
                outputs=self.outputs,
                inputs=self.inputs,
                upstream=upstream,
                downstream=downstream,
                self_loops=self.self_loops,
                count_inputs=self.count_inputs,
                direction=self.direction,
                solver=named_solver(self.solver),
                time_limit=self.time_limit,
                null=self.null,
                draws=self.draws,
                seed=self.seed,
                on_stage=stages.doing,
            )
        print(json_text.dumps(found.as_json()) if self.json else found)
        if self.plot is not None:
            write_picture(found, self.plot)
            print(shown(self.plot), file=sys.stderr if self.json else sys.stdout)
        return 0


def split_pins(pins: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Names pinned upstream, and names pinned downstream.

    Examples:
        >>> split_pins(("AVAL=upstream", "a=b=downstream"))
        (['AVAL'], ['a=b'])
    """
    ends: dict[str, list[str]] = {"upstream": [], "downstream": []}
    for pin in pins:
        name, _, end = pin.rpartition("=")
        if not name or end not in ends:
            raise ValueError(f"pin is {pin!r}, but must be NAME=upstream or NAME=downstream")
        ends[end].append(name)
    return ends["upstream"], ends["downstream"]
