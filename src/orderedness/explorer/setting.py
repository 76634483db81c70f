"""What the controls say, and the experiment that it means."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping

from orderedness import _checks
from orderedness.network import Initialiser, normal, uniform, zeros
from orderedness.pruning import (
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    Pruner,
    RandomPruning,
    TopK,
    TrilDamping,
)
from orderedness.training import Experiment, Task, parity, sine, untrained, xor

TASKS: Mapping[str, Callable[[], Task]] = {
    "XOR": xor,
    "Sine": sine,
    "parity of 3": functools.partial(parity, 3),
    "parity of 4": functools.partial(parity, 4),
    "untrained control": untrained,
}
PRUNERS: Mapping[str, Callable[[float], Pruner]] = {
    "none": lambda strength: NoPruning(),
    "random": RandomPruning,
    "top-k": TopK,
    "dynamic top-k": DynamicTopK,
    "tril-damping": TrilDamping,
    "dynamic tril-damping": DynamicTrilDamping,
}
INITIALISERS: Mapping[str, tuple[Initialiser, Initialiser]] = {
    "normal W, normal v": (normal, normal),
    "uniform W, normal v": (uniform, normal),
    "normal W, zero v": (normal, zeros),
}
MOST_HIDDEN = 12  # the best order of so many is found in microseconds, for thousands of shuffles
MOST_ITERATIONS = 10  # those share one compiled program
NETWORKS = (1, 8, 32, 64, 128, 256, 512, 1024)
MOST_SEED = 4095


@dataclasses.dataclass(frozen=True)
class Setting:
    """Where the controls stand.

    Attributes:
        task: a name in `TASKS`.
        hidden: hidden units, 1 to 12.
        iterations: T, 1 to 10.
        pruner: a name in `PRUNERS`.
        strength: the sparsity, or the fraction that tril-damping takes off; 0 to 1.
        initialiser: a name in `INITIALISERS`.
        networks: how many networks, 1 to 1024.
        seed: another seed gives other networks, with none in common.

    Examples:
        >>> Setting(pruner="top-k", strength=0.7).experiment.pruner
        TopK(sparsity=0.7)
        >>> Setting(hidden=40)
        Traceback (most recent call last):
            ...
        ValueError: hidden is 40, but must be at most 12 here; in Python there is no such limit
    """

    task: str = "XOR"
    hidden: int = 5
    iterations: int = 3
    pruner: str = "dynamic top-k"
    strength: float = 0.5
    initialiser: str = "normal W, normal v"
    networks: int = 256
    seed: int = 0

    def __post_init__(self) -> None:
        _checks.known("task", self.task, TASKS)
        _checks.known("pruner", self.pruner, PRUNERS)
        _checks.known("initialiser", self.initialiser, INITIALISERS)
        _checks.fraction("strength", self.strength)
        for name, least, most in (
            ("hidden", 1, MOST_HIDDEN),
            ("iterations", 1, MOST_ITERATIONS),
            ("networks", 1, NETWORKS[-1]),
            ("seed", 0, MOST_SEED),
        ):
            if _checks.whole(name, getattr(self, name), least=least) > most:
                raise ValueError(
                    f"{name} is {getattr(self, name)}, but must be at most {most} here; in Python "
                    "there is no such limit"
                )

    @property
    def experiment(self) -> Experiment:
        """What is trained."""
        weights, values = INITIALISERS[self.initialiser]
        return Experiment(
            TASKS[self.task](),
            hidden=self.hidden,
            iterations=self.iterations,
            weights=weights,
            values=values,
            pruner=PRUNERS[self.pruner](self.strength),
        )

    @property
    def program(self) -> tuple[str, int, str]:
        """What decides whether something must be compiled; all the rest is data."""
        return self.task, self.hidden, self.pruner.removeprefix("dynamic ")

    def told(self) -> str:
        """The setting in a line.

        Examples:
            >>> Setting(networks=8, seed=1).told()
            'XOR, 5 hidden units, T = 3, dynamic top-k 0.5, normal W, normal v, 8 networks, seed 1'
        """
        pruner = "no pruning" if self.pruner == "none" else f"{self.pruner} {self.strength:g}"
        units = f"{self.hidden} hidden unit{'' if self.hidden == 1 else 's'}"
        networks = f"{self.networks:,} network{'' if self.networks == 1 else 's'}"
        return (
            f"{self.task}, {units}, T = {self.iterations}, {pruner}, {self.initialiser}, "
            f"{networks}, seed {self.seed}"
        )

    def notes(self) -> list[str]:
        """What one should know about a setting that is allowed but says little.

        Examples:
            >>> Setting(pruner="none").notes()
            ['Nothing is pruned, so the strength has no effect.']
        """
        notes = []
        if self.pruner == "none":
            notes.append("Nothing is pruned, so the strength has no effect.")
        elif self.strength == 0:
            notes.append("At strength 0 nothing is taken away.")
        elif self.strength == 1 and "damping" not in self.pruner:
            notes.append("At strength 1 no weight is left, and O is undefined (0/0).")
        if self.hidden == 1:
            notes.append("One hidden unit has only one order.")
        if self.task == "untrained control":
            notes.append("The control is pruned for 10 steps and never trained.")
        if self.networks < 30:
            notes.append("So few networks say little: their intervals are wide.")
        return notes
