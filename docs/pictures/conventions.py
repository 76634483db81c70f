"""The picture of the page about conventions: what each part of W is, and how it counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from orderedness.measuring.pictures.layers import FEEDBACK, FORWARD
from orderedness.report import new_figure

OUTPUTS, HIDDEN, INPUTS = 2, 4, 2
UNITS = OUTPUTS + HIDDEN
SELF, CLAMPED = "#8c8c8c", "#7b5ea7"


def kind(row: int, column: int) -> str:
    """How W[row, column] counts."""
    if column >= UNITS:
        return CLAMPED
    if row == column:
        return SELF
    return FEEDBACK if row > column else FORWARD


figure = new_figure(5.4, 5.9)
axes = figure.subplots()
for row, column in np.ndindex(UNITS, UNITS + INPUTS):
    axes.fill_between(
        [column + 0.01, column + 0.99],
        row + 0.01,
        row + 0.99,
        color=kind(row, column),
        alpha=0.35,
        lw=0,
    )
for edge in (OUTPUTS, UNITS):
    axes.plot([edge, edge], [0, UNITS], color="0.2", lw=1)
axes.plot([0, UNITS + INPUTS], [OUTPUTS, OUTPUTS], color="0.2", lw=1)
axes.step(np.arange(UNITS + 1), np.arange(UNITS + 1), where="pre", color="black", lw=2)
roles = ["out"] * OUTPUTS + ["hidden"] * HIDDEN + ["in"] * INPUTS
axes.set_xticks(
    np.arange(UNITS + INPUTS) + 0.5, [f"{role}\n{c}" for c, role in enumerate(roles)], fontsize=8
)
axes.set_yticks(
    np.arange(UNITS) + 0.5, [f"{role} {r}" for r, role in enumerate(roles[:UNITS])], fontsize=8
)
axes.xaxis.tick_top()
axes.xaxis.set_label_position("top")
axes.tick_params(length=0)
axes.set_xlabel("from unit c", fontsize=11)
axes.set_ylabel("to unit r", fontsize=11)
for text, column, row in (
    ("hidden feed\noutputs", OUTPUTS + HIDDEN / 2, OUTPUTS / 2),
    ("outputs feed\nhidden", OUTPUTS / 2, OUTPUTS + HIDDEN / 2),
    ("inputs feed\nall", UNITS + INPUTS / 2, UNITS / 2),
):
    axes.text(column, row, text, ha="center", va="center", fontsize=10)
axes.annotate(
    "W[4, 2]: from unit 2 to unit 4",
    (2.5, 4.5),
    (3.4, 6.75),
    fontsize=10,
    ha="left",
    va="center",
    arrowprops={"arrowstyle": "->", "color": "0.2"},
    annotation_clip=False,
)
for place, (colour, text) in enumerate(
    (
        (FORWARD, "forward: counts in S"),
        (FEEDBACK, "feedback: counts in S and in L"),
        (SELF, "self-connection: counts in S, never in L"),
        (CLAMPED, "from an input: never in L; in S as written, not as run"),
    )
):
    height = UNITS + 1.45 + 0.5 * place
    axes.plot([0.25], [height], "s", ms=11, color=colour, alpha=0.5, clip_on=False)
    axes.text(0.7, height, text, fontsize=9.5, va="center")
axes.set_xlim(0, UNITS + INPUTS)
axes.set_ylim(UNITS, 0)
axes.set_aspect("equal")
for spine in axes.spines.values():
    spine.set_visible(False)
figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight", pad_inches=0.08)
