"""Units in layers, upstream at the top, with feedback in another colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float, Int

from orderedness.measuring.pictures.depth import longest_paths
from orderedness.measuring.shown import shown

if TYPE_CHECKING:  # Matplotlib is imported when something is drawn
    from matplotlib.axes import Axes

    from orderedness.measuring.result import Measured

MOST_LAYERS = 20
BANDS = 12
MOST_FORWARD = 400
MOST_FEEDBACK = 150
POINTS = 13  # of a curve
FEW = 60  # edges that can be told apart
BEND, SLIGHT_BEND = 0.3, 0.06  # of the length of an edge, for few and for many
FORWARD, FEEDBACK = "#5b7c99", "#d95f02"


def place_units(
    weights: sp.csr_array, order: Int[np.ndarray, " units"]
) -> tuple[Float[np.ndarray, " units"], Float[np.ndarray, " units"], str]:
    """Where to draw each unit, and what its height says.

    A unit lies one layer below the deepest of those that feed it forward. Where that gives too
    many layers, it lies at its place in the order.

    Args:
        weights: magnitudes, entry [r, c] from c to r.
        order: upstream first.

    Examples:
        >>> chain = sp.csr_array(np.diag([1.0, 1.0], -1))
        >>> place_units(chain, np.arange(3))[1]
        array([0., 1., 2.])
    """
    place: np.ndarray = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    rows = np.repeat(np.arange(order.size), np.diff(weights.indptr))
    forward = place[weights.indices] < place[rows]
    depth = longest_paths(order, rows[forward], weights.indices[forward])
    layer, height = depth, depth.astype(float)
    meaning = "each one layer below what feeds it"
    if depth.max(initial=0) >= MOST_LAYERS:
        layer = place * BANDS // order.size
        height = place.astype(float)
        meaning = "height: place in the best order"
    both = sp.csr_array(weights + weights.T)
    strength = np.maximum(both.sum(axis=1), np.finfo(float).tiny)
    across = _spread(layer, np.random.default_rng(0).random(order.size))
    for _ in range(20):  # units move towards those that they are connected to
        across = _spread(layer, both @ across / strength)
    return across, height, meaning


def _spread(
    layer: Int[np.ndarray, " units"], wish: Float[np.ndarray, " units"]
) -> Float[np.ndarray, " units"]:
    """Units of each layer side by side, from 0 to 1, in the order of their wishes."""
    by_wish = np.lexsort((wish, layer))
    counts = np.bincount(layer)
    starts = np.cumsum(counts) - counts
    across: np.ndarray = np.empty(layer.size)
    rank = np.arange(layer.size) - starts[layer[by_wish]]
    across[by_wish] = (rank + 0.5) / counts[layer[by_wish]]
    return across


def _arcs(
    across: Float[np.ndarray, " units"],
    height: Float[np.ndarray, " units"],
    sources: Int[np.ndarray, " edges"],
    targets: Int[np.ndarray, " edges"],
) -> list[Float[np.ndarray, "points 2"]]:
    """A curve for each edge that bends to the left of its way, so that both ways of a pair show.

    The farther it runs, the more it bends: edges along one column do not cover each other.
    """
    tall = max(1.0, float(np.ptp(height)))
    along = np.linspace(0.0, 1.0, POINTS)
    bend = (BEND if sources.size <= FEW else SLIGHT_BEND) * 4 * along * (1 - along)
    arcs = []
    for a, b in zip(sources.tolist(), targets.tolist(), strict=True):
        rise, run = (height[b] - height[a]) / tall, across[b] - across[a]
        x = across[a] + run * along + rise * bend
        y = height[a] + tall * (rise * along - run * bend)
        arcs.append(np.column_stack([x, y]))
    return arcs


def draw_layers(axes: Axes, found: Measured, *, names: bool) -> None:
    """Draw the units of a measurement in layers, with the strongest connections between them."""
    from matplotlib.collections import LineCollection

    weights = found.network.strength
    order = found.permutation[::-1]
    across, height, meaning = place_units(weights, order)
    place: np.ndarray = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    edges = weights.tocoo()
    targets, sources = edges.coords
    backwards = place[sources] > place[targets]
    largest = float(edges.data.max(initial=0.0)) or 1.0
    told = []
    for kind, chosen, most, colour in (
        ("forward", ~backwards, MOST_FORWARD, FORWARD),
        ("feedback", backwards, MOST_FEEDBACK, FEEDBACK),
    ):
        every = np.flatnonzero(chosen)
        strongest = every[np.argsort(-edges.data[every], kind="stable")[:most]]
        lines = _arcs(across, height, sources[strongest], targets[strongest])
        widths = 0.4 + (2.1 if len(lines) <= FEW else 0.6) * edges.data[strongest] / largest
        alpha = 0.85 if len(lines) <= FEW else 0.5
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=widths, alpha=alpha))
        counted = f"{len(lines):,} strongest of " if len(lines) < every.size else ""
        told.append((f"{kind} ({counted}{every.size:,})", colour))
    size = 60 if names else max(2.0, 30 - 0.03 * order.size)
    axes.scatter(across, height, s=size, color="0.2", zorder=3, linewidths=0)
    if names:
        for unit in range(order.size):
            axes.annotate(
                shown(found.network.names[unit], 12),
                (across[unit], height[unit]),
                xytext=(5, 4),
                textcoords="offset points",
                fontsize=7,
                zorder=4,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
                parse_math=False,
            )
    for label, colour in told:
        axes.plot([], [], color=colour, label=label)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), fontsize=8, frameon=False)
    margin = 0.06 * max(1.0, float(height.max(initial=0.0)))
    axes.set_ylim(float(height.max(initial=0.0)) + margin, -margin)
    axes.set_xlim(-0.08, 1.08)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(f"upstream at the top\n{meaning}", fontsize=10)
