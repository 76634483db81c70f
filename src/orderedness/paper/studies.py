"""The paper as studies: what must be trained for its tables, figures and claims."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from orderedness.paper.arms import PRUNERS, SPARSITIES, figure2, figure3, pruner, tasks
from orderedness.paper.table1 import experiments
from orderedness.study import Record, Study
from orderedness.training import Experiment, Reading, Task, untrained

# The untrained control of the size of Sine; the paper's own, "none", is of the size of XOR.
SINE_CONTROL = "sine_control"
CONTROL_OF = {"xor": "none", "sine": SINE_CONTROL}

_BLOCK = 256

Arms = list[tuple[dict[str, str | float], Experiment]]


def studies(
    networks: int,
    reading: Reading = "run",
    *,
    seed: int = 0,
    shared_mask: bool = False,
    count_inputs: bool = False,
) -> Mapping[str, Study]:
    """All studies of the paper, by name.

    Blocks hold 256 networks, or the next power of two where fewer are asked for: few networks
    should not cost as much as many.

    Args:
        networks: networks a cell.
        reading: as run or as written.
        seed: seed of the studies; another one gives other networks.
        shared_mask: one random mask for all networks in Table 1, as in the paper.
        count_inputs: whether input columns count in S, as the paper's text has it.

    Examples:
        >>> {name: len(study.arms) for name, study in studies(10).items()}
        {'table1': 32, 'figure2': 80, 'figure3': 200, 'training': 4}
    """
    block = min(_BLOCK, 1 << max(networks - 1, 0).bit_length())
    plain = Record(count_inputs=count_inputs)
    counted = "-inputs-counted" if count_inputs else ""
    # Of a cell's mean excess, a few shuffles a network say nearly as much as many.
    few = dataclasses.replace(plain, nulls=("entries",), null_draws=20)
    chosen: dict[str, tuple[Arms, Record]] = {
        "table1": (
            _table1(reading, seed, shared_mask),
            dataclasses.replace(few, null_draws=100),
        ),
        "figure2": (
            [
                ({"task": a.task, "hidden": a.hidden, "iterations": a.iterations}, a.experiment)
                for a in figure2(reading, seed=seed)
            ],
            few,
        ),
        "figure3": (_figure3(reading, seed), few),
        "training": (_training(reading, seed), dataclasses.replace(plain, loss_every=1)),
    }
    return {
        name: Study(f"{name}-as-{reading}{counted}", arms, networks, seed, block, record)
        for name, (arms, record) in chosen.items()
    }


def _table1(reading: Reading, seed: int, shared_mask: bool) -> Arms:
    """Table 1, and each of its rows on an untrained network of the size of Sine."""
    cells = experiments(reading, seed=seed, shared_mask=shared_mask)
    control = untrained(tasks(reading, seed=seed)["sine"], reading)
    arms: Arms = [
        ({"row": row, "column": column}, experiment) for (row, column), experiment in cells.items()
    ]
    for (row, column), experiment in cells.items():
        if column == "sine":
            arms.append(({"row": row, "column": SINE_CONTROL}, _on(experiment, control)))
    return arms


def _figure3(reading: Reading, seed: int) -> Arms:
    """Figure 3, and its pruners on an untrained network of the size of Sine."""
    arms: Arms = [
        ({"task": a.task, "pruner": a.pruner, "strength": a.strength}, a.experiment)
        for a in figure3(reading, seed=seed)
    ]
    control = untrained(tasks(reading, seed=seed)["sine"], reading)
    for name in PRUNERS:
        for strength in SPARSITIES:
            labels: dict[str, str | float] = {
                "task": SINE_CONTROL,
                "pruner": name,
                "strength": strength,
            }
            arms.append((labels, Experiment(control, pruner=pruner(name, strength))))
    return arms


def _training(reading: Reading, seed: int) -> Arms:
    """No pruning and dynamic top-k on both tasks, with all losses: figure 5 and claim 1."""
    return [
        (
            {"task": name, "pruner": pruning},
            Experiment(tasks(reading, seed=seed)[name], pruner=pruner(pruning, 0.5)),
        )
        for name in ("xor", "sine")
        for pruning in ("none", "dynamic_topk")
    ]


def _on(experiment: Experiment, control: Task) -> Experiment:
    return dataclasses.replace(experiment, task=control, iterations=control.iterations)
