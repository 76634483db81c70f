"""The weights as given and in their best order, and the levels of the units, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from jaxtyping import Int

from orderedness.measuring.pictures.layers import draw_layers
from orderedness.measuring.shown import shown

if TYPE_CHECKING:  # Matplotlib is imported when something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from orderedness.measuring.network import Network
    from orderedness.measuring.result import Measured

CELLS = 400  # units drawn as cells of their own; more are drawn as a density
BINS = 250
SATURATED = 0.99
NAMED = 30  # units whose names still fit


def draw(found: Measured) -> Figure:
    r"""The whole figure.

    Examples:
        >>> from orderedness.measuring import measure
        >>> figure = draw(measure([[0, 2], [1, 0]]))
        >>> [axes.get_title() for axes in figure.axes[:2]]
        ['as given\n33.3% of the weight below the diagonal', 'in best order\n33.3% below it']
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14.0, 5.2), layout="constrained", dpi=130)
    FigureCanvasAgg(figure)
    given, ordered, layers = figure.subplots(1, 3, width_ratios=(1, 1, 1.1))
    network = found.network
    units = np.arange(network.units)
    total = abs(network.square).sum()
    for axes, order, title in (
        (given, units, "as given\n{:.1%} of the weight below the diagonal"),
        (ordered, found.permutation, "in best order\n{:.1%} below it"),
    ):
        draw_matrix(axes, network, order)
        below = abs(sp.tril(network.square[order][:, order], -1)).sum()
        axes.set_title(title.format(below / total if total else 0.0), fontsize=10)
    draw_layers(layers, found, names=network.units <= NAMED)
    about = shown(network.about)
    value = "undefined" if np.isnan(found.orderedness) else f"{found.orderedness:.4f}"
    sure = "certified" if found.certified else f"at most {found.upper:.4f}"
    figure.suptitle(f"{about}: O = {value} ({sure})", fontsize=11, parse_math=False)
    return figure


def draw_matrix(axes: Axes, network: Network, order: Int[np.ndarray, " units"]) -> None:
    """Weights from columns to rows: cells in red and blue, or for many units their density."""
    from matplotlib.colors import LogNorm

    units = network.units
    matrix = sp.csr_array(network.square[order][:, order])
    most = SATURATED if units > NAMED else 1.0
    # A few strong weights must not pale all others.
    largest = float(np.quantile(abs(matrix.data), most)) if matrix.nnz else 1.0
    if units <= CELLS:
        image = axes.imshow(
            matrix.toarray(), cmap="RdBu_r", vmin=-largest, vmax=largest, interpolation="nearest"
        )
        saturates = matrix.nnz and abs(matrix.data).max() > largest
        label = "weight (beyond the ends: as there)" if saturates else "weight"
        stairs = np.arange(units + 1) - 0.5
        axes.step(stairs, stairs, where="pre", color="black", linewidth=0.8 if units < 80 else 0.4)
    else:
        entries = abs(matrix).tocoo()
        density, _, _ = np.histogram2d(
            entries.coords[0],
            entries.coords[1],
            bins=BINS,
            range=np.array([[0, units], [0, units]]),
            weights=entries.data,
        )
        positive = density[density > 0]
        least = float(positive.min()) if positive.size else 1.0
        norm = LogNorm(least, max(float(positive.max(initial=0.0)), 2 * least))
        image = axes.imshow(
            np.ma.masked_equal(density, 0),
            cmap="viridis_r",
            norm=norm,
            extent=(-0.5, units - 0.5, units - 0.5, -0.5),
            interpolation="nearest",
        )
        label = "weight in each bin"
        axes.plot([-0.5, units - 0.5], [-0.5, units - 0.5], color="black", linewidth=0.6)
    axes.set_xlim(-0.5, units - 0.5)
    axes.set_ylim(units - 0.5, -0.5)
    axes.set_xlabel("from unit")
    axes.set_ylabel("to unit")
    if units <= NAMED:
        names = [shown(network.names[unit], 12) for unit in order]
        axes.set_xticks(range(units), names, fontsize=7, rotation=90, parse_math=False)
        axes.set_yticks(range(units), names, fontsize=7, parse_math=False)
    if axes.figure is not None:
        axes.figure.colorbar(image, ax=axes, label=label, shrink=0.75)
