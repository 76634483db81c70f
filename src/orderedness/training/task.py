"""Tasks: examples, how long to train on them, and the layer the paper uses for them."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
from typing import Literal

import numpy as np
from jaxtyping import Float

from orderedness import _checks

Reading = Literal["run", "written"]
"""Which reading of the paper: what produced its numbers ("run"), or what its text says."""

Examples = Float[np.ndarray, "examples features"]


@dataclasses.dataclass(frozen=True, eq=False)
class Task:
    """Examples to learn, and how.

    Attributes:
        name: for tables and messages.
        inputs: (examples, inputs).
        targets: (examples, outputs).
        batch_size: examples a step. Fewer than all are reshuffled each epoch, and what is left
            over after whole batches sits that epoch out.
        epochs: passes through the examples.
        hidden: hidden units, unless an experiment says otherwise.
        iterations: T, unless an experiment says otherwise.
        learns: False for a control that takes no optimiser steps and is only pruned.
        progress_by: "epoch" counts epochs from 0, so progress never reaches 1 (the paper as run);
            "step" is step / (steps - 1), which does (as written).
        test: (inputs, targets) to test on, if any.

    Examples:
        >>> task = Task("and", [[0, 0], [0, 1], [1, 0], [1, 1]], [[0], [0], [0], [1]],
        ...             batch_size=2, epochs=100)
        >>> task.steps, task.inputs.shape
        (200, (4, 2))
    """

    name: str
    inputs: Examples
    targets: Examples
    batch_size: int
    epochs: int
    hidden: int = 5
    iterations: int = 3
    learns: bool = True
    progress_by: Literal["epoch", "step"] = "epoch"
    test: tuple[Examples, Examples] | None = None

    def __post_init__(self) -> None:
        inputs, targets = _examples("inputs", self.inputs), _examples("targets", self.targets)
        _paired("targets", inputs, targets)
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "targets", targets)
        if self.test is not None:
            held_out = _examples("test[0]", self.test[0]), _examples("test[1]", self.test[1])
            _paired("test[1]", *held_out)
            object.__setattr__(self, "test", held_out)
        _checks.whole("epochs", self.epochs, least=1)
        _checks.whole("hidden", self.hidden, least=0)
        _checks.whole("iterations", self.iterations, least=1)
        _checks.known("progress_by", self.progress_by, ["epoch", "step"])
        if _checks.whole("batch_size", self.batch_size, least=1) > len(inputs):
            raise ValueError(
                f"batch_size is {self.batch_size}, but must be at most the number of examples, "
                f"{len(inputs)}"
            )

    @property
    def batches(self) -> int:
        """Steps an epoch."""
        return len(self.inputs) // self.batch_size

    @property
    def steps(self) -> int:
        """Steps in all."""
        return self.epochs * self.batches

    @property
    def progress(self) -> Float[np.ndarray, " steps"]:
        """The training progress x at each step, in double precision.

        Examples:
            >>> xor(epochs=4).progress.tolist(), xor("written", epochs=5).progress.tolist()
            ([0.0, 0.25, 0.5, 0.75], [0.0, 0.25, 0.5, 0.75, 1.0])
        """
        if self.progress_by == "epoch":
            return np.repeat(np.arange(self.epochs) / self.epochs, self.batches)
        return np.arange(self.steps) / max(self.steps - 1, 1)

    @functools.cached_property
    def fingerprint(self) -> str:
        """A digest of everything that can change a result; equal tasks have equal ones."""
        told = dataclasses.asdict(self) | {"test": None}
        told["inputs"], told["targets"] = self.inputs.shape, self.targets.shape
        digest = hashlib.sha256(repr(sorted(told.items())).encode())
        for array in itertools.chain((self.inputs, self.targets), self.test or ()):
            digest.update(array.tobytes())
        return digest.hexdigest()[:16]


def xor(reading: Reading = "run", *, epochs: int = 1000) -> Task:
    """The four rows of XOR, all in each step; 5 hidden units, 3 iterations.

    Examples:
        >>> xor().targets.ravel().tolist()
        [0.0, 1.0, 1.0, 0.0]
    """
    task = parity(2, epochs=epochs)
    return dataclasses.replace(task, name="xor", progress_by=_progress_by(reading))


def parity(inputs: int, *, epochs: int = 1000, hidden: int = 5, iterations: int = 3) -> Task:
    """Whether an odd number of the inputs is 1: all rows in each step. XOR is `parity(2)`.

    Examples:
        >>> parity(3).inputs.shape, parity(3).targets.ravel().tolist()
        ((8, 3), [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0])
    """
    _checks.whole("inputs", inputs, least=1)
    rows = np.array(list(itertools.product([0.0, 1.0], repeat=inputs)))
    odd = rows.sum(axis=1, keepdims=True) % 2
    return Task(
        f"parity{inputs}",
        rows,
        odd,
        batch_size=len(rows),
        epochs=epochs,
        hidden=hidden,
        iterations=iterations,
    )


def sine(reading: Reading = "run", *, epochs: int = 40, seed: int = 0) -> Task:
    """(sin a + sin b) / 2 from a and b: 150 points in batches of 10, reshuffled each epoch.

    As run, the points are (a, a + 0.01) for a = 0, 0.02, ..., 2.98 and there are 8 hidden units.
    As written, a and b are independent and uniform on [0, 3], drawn from `seed`, with 150 more to
    test on, and there are 10 hidden units.

    Examples:
        >>> sine().inputs[1], sine().hidden, sine("written").hidden
        (array([0.02, 0.03], dtype=float32), 8, 10)
    """
    by = _progress_by(reading)
    if reading == "run":
        first = np.arange(150) * 0.02
        points, test = np.stack([first, first + 0.01], axis=1), None
    else:
        draws = np.random.default_rng(seed).uniform(0, 3, (300, 2))
        points, test = draws[:150], (draws[150:], _mean_sine(draws[150:]))
    return Task(
        "sine",
        points,
        _mean_sine(points),
        batch_size=10,
        epochs=epochs,
        hidden=8 if reading == "run" else 10,
        progress_by=by,
        test=test,
    )


def untrained(like: Task | None = None, reading: Reading = "run", *, steps: int = 10) -> Task:
    """The control: the layer of `like` (XOR by default), pruned for a few steps and never trained.

    As run, its losses are computed with one iteration; the text implies those of `like`.

    Examples:
        >>> untrained().steps, untrained().learns, untrained().iterations
        (10, False, 1)
    """
    like = xor(reading) if like is None else like
    return dataclasses.replace(
        like,
        name="untrained",
        batch_size=len(like.inputs),
        epochs=steps,
        iterations=1 if reading == "run" else like.iterations,
        learns=False,
        progress_by=_progress_by(reading),
    )


def _progress_by(reading: Reading) -> Literal["epoch", "step"]:
    return "epoch" if _checks.known("reading", reading, ["run", "written"]) == "run" else "step"


def _mean_sine(points: np.ndarray) -> np.ndarray:
    return np.sin(points).mean(axis=1, keepdims=True)


def _examples(name: str, given: object) -> Examples:
    array = _checks.finite(name, given).astype(np.float32)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(
            f"{name} has shape {array.shape}, but must have shape (examples, features) with at "
            "least one of each"
        )
    array.setflags(write=False)
    return array


def _paired(name: str, inputs: Examples, targets: Examples) -> None:
    if len(inputs) != len(targets):
        raise ValueError(
            f"{name} has {len(targets)} rows, but must have one an example: {len(inputs)}"
        )
