"""Table 1: replayed from the paper's draws, or computed afresh with networks of one's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from orderedness.network import CompletePerceptron, uniform, zeros
from orderedness.ordering import orderedness
from orderedness.paper.draws import draws
from orderedness.paper.published import COLUMNS, ROWS, TABLE1, UNTRAINED_ORDEREDNESS
from orderedness.pruning import (
    DynamicTopK,
    DynamicTrilDamping,
    RandomPruning,
    TopK,
    TrilDamping,
)
from orderedness.study import study_seeds
from orderedness.training import (
    Experiment,
    Job,
    OnProgress,
    Outcome,
    Reading,
    Task,
    sine,
    train,
    train_jobs,
    untrained,
    xor,
)


@dataclasses.dataclass(frozen=True, eq=False)
class Cell:
    """One cell of Table 1.

    Attributes:
        row: which initialisation or pruner.
        column: which task; `none` is the untrained control.
        networks: the change of orderedness of each network, NaN where it is undefined; in column
            `untrained_orderedness`, the orderedness itself.

    Examples:
        >>> cell = Cell("topk", "xor", np.array([0.1, 0.3, np.nan]))
        >>> round(cell.mean, 3), round(cell.std, 3), cell.undefined, cell.agrees
        (0.2, 0.1, 1, False)
    """

    row: str
    column: str
    networks: Float[np.ndarray, " networks"]

    @property
    def defined(self) -> Float[np.ndarray, " defined"]:
        """The networks whose orderedness is defined."""
        return self.networks[np.isfinite(self.networks)]

    @property
    def undefined(self) -> int:
        """How many networks lost every recurrent weight."""
        return len(self.networks) - len(self.defined)

    @property
    def mean(self) -> float:
        """Mean over the defined networks; NaN if there is none."""
        return float(self.defined.mean()) if len(self.defined) else float("nan")

    @property
    def std(self) -> float:
        """Population standard deviation (ddof 0), as in the paper."""
        return float(self.defined.std()) if len(self.defined) else float("nan")

    @property
    def published(self) -> tuple[float, float] | None:
        """Mean and standard deviation as printed, or None if the paper prints no such cell."""
        return TABLE1.get((self.row, self.column))

    @property
    def agrees(self) -> bool | None:
        """Whether both numbers are the printed ones to the third decimal."""
        if self.published is None:
            return None
        ours = [_three(self.mean), _three(self.std)]
        return ours == [_three(number) for number in self.published]

    def as_json(self) -> dict[str, Any]:
        """The cell as plain data; None for NaN and for what is not printed."""
        published = self.published or (None, None)
        return {
            "row": self.row,
            "column": self.column,
            "mean": _or_none(self.mean),
            "std": _or_none(self.std),
            "published_mean": published[0],
            "published_std": published[1],
            "networks": [_or_none(network) for network in self.networks.tolist()],
        }


def experiments(
    reading: Reading = "run", *, seed: int = 0, shared_mask: bool = False
) -> dict[tuple[str, str], Experiment]:
    """The 24 experiments of Table 1, by row and column.

    Args:
        reading: as run or as written.
        seed: seed of the study, for the points of Sine as written and for a shared mask.
        shared_mask: one random mask for all networks, as in the paper, instead of one each.
    """
    tasks: dict[str, Task] = {
        "none": untrained(reading=reading),
        "xor": xor(reading),
        "sine": sine(reading, seed=seed),
    }
    arms: dict[str, dict[str, Any]] = {
        "default": {},
        "uniform_weights": {"weights": uniform},
        "zero_values": {"values": zeros},
        "random": {"pruner": RandomPruning(0.5, mask_seed=seed if shared_mask else None)},
        "topk": {"pruner": TopK(0.5)},
        "dynamic_topk": {"pruner": DynamicTopK(0.5)},
        "tril_damp": {"pruner": TrilDamping(0.8)},
        "dynamic_tril_damp": {"pruner": DynamicTrilDamping(0.8)},
    }
    return {(row, column): Experiment(tasks[column], **arms[row]) for row, column in _cells()}


def replay() -> list[Cell]:
    """Table 1 from the paper's own draws: 240 networks, number for number."""
    arms = experiments()
    jobs = []
    for (row, column), experiment in arms.items():
        given = draws(row, column)
        initial = CompletePerceptron(jnp.asarray(given.weights), jnp.asarray(given.values))
        networks = range(given.weights.shape[-1])
        jobs.append(Job(experiment, networks, initial, given.order, given.mask))
    return _table(arms, dict(train_jobs(jobs)), count_inputs=False)


def afresh(
    networks: int,
    reading: Reading = "run",
    *,
    seed: int = 0,
    shared_mask: bool = False,
    count_inputs: bool = False,
    on_progress: OnProgress | None = None,
) -> list[Cell]:
    """Table 1 with networks of one's own, the same initial draws in every row that can share them.

    Args:
        networks: networks a cell.
        reading: as run or as written.
        seed: another seed gives other networks, with none in common.
        shared_mask: one random mask for all networks, as in the paper, instead of one each.
        count_inputs: whether input columns count in S, as the paper's text has it.
        on_progress: called with the number of networks finished since it was last called.
    """
    seeds = study_seeds(networks, seed)
    arms = experiments(reading, seed=seed, shared_mask=shared_mask)
    outcomes = train(list(arms.values()), seeds, loss_every=1000, on_progress=on_progress)
    return _table(arms, dict(enumerate(outcomes)), count_inputs=count_inputs)


def _cells() -> list[tuple[str, str]]:
    return [(row, column) for row in ROWS for column in COLUMNS]


def _table(
    arms: Iterable[tuple[str, str]], outcomes: Mapping[int, Outcome], *, count_inputs: bool
) -> list[Cell]:
    """The cells of all arms, with the first column of the table of initialisations first."""
    cells = [
        cell
        for number, (row, column) in enumerate(arms)
        for cell in _measure(row, column, outcomes[number], count_inputs=count_inputs)
    ]
    return sorted(cells, key=lambda cell: cell.column != UNTRAINED_ORDEREDNESS)


def _measure(row: str, column: str, outcome: Outcome, *, count_inputs: bool) -> Iterator[Cell]:
    before, after = (
        np.asarray(
            orderedness(layer.weights, outputs=layer.outputs, count_inputs=count_inputs).value
        )
        for layer in (outcome.initial, outcome.final)
    )
    if (row, UNTRAINED_ORDEREDNESS) in TABLE1 and column == "none":
        yield Cell(row, UNTRAINED_ORDEREDNESS, before)
    yield Cell(row, column, after - before)


def _three(number: float) -> str:
    """Three decimals, without a negative zero."""
    text = f"{number:.3f}"
    return "0.000" if text == "-0.000" else text


def _or_none(number: float) -> float | None:
    return number if np.isfinite(number) else None
