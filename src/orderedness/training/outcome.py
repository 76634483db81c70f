"""What training a population gives back."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
from jaxtyping import Float, Int

from orderedness.network import CompletePerceptron
from orderedness.training.experiment import Experiment

Population = CompletePerceptron
"""A complete layer whose arrays are NumPy's and carry one trailing axis of networks."""


@dataclasses.dataclass(frozen=True, eq=False)
class Outcome:
    """A trained population; networks are on the last axis of every array.

    Attributes:
        experiment: what was trained.
        seeds: (networks,).
        initial: the parameters before training.
        final: the parameters after the last pruning.
        losses: (recorded, networks), the loss on the step's examples before its update.
        loss_steps: (recorded,), the steps at which they were recorded.
        final_loss: (networks,), the loss on all examples after the last pruning.
        snapshots: (recorded, units, sources, networks), W before each recorded step, or None.
        snapshot_steps: (recorded,), the steps at which they were taken.
    """

    experiment: Experiment
    seeds: Int[np.ndarray, " networks"]
    initial: Population
    final: Population
    losses: Float[np.ndarray, "recorded networks"]
    loss_steps: Int[np.ndarray, " recorded"]
    final_loss: Float[np.ndarray, " networks"]
    snapshots: Float[np.ndarray, "taken units sources networks"] | None
    snapshot_steps: Int[np.ndarray, " taken"]

    def __len__(self) -> int:
        """How many networks there are."""
        return len(self.seeds)

    def network(self, index: int) -> CompletePerceptron:
        """One trained network, by its place in `seeds`.

        Examples:
            >>> from orderedness.training import Experiment, train, xor
            >>> outcome = train(Experiment(xor(epochs=5)), range(3))
            >>> outcome.network(2).weights.shape
            (6, 8)
        """
        pick = functools.partial(np.take, indices=index, axis=-1)
        final = self.final
        return dataclasses.replace(
            final,
            weights=pick(final.weights),
            values=pick(final.values),
            bias=None if final.bias is None else pick(final.bias),
        )
