"""A job: networks of one experiment, and what is given for them instead of drawn."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Int

from orderedness import _checks
from orderedness.network import CompletePerceptron
from orderedness.pruning import RandomPruning
from orderedness.training.draw import check_seeds
from orderedness.training.experiment import Experiment


@dataclasses.dataclass(frozen=True, eq=False)
class Job:
    """Networks of one experiment.

    Attributes:
        experiment: what is trained.
        seeds: one whole number from 0 to 2**32 - 1 a network.
        initial: initial parameters instead of drawn ones; arrays end in an axis of networks.
        order: the examples of each step instead of drawn ones, (steps, batch, networks).
        masks: for random pruning, True where a weight is zeroed, (units, sources, networks), or
            (units, sources) for one mask shared by all.

    Examples:
        >>> from orderedness.training import Experiment, xor
        >>> len(Job(Experiment(xor()), range(10)).seeds)
        10
    """

    experiment: Experiment
    seeds: Sequence[int] | Int[np.ndarray, " networks"]
    initial: CompletePerceptron | None = None
    order: Int[np.ndarray, "steps batch networks"] | None = None
    masks: Bool[np.ndarray, "units sources networks"] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.experiment, Experiment):
            raise TypeError(f"experiment is {self.experiment!r}, but must be an Experiment")
        object.__setattr__(self, "seeds", check_seeds(self.seeds))
        if self.initial is not None:
            _check_initial(self.experiment, self.initial, len(self.seeds))
        if self.order is not None:
            order = _order(self.experiment, self.order, len(self.seeds))
            object.__setattr__(self, "order", order)
        if self.masks is not None:
            masks = _masks(self.experiment, self.masks, len(self.seeds))
            object.__setattr__(self, "masks", masks)


def _check_initial(experiment: Experiment, initial: CompletePerceptron, networks: int) -> None:
    units = experiment.shape[0]
    _checks.shape("initial.weights", initial.weights, (*experiment.shape, networks), "as W of each")
    _checks.shape("initial.values", initial.values, (units, networks), "as v of each network")
    if (initial.bias is None) != (experiment.bias is None):
        raise ValueError(
            f"initial.bias is {'missing' if initial.bias is None else 'given'}, but the "
            f"experiment {'has no' if experiment.bias is None else 'has a'} bias"
        )
    for name in ("weights", "values", "bias"):
        array = getattr(initial, name)
        if array is not None:
            _checks.finite(f"initial.{name}", array)


def _order(experiment: Experiment, given: Any, networks: int) -> np.ndarray:
    task, order = experiment.task, np.asarray(given)
    meaning = "the examples of each step of each network"
    _checks.shape("order", order, (task.steps, task.batch_size, networks), meaning)
    last = len(task.inputs) - 1
    if order.dtype.kind not in "iu" or order.min() < 0 or order.max() > last:
        raise ValueError(
            f"order holds {order.dtype} from {order.min()} to {order.max()}, but must hold whole "
            f"numbers from 0 to {last}, the places of the examples"
        )
    return order


def _masks(experiment: Experiment, given: Any, networks: int) -> np.ndarray:
    if not isinstance(experiment.pruner, RandomPruning):
        raise ValueError(
            f"masks were given, but the pruner is {experiment.pruner!r}: only RandomPruning "
            "takes masks"
        )
    masks = np.asarray(given, bool)
    if masks.ndim == 2:
        masks = np.repeat(masks[..., None], networks, axis=-1)
    _checks.shape("masks", masks, (*experiment.shape, networks), "as W of each network")
    return masks
