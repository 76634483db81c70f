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
BINS = 250  # at most, along each side of a density
SATURATED = 0.9  # a few strong weights must not pale all others
FAINTEST, FULLEST = 0.02, 0.995  # of the bins of a density: what the ends of its colours show
NAMED = 30  # units whose names still fit


def draw(found: Measured) -> Figure:
    r"""The whole figure.

    Examples:
        >>> from orderedness.measuring import measure
        >>> figure = draw(measure([[0, 2], [1, 0]]))
        >>> figure.axes[1].get_title()
        'in best order, downstream first\n33.3% below it'
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14.0, 5.2), layout="constrained", dpi=130)
    FigureCanvasAgg(figure)
    given, ordered, layers = figure.subplots(1, 3, width_ratios=(1, 1, 1.1))
    network = found.network
    units = np.arange(network.units)
    total = abs(network.square).sum()
    for axes, order, title, what in (
        (given, units, "as given\n{:.1%} of the weight below the diagonal", "unit"),
        (ordered, found.permutation, "in best order, downstream first\n{:.1%} below it", "place"),
    ):
        draw_matrix(axes, network, order, what if network.units > NAMED else "unit")
        below = abs(sp.tril(network.square[order][:, order], -1)).sum()
        axes.set_title(title.format(below / total if total else 0.0), fontsize=10)
    draw_layers(layers, found, names=network.units <= NAMED)
    about = shown(network.about)
    sure = "certified" if found.certified else f"at most {found.upper:.4f}"
    value = f"O = {found.orderedness:.4f} ({sure})" if total else "O is undefined"
    figure.suptitle(f"{about}: {value}", fontsize=11, parse_math=False)
    return figure


def draw_matrix(axes: Axes, network: Network, order: Int[np.ndarray, " units"], what: str) -> None:
    """Weights from columns to rows: cells in red and blue, or for many units their density.

    Args:
        axes: where to draw.
        network: its weights.
        order: which unit has which row and column.
        what: what the numbers along the sides count.
    """
    from matplotlib.colors import LogNorm

    units = network.units
    matrix = sp.csr_array(network.square[order][:, order])
    if units <= CELLS:
        most = SATURATED if units > NAMED else 1.0
        largest = float(np.quantile(abs(matrix.data), most)) if matrix.nnz else 1.0
        image = axes.imshow(
            matrix.toarray(), cmap="RdBu_r", vmin=-largest, vmax=largest, interpolation="nearest"
        )
        extend = "both" if matrix.nnz and abs(matrix.data).max() > largest else "neither"
        label = "weight"
        stairs = np.arange(units + 1) - 0.5
        axes.step(stairs, stairs, where="pre", color="black", linewidth=0.8 if units < 80 else 0.4)
    else:
        width = -(-units // BINS)  # whole units in each bin, or stripes would show
        bins = -(-units // width)
        entries = abs(matrix).tocoo()
        density, _, _ = np.histogram2d(
            entries.coords[0],
            entries.coords[1],
            bins=bins,
            range=np.array([[0, bins * width], [0, bins * width]]),
            weights=entries.data,
        )
        positive = density[density > 0] if matrix.nnz else np.ones(1)
        least, most = np.quantile(positive, (FAINTEST, FULLEST)).tolist()
        norm = LogNorm(least, max(most, 2 * least))
        extend = "both"
        image = axes.imshow(
            np.ma.masked_equal(density, 0),
            cmap="viridis_r",
            norm=norm,
            extent=(-0.5, bins * width - 0.5, bins * width - 0.5, -0.5),
            interpolation="nearest",
        )
        label = f"weight in each bin of {width} x {width} units"
        axes.plot([-0.5, units - 0.5], [-0.5, units - 0.5], color="black", linewidth=0.6)
    axes.set_xlim(-0.5, units - 0.5)
    axes.set_ylim(units - 0.5, -0.5)
    axes.set_xlabel(f"from {what}")
    axes.set_ylabel(f"to {what}")
    if units <= NAMED:
        names = [shown(network.names[unit], 12) for unit in order]
        axes.set_xticks(range(units), names, fontsize=7, rotation=90, parse_math=False)
        axes.set_yticks(range(units), names, fontsize=7, parse_math=False)
    if axes.figure is not None:
        axes.figure.colorbar(image, ax=axes, label=label, shrink=0.75, extend=extend)
