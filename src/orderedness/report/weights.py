"""Pictures of weight matrices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float, Int

from orderedness._files import writing

if TYPE_CHECKING:  # Matplotlib is imported when something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage


def draw_weights(
    axes: Axes,
    weights: Float[Any, "units sources"],
    *,
    outputs: int,
    order: Int[np.ndarray, " units"] | None = None,
    limit: float | None = None,
) -> AxesImage:
    """Draw W: red pushes, blue holds back, and feedback lies below the diagonal.

    Args:
        axes: where to draw.
        weights: W of one network.
        outputs: how many of the first units are outputs.
        order: units of the square block in the order to show them; as given if None.
        limit: the magnitude at which colours saturate; the largest if None.

    Returns:
        The image, for a colour bar.
    """
    matrix = np.asarray(weights, float)
    units, sources = matrix.shape
    if order is not None:
        columns = np.concatenate([order, np.arange(units, sources)])
        matrix = matrix[np.ix_(order, columns)]
    limit = limit or float(np.abs(matrix).max()) or 1.0
    image = axes.imshow(matrix, cmap="RdBu_r", vmin=-limit, vmax=limit, interpolation="nearest")
    stairs = np.arange(units + 1) - 0.5
    axes.step(stairs, stairs, where="pre", color="black", linewidth=1.0)
    for edge in (outputs - 0.5, units - 0.5):
        axes.axvline(edge, color="0.25", linewidth=0.8)
    axes.axhline(outputs - 0.5, color="0.25", linewidth=0.8)
    groups = [("out", 0, outputs), ("hidden", outputs, units), ("in", units, sources)]
    middles = {name: (start + stop - 1) / 2 for name, start, stop in groups if stop > start}
    axes.set_xticks(list(middles.values()), list(middles), fontsize=8)
    rows = {name: middle for name, middle in middles.items() if name != "in"}
    axes.set_yticks(list(rows.values()), list(rows), rotation=90, va="center", fontsize=8)
    axes.tick_params(length=0)
    axes.set_xlabel("from unit")
    axes.set_ylabel("to unit")
    axes.set_xlim(-0.5, sources - 0.5)
    axes.set_ylim(units - 0.5, -0.5)
    return image


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that needs no screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", dpi=150)
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and PDF, each whole or not at all."""
    written = []
    for kind in ("png", "pdf"):
        path = folder / f"{name}.{kind}"
        # Without a date two runs write the same bytes.
        metadata = {"CreationDate": None} if kind == "pdf" else None
        with writing(path) as partial:
            figure.savefig(partial, format=kind, metadata=metadata)
        written.append(path)
    return written
