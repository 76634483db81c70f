"""Measure, and explain, order in recurrent networks.

Public names are loaded when they are first used, so that measuring a matrix does not import JAX
and asking for help imports next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orderedness._lazy import lazily
from orderedness._version import __version__

if TYPE_CHECKING:
    from orderedness.measuring import Measured, measure
    from orderedness.network import (
        MLP,
        CompletePerceptron,
        Recurrent,
        from_mlp,
        normal,
        uniform,
        zeros,
    )
    from orderedness.ordering import Orderedness, Ordering, Problem, orderedness
    from orderedness.ordering.solve import solve
    from orderedness.pruning import (
        CustomPruning,
        DynamicTopK,
        DynamicTrilDamping,
        NoPruning,
        Pruner,
        RandomPruning,
        TopK,
        TrilDamping,
        prune_with,
    )
    from orderedness.training import (
        Experiment,
        Optimiser,
        Outcome,
        Task,
        adam,
        parity,
        sine,
        stream,
        train,
        untrained,
        xor,
    )

_HOME = {
    "measuring": ("Measured", "measure"),
    "network": (
        "MLP",
        "CompletePerceptron",
        "Recurrent",
        "from_mlp",
        "normal",
        "uniform",
        "zeros",
    ),
    "ordering": ("Ordering", "Orderedness", "Problem", "orderedness", "solve"),
    "pruning": (
        "CustomPruning",
        "DynamicTopK",
        "DynamicTrilDamping",
        "NoPruning",
        "Pruner",
        "RandomPruning",
        "TopK",
        "TrilDamping",
        "prune_with",
    ),
    "training": (
        "Experiment",
        "Optimiser",
        "Outcome",
        "Task",
        "adam",
        "parity",
        "sine",
        "stream",
        "train",
        "untrained",
        "xor",
    ),
}
__all__ = [
    "MLP",
    "CompletePerceptron",
    "CustomPruning",
    "DynamicTopK",
    "DynamicTrilDamping",
    "Experiment",
    "Measured",
    "NoPruning",
    "Optimiser",
    "Orderedness",
    "Ordering",
    "Outcome",
    "Problem",
    "Pruner",
    "RandomPruning",
    "Recurrent",
    "Task",
    "TopK",
    "TrilDamping",
    "__version__",
    "adam",
    "from_mlp",
    "measure",
    "normal",
    "orderedness",
    "parity",
    "prune_with",
    "sine",
    "solve",
    "stream",
    "train",
    "uniform",
    "untrained",
    "xor",
    "zeros",
]

__getattr__, __dir__ = lazily(__name__, _HOME)
