"""The pictures of the page about orderedness that need three units: one network in every order."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
from arcs import draw_arcs
from matplotlib.axes import Axes

from orderedness.measuring.pictures.layers import FEEDBACK, FORWARD
from orderedness.ordering import Exhaustive, Problem, solve
from orderedness.report import new_figure

HERE = Path(__file__).parent
NAMES = ("hand", "brain", "eye")
WEIGHTS = np.array([[0, 2, 0], [0, 0, 3], [1, 0, 0]])  # [to, from]


def draw_loop() -> None:
    """Three units and what they send each other."""
    figure = new_figure(4.2, 2.5)
    axes = figure.subplots()
    draw_arcs(axes, WEIGHTS, (2, 1, 0), NAMES, size=11, shrink=26)
    axes.text(1.0, 0.62, "forward", color=FORWARD, fontsize=11, ha="center")
    axes.text(0.25, -0.78, "feedback", color=FEEDBACK, fontsize=11, ha="center")
    figure.savefig(HERE / "loop.png")


def draw_orders() -> None:
    """All six orders, best first."""
    problem = Problem.from_dense(WEIGHTS)
    orders = sorted(itertools.permutations(range(3)), key=problem.below)
    best = solve(problem, Exhaustive())
    assert tuple(best.permutation) == orders[0]
    figure = new_figure(5.2, 6.4)
    for axes, order in zip(figure.subplots(3, 2).flat, orders, strict=True):
        draw_arcs(
            axes, WEIGHTS, order[::-1], NAMES, size=8, shrink=15
        )  # the first in the order is farthest downstream
        feedback, total = problem.below(order), problem.total
        title = f"{feedback:g} of {total:g} flows back"
        if order == orders[0]:
            title += f"\nO = 1 - {feedback:g}/{total:g} = {best.value:.3f}"
        axes.set_title(title, fontsize=9.5, fontweight="bold" if order == orders[0] else "normal")
    figure.savefig(HERE / "orders.png")


def draw_matrix(axes: Axes, order: tuple[int, ...], title: str) -> None:
    """The same network as numbers, feedback below the staircase."""
    shown = WEIGHTS[np.ix_(order, order)]
    for row, column in np.ndindex(shown.shape):
        weight = shown[row, column]
        colour = FEEDBACK if row > column else FORWARD
        if weight:
            axes.fill_between([column, column + 1], row, row + 1, color=colour, alpha=0.25, lw=0)
        axes.text(
            column + 0.5,
            row + 0.5,
            f"{weight:g}",
            color=colour if weight else "0.7",
            fontsize=12,
            fontweight="bold" if weight else "normal",
            ha="center",
            va="center",
        )
    stairs = np.arange(4)
    axes.step(stairs, stairs, where="pre", color="black", linewidth=2)
    names = [NAMES[unit] for unit in order]
    axes.set_xticks(stairs[:3] + 0.5, [f"from\n{name}" for name in names], fontsize=9)
    axes.set_yticks(stairs[:3] + 0.5, [f"to\n{name}" for name in names], fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlim(0, 3)
    axes.set_ylim(3, 0)
    axes.set_aspect("equal")
    axes.set_xlabel(title, fontsize=9)


def draw_matrices() -> None:
    """The network as a matrix: the best order, and one that is not."""
    problem = Problem.from_dense(WEIGHTS)
    figure = new_figure(5.6, 2.9)
    left, right = figure.subplots(1, 2)
    for axes, order in ((left, (0, 1, 2)), (right, (1, 0, 2))):
        share = f"{problem.below(order):g} of {problem.total:g} below the staircase"
        draw_matrix(axes, order, share)
    figure.savefig(HERE / "matrix.png")


if __name__ == "__main__":
    draw_loop()
    draw_orders()
    draw_matrices()
