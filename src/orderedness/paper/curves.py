"""What figures 2 to 5 show, as numbers: taken from the tables of the paper's studies."""

from __future__ import annotations

import dataclasses

import numpy as np
import polars as pl
from jaxtyping import Float

from orderedness.paper.arms import HIDDEN, ITERATIONS, PRUNERS, SPARSITIES
from orderedness.paper.verdict import Cells
from orderedness.study.statistics import estimate


@dataclasses.dataclass(frozen=True, eq=False)
class Curve:
    """A mean over networks along an axis, with two bands around it.

    Attributes:
        name: what it is of.
        x: places along the axis.
        mean: mean over the defined networks.
        least: the lowest network (the paper's band).
        most: the highest.
        low: lower end of the mean's 95 % interval.
        high: its upper end.
        undefined: networks left out at each place.
    """

    name: str
    x: Float[np.ndarray, " places"]
    mean: Float[np.ndarray, " places"]
    least: Float[np.ndarray, " places"]
    most: Float[np.ndarray, " places"]
    low: Float[np.ndarray, " places"]
    high: Float[np.ndarray, " places"]
    undefined: Float[np.ndarray, " places"]


def curve(name: str, x: np.ndarray, values: Float[np.ndarray, "places networks"]) -> Curve:
    """Means and bands of one number a network and place.

    Intervals are normal ones: with many places, resampling each says nothing else.

    Examples:
        >>> made = curve("a", np.arange(2), np.array([[1.0, 3.0], [2.0, np.nan]]))
        >>> made.mean.tolist(), made.most.tolist(), made.undefined.tolist()
        ([2.0, 2.0], [3.0, 2.0], [0, 1])
    """
    defined = np.isfinite(values)
    count = defined.sum(axis=1)
    filled = np.where(defined, values, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = filled.sum(axis=1) / count
        square = np.where(defined, values - mean[:, None], 0.0) ** 2
        error = np.sqrt(square.sum(axis=1) / (count - 1) / count)
    least = np.where(defined, values, np.inf).min(axis=1)
    most = np.where(defined, values, -np.inf).max(axis=1)
    half = 1.96 * np.where(count > 1, error, np.nan)
    none = count == 0
    return Curve(
        name,
        np.asarray(x),
        mean,
        np.where(none, np.nan, least),
        np.where(none, np.nan, most),
        mean - half,
        mean + half,
        len(values[0]) - count,
    )


def surface(table: pl.DataFrame, task: str) -> dict[str, Float[np.ndarray, "hidden iterations"]]:
    """Figure 2: the mean change of O, and the half-width of its interval, over h and T."""
    cells = Cells(table, "task", "hidden", "iterations")
    found = [[estimate(cells.change(task, h, t)) for t in ITERATIONS] for h in HIDDEN]
    return {
        "mean": np.array([[cell.mean for cell in row] for row in found]),
        "half": np.array([[(cell.high - cell.low) / 2 for cell in row] for row in found]),
    }


def against_sparsity(table: pl.DataFrame, task: str) -> list[Curve]:
    """Figure 3: O after training against s, one curve a pruner."""
    cells = Cells(table, "task", "pruner", "strength")
    return [
        curve(
            pruner,
            np.array(SPARSITIES),
            np.stack([cells.after(task, pruner, s) for s in SPARSITIES]),
        )
        for pruner in PRUNERS
    ]


def training_losses(table: pl.DataFrame, task: str) -> Curve:
    """Figure 5: the loss before each step, dynamic top-k."""
    cells = Cells(table, "task", "pruner")
    losses = np.stack(cells[task, "dynamic_topk"]["losses"].to_list(), axis=1)
    return curve(task, np.arange(len(losses)), losses)
