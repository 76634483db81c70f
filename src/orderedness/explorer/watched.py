"""One network at one moment: its weights, its best order, and what flows back in it."""

from __future__ import annotations

import dataclasses

import numpy as np
from jaxtyping import Float, Int

from orderedness.explorer.compute import Result


@dataclasses.dataclass(frozen=True, eq=False)
class Watched:
    """W of one network at one moment.

    Attributes:
        number: of the network, from 1.
        step: how far training is.
        weights: W.
        order: units in best order, outputs first.
        outputs: output units.
        value: O, NaN where it is undefined.
        loss: at that moment.
        limit: the magnitude at which colours saturate: the largest weight at any moment.
        names: of all sources: outputs, hidden units, inputs.
    """

    number: int
    step: int
    weights: Float[np.ndarray, "units sources"]
    order: Int[np.ndarray, " units"]
    outputs: int
    value: float
    loss: float
    limit: float
    names: tuple[str, ...]

    @property
    def told(self) -> str:
        """What is seen, in a line."""
        value = "O undefined" if np.isnan(self.value) else f"O = {self.value:.3f}"
        return f"Network {self.number} at step {self.step:,}: {value}, loss {self.loss:.4f}"

    def below(self, order: Int[np.ndarray, " units"]) -> float:
        """The share of the square block's weight that flows back in an order.

        Examples:
            >>> weights = np.array([[0.0, 3.0], [1.0, 0.0]])
            >>> watched = Watched(1, 0, weights, np.arange(2), 0, 0.75, 0.1, 3.0, ("h1", "h2"))
            >>> watched.below(np.arange(2)), watched.below(np.array([1, 0]))
            (0.25, 0.75)
        """
        square = np.abs(self.weights[order][:, order])
        total = float(square.sum())
        return float(np.tril(square, -1).sum()) / total if total else 0.0


def watch(result: Result, network: int, share: float) -> Watched:
    """One network of a result, after a share of training.

    Args:
        result: what was trained.
        network: its place, from 0; the last one that can be watched if there are fewer.
        share: 0 for before training, 1 for after.

    Examples:
        >>> from orderedness.explorer import Setting, explore
        >>> seen = watch(explore(Setting(task="untrained control", networks=8)), 2, 0.5)
        >>> seen.number, seen.step, seen.names
        (3, 5, ('out', 'h1', 'h2', 'h3', 'h4', 'h5', 'in1', 'in2'))
    """
    moments = result.moments
    index = min(network, moments.weights.shape[-1] - 1)
    moment = int(np.argmin(np.abs(moments.steps - share * moments.steps[-1])))
    weights = moments.weights[moment, ..., index]
    units, sources = weights.shape
    return Watched(
        number=index + 1,
        step=int(moments.steps[moment]),
        weights=weights,
        order=moments.order[moment, :, index],
        outputs=moments.outputs,
        value=float(moments.value[moment, index]),
        loss=float(moments.losses[moment, index]),
        limit=float(np.abs(moments.weights[..., index]).max()) or 1.0,
        names=named(units, sources, moments.outputs),
    )


def named(units: int, sources: int, outputs: int) -> tuple[str, ...]:
    """Short names of outputs, hidden units and inputs.

    Examples:
        >>> named(3, 5, 2)
        ('out1', 'out2', 'h1', 'in1', 'in2')
    """

    def several(name: str, count: int) -> list[str]:
        return [name] if count == 1 and name == "out" else [f"{name}{k + 1}" for k in range(count)]

    return (
        *several("out", outputs),
        *several("h", units - outputs),
        *several("in", sources - units),
    )
