"""An experiment: everything that decides what one network becomes, except its seed."""

from __future__ import annotations

import dataclasses

import jax
import optax

from orderedness import _checks
from orderedness.network import Activation, Initialiser, normal
from orderedness.pruning import NoPruning, Pruner
from orderedness.training.optimiser import Optimiser, adam, as_optimiser
from orderedness.training.task import Task


@dataclasses.dataclass(frozen=True)
class Experiment:
    """What is trained, on what, and how it is pruned meanwhile.

    Attributes:
        task: what is learned.
        hidden: hidden units; the task's own number unless given.
        iterations: T; the task's own unless given.
        weights: initialiser of W.
        values: initialiser of v.
        bias: initialiser of b, or None for no bias.
        pruner: what is done to W after every step.
        optimiser: an `Optimiser`, or any optax transformation.
        activation: the element-wise function σ.

    Examples:
        >>> from orderedness.pruning import DynamicTopK
        >>> from orderedness.training import xor
        >>> experiment = Experiment(xor(), hidden=7, pruner=DynamicTopK(0.5))
        >>> experiment.shape, experiment.iterations
        ((8, 10), 3)
    """

    task: Task
    hidden: int = None  # type: ignore[assignment]  # filled in from the task
    iterations: int = None  # type: ignore[assignment]
    weights: Initialiser = normal
    values: Initialiser = normal
    bias: Initialiser | None = None
    pruner: Pruner = dataclasses.field(default_factory=NoPruning)
    optimiser: Optimiser | optax.GradientTransformation = dataclasses.field(default_factory=adam)
    activation: Activation = jax.nn.sigmoid

    def __post_init__(self) -> None:
        if not isinstance(self.task, Task):
            raise TypeError(f"task is {self.task!r}, but must be a Task")
        if not isinstance(self.pruner, Pruner):
            raise TypeError(
                f"pruner is {self.pruner!r}, but must be a Pruner; wrap a function of your own "
                "in CustomPruning"
            )
        for name in ("hidden", "iterations"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, getattr(self.task, name))
        _checks.whole("hidden", self.hidden, least=0)
        _checks.whole("iterations", self.iterations, least=1)
        object.__setattr__(self, "optimiser", as_optimiser(self.optimiser))
        for name in ("weights", "values", "activation"):
            if not callable(getattr(self, name)):
                raise TypeError(f"{name} is {getattr(self, name)!r}, but must be a function")

    @property
    def outputs(self) -> int:
        """Output units."""
        return self.task.targets.shape[1]

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of W."""
        units = self.outputs + self.hidden
        return units, units + self.task.inputs.shape[1]
