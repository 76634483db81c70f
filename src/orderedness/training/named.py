"""Experiments by the names of their parts, for the command line and for files."""

from __future__ import annotations

import re
from collections.abc import Callable

from orderedness import _checks
from orderedness.pruning import (
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    Pruner,
    RandomPruning,
    TopK,
    TrilDamping,
)
from orderedness.training.experiment import Experiment
from orderedness.training.task import Task, parity, sine, untrained, xor

TASKS: dict[str, Callable[[], Task]] = {"xor": xor, "sine": sine, "untrained": untrained}

# Each takes the sparsity and the damping fraction, and uses what is its own.
PRUNERS: dict[str, Callable[[float, float], Pruner]] = {
    "none": lambda sparsity, fraction: NoPruning(),
    "random": lambda sparsity, fraction: RandomPruning(sparsity),
    "topk": lambda sparsity, fraction: TopK(sparsity),
    "dynamic-topk": lambda sparsity, fraction: DynamicTopK(sparsity),
    "tril-damping": lambda sparsity, fraction: TrilDamping(fraction),
    "dynamic-tril-damping": lambda sparsity, fraction: DynamicTrilDamping(fraction),
}


def named_task(name: str) -> Task:
    """A task by its name; `parity3` is parity of three inputs.

    Examples:
        >>> named_task("parity3").inputs.shape
        (8, 3)
    """
    numbered = re.fullmatch(r"parity([1-9]\d?)", name)
    if numbered:
        return parity(int(numbered[1]))
    return TASKS[_checks.known("task", name, [*TASKS, "parity2", "parity3", "parity4"])]()


def named_pruner(name: str, *, sparsity: float = 0.5, fraction: float = 0.8) -> Pruner:
    """A pruner by its name.

    Examples:
        >>> named_pruner("topk", sparsity=0.7)
        TopK(sparsity=0.7)
    """
    _checks.fraction("sparsity", sparsity)
    _checks.fraction("fraction", fraction)
    return PRUNERS[_checks.known("pruner", name, PRUNERS)](sparsity, fraction)


def named_experiment(
    task: str,
    pruner: str,
    *,
    sparsity: float = 0.5,
    fraction: float = 0.8,
    hidden: int | None = None,
    iterations: int | None = None,
) -> Experiment:
    """An experiment by the names of its task and pruner; sizes are the task's own if None.

    Examples:
        >>> named_experiment("sine", "topk", hidden=3).shape
        (4, 6)
    """
    chosen = named_task(task)
    return Experiment(
        chosen,
        hidden=chosen.hidden if hidden is None else hidden,
        iterations=chosen.iterations if iterations is None else iterations,
        pruner=named_pruner(pruner, sparsity=sparsity, fraction=fraction),
    )
