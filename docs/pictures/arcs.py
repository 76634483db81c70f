"""A network as units in a row: what flows to the right runs above the row, feedback below it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch

from orderedness.measuring.pictures.layers import FEEDBACK, FORWARD

BEND = 0.62  # height of an arc over its length, twice


def draw_arcs(
    axes: Axes,
    weights: np.ndarray,
    flow: Sequence[int],
    names: Sequence[str],
    *,
    size: float,
    shrink: float,
) -> None:
    """Draw weights [to, from] with the units from left to right in the order of `flow`.

    `size` is that of letters, and `shrink` the points from a unit's middle to where arrows end.
    """
    place = {unit: x for x, unit in enumerate(flow)}
    radius = 0.27
    for to, source in np.argwhere(weights != 0).tolist():
        start, end = place[source], place[to]
        forward = end > start
        colour = FORWARD if forward else FEEDBACK
        arrow = FancyArrowPatch(
            (start, 0),
            (end, 0),
            connectionstyle=f"arc3,rad={-BEND}",
            arrowstyle="-|>",
            mutation_scale=1.2 * size,
            shrinkA=shrink,
            shrinkB=shrink,
            linewidth=0.2 * size * float(abs(weights[to, source])) ** 0.6,
            color=colour,
        )
        axes.add_patch(arrow)
        height = (BEND * abs(end - start) / 2 + 0.15) * (1 if forward else -1)
        axes.text(
            (start + end) / 2,
            height,
            f"{weights[to, source]:g}",
            color=colour,
            fontsize=size,
            fontweight="bold",
            ha="center",
            va="center",
        )
    for unit, x in place.items():
        axes.add_patch(_disc(x, radius))
        axes.text(x, 0, names[unit], fontsize=size, ha="center", va="center", zorder=4)
    reach = len(flow) - 1
    axes.set_xlim(-0.45, reach + 0.45)
    axes.set_ylim(-BEND * reach / 2 - 0.28, BEND * reach / 2 + 0.28)
    axes.set_aspect("equal")
    axes.axis("off")


def _disc(x: float, radius: float) -> Circle:
    return Circle((x, 0), radius, facecolor="white", edgecolor="0.25", linewidth=1.2, zorder=3)
