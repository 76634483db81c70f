"""The paper's own random draws, shipped with the package."""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources

import numpy as np
from jaxtyping import Bool, Float, Int

from orderedness import _checks
from orderedness.paper.published import COLUMNS, ROWS


@dataclasses.dataclass(frozen=True, eq=False)
class Draws:
    """What chance gave the ten networks of one cell of Table 1; networks are on the last axis.

    Attributes:
        weights: initial W.
        values: initial v.
        order: the examples of each step.
        mask: for random pruning, True where a weight is zeroed: one mask, shared by the ten.
        before: orderedness before training, as the paper's program computed it.
        after: orderedness after.
    """

    weights: Float[np.ndarray, "units sources networks"]
    values: Float[np.ndarray, "units networks"]
    order: Int[np.ndarray, "steps batch networks"]
    mask: Bool[np.ndarray, "units sources"] | None
    before: Float[np.ndarray, " networks"]
    after: Float[np.ndarray, " networks"]


def draws(row: str, column: str) -> Draws:
    """The draws of one cell.

    Examples:
        >>> draws("topk", "sine").weights.shape
        (9, 11, 10)
    """
    _checks.known("row", row, ROWS)
    _checks.known("column", column, COLUMNS)
    arrays = {name: array for name, array in _load().items() if name.startswith(f"{row}/{column}/")}
    found = {name.rpartition("/")[2]: array for name, array in arrays.items()}
    return Draws(
        weights=np.moveaxis(found["W0"], 0, -1),
        values=np.moveaxis(found["v0"], 0, -1),
        order=np.moveaxis(found["batches"], 0, -1),
        mask=found.get("mask"),
        before=found["o0"],
        after=found["o1"],
    )


@functools.cache
def _load() -> dict[str, np.ndarray]:
    file = importlib.resources.files("orderedness.paper") / "data" / "draws.npz"
    with importlib.resources.as_file(file) as path, np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
