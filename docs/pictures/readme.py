"""The README's picture: what pruning does to one network, and what its best order shows."""

from pathlib import Path

import numpy as np

from orderedness import DynamicTopK, Experiment, orderedness, sine, train
from orderedness.report import draw_weights, new_figure

outcome = train(Experiment(sine(), pruner=DynamicTopK(0.5)), range(200))
before = orderedness(outcome.initial.weights, outputs=1)
after = orderedness(outcome.final.weights, outputs=1)
typical = int(np.argsort(after.value)[len(after.value) // 2])  # the median network

figure = new_figure(9.6, 3.1)
panels = [
    ("as drawn", outcome.initial.weights, before, False),
    ("trained and pruned, as numbered", outcome.final.weights, after, False),
    ("the same, in its best order", outcome.final.weights, after, True),
]
for axes, (title, weights, measured, ordered) in zip(figure.subplots(1, 3), panels, strict=True):
    matrix = weights[..., typical]
    order = measured.permutation[:, typical] if ordered else np.arange(len(matrix))
    square = np.abs(matrix[np.ix_(order, order)])
    back = np.tril(square, -1).sum() / square.sum()
    draw_weights(axes, matrix, outputs=1, order=order)
    axes.set_title(f"{title}\n{back:.0%} of the weight flows back", fontsize=9)
path = Path(__file__).with_suffix(".png")
figure.savefig(path)
print(path, f"O before {before.value[typical]:.3f}, after {after.value[typical]:.3f}")
