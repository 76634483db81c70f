"""Figure 1: the weights of an MLP as a complete layer, and those of a perfect order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orderedness.paper import mlp_layer, ordered_layer
from orderedness.report.weights import draw_weights, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure1(*, seed: int = 0) -> Figure:
    """Both renders, drawn from real weights.

    Examples:
        >>> [axes.get_title(loc="left") for axes in figure1().axes[:2]]
        ['(a) a five-layer MLP', '(b) perfect topological order']
    """
    figure = new_figure(8.4, 3.7)
    left, right = figure.subplots(1, 2)
    for axes, title, layer in (
        (left, "(a) a five-layer MLP", mlp_layer(seed=seed)),
        (right, "(b) perfect topological order", ordered_layer(seed=seed)),
    ):
        image = draw_weights(axes, layer.weights, outputs=layer.outputs)
        axes.set_title(title, loc="left", fontsize=10)
        figure.colorbar(image, ax=axes, label="weight", shrink=0.7)
    return figure
