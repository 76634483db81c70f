"""The pictures of the page about orderedness that need many networks: its range, and chance."""

from __future__ import annotations

from pathlib import Path

import jax
import numpy as np

from orderedness import (
    MLP,
    DynamicTopK,
    Experiment,
    from_mlp,
    orderedness,
    train,
    xor,
)
from orderedness.measuring.pictures.layers import FEEDBACK, FORWARD
from orderedness.ordering.nulls import null_orderedness
from orderedness.report import draw_weights, new_figure

HERE = Path(__file__).parent
NETWORKS = 1000


def draw_range() -> None:
    """From no direction at all to feed-forward, each in its best order."""
    rng = np.random.default_rng(0)
    lower = np.tril(rng.normal(size=(7, 7)), -1)
    trained = train(Experiment(xor(), hidden=6, pruner=DynamicTopK(0.4)), range(100)).final.weights
    value = np.asarray(orderedness(trained, outputs=1).value)
    typical = int(np.argsort(value)[len(value) // 2])  # the median network
    both = lower + lower.T
    cases = [
        ("what one unit sends another,\nit gets back", both, 0),
        ("drawn at random", rng.normal(size=(7, 7)), 0),
        ("trained and pruned", trained[:, :7, typical], 1),
        ("a feed-forward network\nof layers 2-3-2", _layers(), 2),
    ]
    figure = new_figure(4.8, 5.7)
    for axes, (title, weights, outputs) in zip(figure.subplots(2, 2).flat, cases, strict=True):
        found = orderedness(weights, outputs=outputs)
        draw_weights(axes, weights, outputs=0, order=found.permutation)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_title(f"{title}\n", fontsize=9)
        axes.text(
            0.5, 1.02, f"O = {found.value:.2f}", transform=axes.transAxes, ha="center", va="bottom"
        )
    figure.savefig(HERE / "range.png")


def _layers() -> np.ndarray:
    """The square block of an MLP as a complete layer."""
    layer = from_mlp(MLP.init([2, 2, 3, 2], key=jax.random.key(1)))
    return np.asarray(layer.weights[:, : layer.units])


def draw_sparsity() -> None:
    """Random matrices, nothing trained: with more zeros comes a higher O."""
    rng = np.random.default_rng(0)
    units = 8
    sparsities = np.arange(0, 0.96, 0.05)
    weights = rng.normal(size=(units, units, NETWORKS))
    rank = rng.random(weights.shape)
    values = np.stack(
        [np.asarray(orderedness(np.where(rank < s, 0, weights)).value) for s in sparsities]
    )
    figure = new_figure(5.0, 4.9)
    grid = figure.add_gridspec(2, 3, height_ratios=(1, 1.4))
    for place, sparsity in enumerate((0.0, 0.5, 0.8)):
        axes = figure.add_subplot(grid[0, place])
        matrix = np.where(rank < sparsity, 0, weights)[..., 0]
        found = orderedness(matrix)
        draw_weights(axes, matrix, outputs=0, order=found.permutation)
        axes.set_xticks([])
        axes.set_yticks([])
        if place:
            axes.set_ylabel("")
        axes.set_title(f"{sparsity:.0%} zeros\nO = {found.value:.2f}", fontsize=10)
    axes = figure.add_subplot(grid[1, :])
    low, middle, high = np.nanpercentile(values, [5, 50, 95], axis=1)
    axes.fill_between(sparsities, low, high, color=FORWARD, alpha=0.25, lw=0)
    axes.plot(sparsities, middle, color=FORWARD, lw=2)
    axes.text(0.05, 0.83, "nine in ten\nlie in the band", color=FORWARD, fontsize=9)
    axes.set_xlabel("share of zeros")
    axes.set_ylabel("O")
    axes.set_title(f"{NETWORKS:,} random matrices, nothing trained", fontsize=10)
    axes.set_xlim(0, 0.95)
    axes.set_ylim(0.5, 1.02)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "sparsity.png")


def draw_excess() -> None:
    """A thousand networks before and after training, and what chance alone would give."""
    outcome = train(Experiment(xor(), pruner=DynamicTopK(0.5)), range(NETWORKS))
    before = np.asarray(orderedness(outcome.initial.weights, outputs=1).value)
    null = null_orderedness(outcome.final.weights, "entries", draws=1, outputs=1)
    after, shuffled = null.full.observed, null.full.mean
    figure = new_figure(5.6, 3.3)
    axes = figure.subplots()
    bins = np.arange(0.45, 1.0001, 0.025)
    for values, label, colour, filled, place in (
        (before, "as drawn", "0.45", True, (0.615, 185, "right")),
        (after, "trained and pruned", FEEDBACK, True, (0.86, 172, "left")),
        (shuffled, "trained, then shuffled", FORWARD, False, (0.74, 212, "left")),
    ):
        axes.hist(
            values,
            bins,
            histtype="stepfilled" if filled else "step",
            color=colour,
            alpha=0.45 if filled else 1.0,
            lw=2,
        )
        x, y, side = place
        axes.text(
            x, y, f"{label}\nmean O {np.nanmean(values):.3f}", color=colour, ha=side, fontsize=8.5
        )
    axes.set_xlabel("O")
    axes.set_ylabel("networks")
    axes.set_xlim(0.45, 1.0)
    axes.set_ylim(0, 240)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "excess.png")
    print(
        f"before {np.nanmean(before):.3f}, after {np.nanmean(after):.3f}, "
        f"shuffled {np.nanmean(shuffled):.3f}"
    )


if __name__ == "__main__":
    draw_range()
    draw_sparsity()
    draw_excess()
