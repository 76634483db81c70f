"""A claim, its parts and its verdict; and a study's table by its labels."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np
import polars as pl
from jaxtyping import Float

from orderedness.study.statistics import Estimate, Judged

Verdict = Literal["supported", "not supported", "depends"]
Values = Float[np.ndarray, " networks"]

SOLVED_BELOW = 0.01


@dataclasses.dataclass(frozen=True)
class Part:
    """One part of a claim: the comparisons it rests on, or a plain fact, and whether it holds."""

    name: str
    holds: bool
    judged: tuple[Judged, ...] = ()
    fact: str = ""


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim and what became of it.

    Attributes:
        number: 1 to 9.
        statement: what the paper says.
        said: the numbers it gives.
        rule: what is required.
        parts: what was found.
        over_chance: O after training above the mean of its entry-shuffle null, where it bears on
            the claim.
    """

    number: int
    statement: str
    said: str
    rule: str
    parts: tuple[Part, ...]
    over_chance: tuple[tuple[str, Estimate], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """All parts hold: supported; none: not supported; else it depends.

        Examples:
            >>> yes, no = Part("a", True), Part("b", False)
            >>> [Claim(1, "", "", "", parts).verdict for parts in ((yes,), (no,), (yes, no))]
            ['supported', 'not supported', 'depends']
        """
        holding = [part.holds for part in self.parts]
        if all(holding):
            return "supported"
        return "depends" if any(holding) else "not supported"


class Cells:
    """A study's table by its labels; the same networks, in the same order, in every cell."""

    def __init__(self, table: pl.DataFrame, *labels: str) -> None:
        self._parts = table.partition_by(labels, as_dict=True)

    def __getitem__(self, place: tuple[str | float, ...]) -> pl.DataFrame:
        return self._parts[place]

    def change(self, *place: str | float) -> Values:
        """The change of O of each network; NaN where it is undefined."""
        cell = self._parts[place]
        return (cell["o_after"] - cell["o_before"]).to_numpy()

    def after(self, *place: str | float) -> Values:
        """O after training."""
        return self._parts[place]["o_after"].to_numpy()

    def solved(self, *place: str | float) -> Values:
        """1 for networks that solve the task, 0 for others."""
        return (self._parts[place]["loss"] < SOLVED_BELOW).cast(pl.Float64).to_numpy()

    def excess(self, *place: str | float) -> Values:
        """O after training above its entry-shuffle null."""
        cell = self._parts[place]
        return (cell["o_after"] - cell["null_entries_mean"]).to_numpy()
