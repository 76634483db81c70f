"""What became of a population, in a few numbers and in a file."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from orderedness._files import writing
from orderedness.ordering import orderedness
from orderedness.training.outcome import Outcome

SOLVED_BELOW = 0.01


@dataclasses.dataclass(frozen=True, eq=False)
class Summary:
    """Orderedness and loss of every network of one experiment.

    Attributes:
        before: orderedness before training, (networks,); NaN where it is undefined.
        after: orderedness after.
        hidden_before: that of the hidden block alone.
        hidden_after: likewise after.
        final_loss: loss on all examples after the last pruning.
    """

    before: Float[np.ndarray, " networks"]
    after: Float[np.ndarray, " networks"]
    hidden_before: Float[np.ndarray, " networks"]
    hidden_after: Float[np.ndarray, " networks"]
    final_loss: Float[np.ndarray, " networks"]

    @property
    def solved(self) -> float:
        """The share of networks whose final loss is below 0.01."""
        return float(np.mean(self.final_loss < SOLVED_BELOW))

    def as_json(self) -> dict[str, Any]:
        """Plain data, one number a network in each list; None where it is undefined."""
        arrays = dataclasses.asdict(self)
        return {"solved": self.solved} | {
            name: [x if np.isfinite(x) else None for x in array.tolist()]
            for name, array in arrays.items()
        }

    def text(self) -> str:
        """A few lines for people."""
        undefined = int(np.isnan(self.after - self.before).sum())
        lines = [
            f"networks               {len(self.before)}",
            f"orderedness before     {_spread(self.before)}",
            f"orderedness after      {_spread(self.after)}",
            f"change                 {_spread(self.after - self.before)}",
            f"hidden block before    {_spread(self.hidden_before)}",
            f"hidden block after     {_spread(self.hidden_after)}",
            f"solved (loss < {SOLVED_BELOW})   {self.solved:.1%}",
        ]
        if undefined:
            lines.append(f"undefined (all recurrent weights zero): {undefined}, left out of means")
        return "\n".join(lines)


def summarise(outcome: Outcome) -> Summary:
    """Measure a population before and after training.

    Examples:
        >>> from orderedness.training import Experiment, train, xor
        >>> summary = summarise(train(Experiment(xor(epochs=3)), range(4)))
        >>> summary.after.shape, 0 <= summary.solved <= 1
        ((4,), True)
    """
    before, after = (
        orderedness(layer.weights, outputs=layer.outputs)
        for layer in (outcome.initial, outcome.final)
    )
    return Summary(
        np.asarray(before.value),
        np.asarray(after.value),
        np.asarray(before.hidden),
        np.asarray(after.hidden),
        outcome.final_loss,
    )


def save_outcome(outcome: Outcome, path: Path) -> None:
    """Write seeds, parameters before and after, and losses to an .npz file, whole or not at all."""
    if path.suffix != ".npz":
        raise ValueError(f"out is {str(path)!r}, but must end in .npz")
    arrays: dict[str, Any] = {
        "seeds": outcome.seeds,
        "initial_weights": outcome.initial.weights,
        "initial_values": outcome.initial.values,
        "final_weights": outcome.final.weights,
        "final_values": outcome.final.values,
        "losses": outcome.losses,
        "loss_steps": outcome.loss_steps,
        "final_loss": outcome.final_loss,
    }
    for when, layer in (("initial", outcome.initial), ("final", outcome.final)):
        if layer.bias is not None:
            arrays[f"{when}_bias"] = layer.bias
    with writing(path) as partial, partial.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _spread(values: np.ndarray) -> str:
    defined = values[np.isfinite(values)]
    return f"{defined.mean():.3f} ± {defined.std():.3f}" if len(defined) else "undefined"
