"""Figures 2 to 5, in the paper's form (bands from least to most) or with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from orderedness.paper.arms import HIDDEN, ITERATIONS
from orderedness.paper.curves import Curve
from orderedness.report.weights import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Band = Literal["least to most", "interval"]

TASKS = {"none": "untrained", "xor": "XOR", "sine": "Sine"}
# Okabe and Ito's colours, told apart without colour vision, and line styles beside them.
STYLES: dict[str, tuple[str, str, str]] = {
    "random": ("#999999", "random (p = s)", "dot"),
    "topk": ("#0072B2", "top-k (k = 1 - s)", "solid"),
    "dynamic_topk": ("#56B4E9", "dynamic top-k (k = 1 - s)", "dash"),
    "tril_damp": ("#D55E00", "tril-damping (f = s)", "solid"),
    "dynamic_tril_damp": ("#E69F00", "dynamic tril-damping (f = s)", "dash"),
}
_MATPLOTLIB = {"solid": "-", "dash": "--", "dot": ":"}


def figure2(surfaces: Mapping[str, Mapping[str, np.ndarray]], networks: int) -> Figure:
    """The mean change of O over hidden units and iterations."""
    figure = new_figure(9.6, 3.2)
    limit = max(float(np.nanmax(np.abs(s["mean"]))) for s in surfaces.values())
    axes: Any = figure.subplots(1, len(surfaces), squeeze=False)[0]
    for one, (task, surface) in zip(axes, surfaces.items(), strict=True):
        image = one.imshow(surface["mean"], cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
        for (row, column), value in np.ndenumerate(surface["mean"]):
            dark = abs(value) > 0.6 * limit
            one.text(
                column, row, f"{value:.2f}".replace("-0.00", "0.00"), ha="center", va="center",
                fontsize=7, color="white" if dark else "black",
            )  # fmt: skip
        one.set_xticks(range(len(ITERATIONS)), list(map(str, ITERATIONS)))
        one.set_yticks(range(len(HIDDEN)), list(map(str, HIDDEN)))
        one.set_xlabel("iterations T")
        one.set_ylabel("hidden units")
        one.set_title(f"{TASKS[task]}, mean of {networks} networks", loc="left", fontsize=10)
    figure.colorbar(image, ax=axes, label="mean change of O")
    return figure


def figure3(curves: Mapping[str, Sequence[Curve]], band: Band = "least to most") -> Figure:
    """O after training against the strength of pruning."""
    figure = new_figure(11, 3.8)
    axes: Any = figure.subplots(1, len(curves), sharey=True, squeeze=False)[0]
    for one, (task, found) in zip(axes, curves.items(), strict=True):
        for curve in found:
            colour, label, dash = STYLES[curve.name]
            low, high = _band(curve, band)
            one.plot(curve.x, curve.mean, _MATPLOTLIB[dash], color=colour, label=label)
            one.fill_between(curve.x, low, high, color=colour, alpha=0.15, linewidth=0)
        one.set_title(TASKS[task], loc="left", fontsize=10)
        one.set_xlabel("strength s")
    axes[0].set_ylabel("orderedness O")
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8
    )
    return figure


def losses(curves: Mapping[str, Curve], x_label: str, band: Band = "least to most") -> Figure:
    """Training losses (figures 4 and 5), one panel a task."""
    figure = new_figure(9, 3.2)
    axes: Any = figure.subplots(1, len(curves), squeeze=False)[0]
    one: Axes
    for one, (task, curve) in zip(axes, curves.items(), strict=True):
        low, high = _band(curve, band)
        one.plot(curve.x, curve.mean, color="#0072B2", label="mean")
        one.fill_between(curve.x, low, high, color="#0072B2", alpha=0.2, linewidth=0, label=band)
        one.set_title(TASKS[task], loc="left", fontsize=10)
        one.set_xlabel(x_label)
        one.set_ylim(bottom=0)
        one.legend(fontsize=8)
    axes[0].set_ylabel("training loss")
    return figure


def _band(curve: Curve, band: Band) -> tuple[np.ndarray, np.ndarray]:
    return (curve.low, curve.high) if band == "interval" else (curve.least, curve.most)
