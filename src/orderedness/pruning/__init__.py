"""What is taken away, and when: projections of W, pruners, and a link for optax."""

from orderedness.pruning.link import PruningState, prune_with
from orderedness.pruning.projections import damp_lower, keep_largest, zero_where
from orderedness.pruning.pruners import (
    CustomPruning,
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    Pruner,
    RandomPruning,
    TopK,
    TrilDamping,
    mask_draws,
    ramp,
)

__all__ = [
    "CustomPruning",
    "DynamicTopK",
    "DynamicTrilDamping",
    "NoPruning",
    "Pruner",
    "PruningState",
    "RandomPruning",
    "TopK",
    "TrilDamping",
    "damp_lower",
    "keep_largest",
    "mask_draws",
    "prune_with",
    "ramp",
    "zero_where",
]
