"""Single networks through training: what the report's slider moves through."""

from __future__ import annotations

from typing import Any

import numpy as np

from orderedness.ordering import orderedness
from orderedness.paper.arms import pruner, tasks
from orderedness.training import Experiment, Outcome, train

NAMES = {
    "none": "no pruning",
    "topk": "top-k, k = 0.5",
    "dynamic_topk": "dynamic top-k, k = 0.5",
    "tril_damp": "tril-damping, f = 0.8",
}
_STRENGTHS = {"none": 0.0, "topk": 0.5, "dynamic_topk": 0.5, "tril_damp": 0.8}


def viewer_data(*, networks: int = 4, moments: int = 50, seed: int = 0) -> list[dict[str, Any]]:
    """Snapshots of a few networks of each kind, as plain data for the page.

    Examples:
        >>> data = viewer_data(networks=1, moments=2)
        >>> len(data), sorted(data[0])[:4], len(data[0]["moments"])
        (8, ['inputs', 'label', 'moments', 'network'], 3)
    """
    experiments = {
        (name, pruning): Experiment(task, pruner=pruner(pruning, strength))
        for name, task in tasks().items()
        if task.learns
        for pruning, strength in _STRENGTHS.items()
    }
    told = []
    for (name, pruning), experiment in experiments.items():
        every = max(1, experiment.task.steps // moments)
        outcome = train(
            experiment, range(seed, seed + networks), loss_every=every, snapshot_every=every
        )
        label = f"{'XOR' if name == 'xor' else 'Sine'}, {NAMES[pruning]}"
        told += [_network(outcome, label, index) for index in range(networks)]
    return told


def _network(outcome: Outcome, label: str, index: int) -> dict[str, Any]:
    assert outcome.snapshots is not None
    weights = np.concatenate([outcome.snapshots, np.asarray(outcome.final.weights)[None]])
    weights = weights[..., index]
    outputs = outcome.final.outputs
    found = orderedness(np.moveaxis(weights, 0, -1), outputs=outputs)
    steps = [*outcome.snapshot_steps.tolist(), outcome.experiment.task.steps]
    losses = [*outcome.losses[:, index].tolist(), float(outcome.final_loss[index])]
    values, orders = np.asarray(found.value), np.asarray(found.permutation)
    return {
        "label": label,
        "network": index + 1,
        "outputs": outputs,
        "inputs": outcome.final.inputs,
        "moments": [
            {
                "step": step,
                "loss": round(loss, 5),
                "O": None if np.isnan(value) else round(float(value), 4),
                "order": order.tolist(),
                "W": [[round(float(x), 2) for x in row] for row in matrix],
            }
            for step, loss, value, order, matrix in zip(
                steps, losses, values, orders.T, weights, strict=True
            )
        ],
    }
