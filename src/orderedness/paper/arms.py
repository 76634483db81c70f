"""The experiments behind every table and figure of the paper, by their place in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from orderedness.pruning import (
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    Pruner,
    RandomPruning,
    TopK,
    TrilDamping,
)
from orderedness.training import Experiment, Reading, Task, sine, untrained, xor

HIDDEN = (1, 3, 5, 7)
ITERATIONS = tuple(range(1, 11))
SPARSITIES = tuple(tenth / 10 for tenth in range(10))
PRUNERS = ("random", "topk", "dynamic_topk", "tril_damp", "dynamic_tril_damp")


@dataclasses.dataclass(frozen=True)
class Arm:
    """One experiment and where it stands: task, pruner, its strength s, and sizes.

    The strength is the paper's p, 1 - k or f; 0 where nothing is pruned.
    """

    task: str
    pruner: str
    strength: float
    experiment: Experiment

    @property
    def hidden(self) -> int:
        """Hidden units."""
        return self.experiment.hidden

    @property
    def iterations(self) -> int:
        """T."""
        return self.experiment.iterations


def pruner(name: str, strength: float) -> Pruner:
    """A pruner of the paper by its name and strength.

    Examples:
        >>> pruner("topk", 0.3)
        TopK(sparsity=0.3)
    """
    made: dict[str, Pruner] = {
        "none": NoPruning(),
        "random": RandomPruning(strength),
        "topk": TopK(strength),
        "dynamic_topk": DynamicTopK(strength),
        "tril_damp": TrilDamping(strength),
        "dynamic_tril_damp": DynamicTrilDamping(strength),
    }
    return made[name]


def tasks(reading: Reading = "run", *, seed: int = 0) -> dict[str, Task]:
    """The tasks of Table 1 and figure 3: the untrained control (of the size of XOR), XOR, Sine."""
    return {
        "none": untrained(reading=reading),
        "xor": xor(reading),
        "sine": sine(reading, seed=seed),
    }


def figure2(reading: Reading = "run", *, seed: int = 0) -> Iterator[Arm]:
    """Hidden units 1, 3, 5, 7 and 1 to 10 iterations, dynamic top-k with k = 0.5, both tasks.

    Examples:
        >>> len(list(figure2()))
        80
    """
    for name in ("xor", "sine"):
        task = tasks(reading, seed=seed)[name]
        for hidden in HIDDEN:
            for iterations in ITERATIONS:
                experiment = Experiment(
                    task, hidden=hidden, iterations=iterations, pruner=DynamicTopK(0.5)
                )
                yield Arm(name, "dynamic_topk", 0.5, experiment)


def figure3(reading: Reading = "run", *, seed: int = 0) -> Iterator[Arm]:
    """Five pruners at ten strengths: on the untrained control, XOR and Sine.

    Examples:
        >>> len(list(figure3()))
        150
    """
    for name, task in tasks(reading, seed=seed).items():
        for pruning in PRUNERS:
            for strength in SPARSITIES:
                experiment = Experiment(task, pruner=pruner(pruning, strength))
                yield Arm(name, pruning, strength, experiment)


def figure5(reading: Reading = "run", *, seed: int = 0) -> Iterator[Arm]:
    """Dynamic top-k with k = 0.5 at the default sizes, both tasks."""
    for name in ("xor", "sine"):
        experiment = Experiment(tasks(reading, seed=seed)[name], pruner=DynamicTopK(0.5))
        yield Arm(name, "dynamic_topk", 0.5, experiment)
