"""The MLP baseline of the paper's figure 4: trained until its loss is low, then stopped."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from orderedness import _checks
from orderedness.network import MLP
from orderedness.training import optimiser
from orderedness.training.draw import Purpose, check_seeds, epoch_order, keys_for
from orderedness.training.optimiser import Optimiser, adam, as_optimiser
from orderedness.training.task import Reading, Task, sine, xor

_WIDTH = 128  # networks trained together


@dataclasses.dataclass(frozen=True)
class Baseline:
    """An MLP, its task, and when to stop.

    Attributes:
        task: what is learned, in batches of the task's size.
        sizes: units in each layer, inputs first.
        epochs: epochs at most.
        stop_below: a network stops after the first epoch whose mean loss is below this.
        optimiser: as in an `Experiment`.

    Examples:
        >>> xor_baseline().sizes, sine_baseline().sizes, sine_baseline("written").sizes
        ((2, 2, 1), (2, 10, 10, 1), (2, 10, 1))
    """

    task: Task
    sizes: tuple[int, ...]
    epochs: int
    stop_below: float
    optimiser: Optimiser = dataclasses.field(default_factory=adam)

    def __post_init__(self) -> None:
        _checks.whole("epochs", self.epochs, least=1)
        ends = self.task.inputs.shape[1], self.task.targets.shape[1]
        if len(self.sizes) < 2 or (self.sizes[0], self.sizes[-1]) != ends:
            raise ValueError(
                f"sizes is {self.sizes}, but must begin with the task's {ends[0]} inputs and end "
                f"with its {ends[1]} outputs"
            )


def xor_baseline(reading: Reading = "run") -> Baseline:
    """XOR by a 2-2-1 MLP, at most 10,000 epochs."""
    return Baseline(xor(reading), (2, 2, 1), 10_000, _stop_below(reading))


def sine_baseline(reading: Reading = "run", *, seed: int = 0) -> Baseline:
    """Sine by a 2-10-10-1 MLP as run, 2-10-1 as written, at most 1,000 epochs."""
    sizes = (2, 10, 10, 1) if reading == "run" else (2, 10, 1)
    return Baseline(sine(reading, seed=seed), sizes, 1_000, _stop_below(reading))


def _stop_below(reading: Reading) -> float:
    return 3e-3 if _checks.known("reading", reading, ["run", "written"]) == "run" else 1e-3


@dataclasses.dataclass(frozen=True, eq=False)
class BaselineOutcome:
    """Trained baselines; networks are on the last axis.

    Attributes:
        baseline: what was trained.
        seeds: (networks,).
        final: the MLPs when they stopped.
        losses: (epochs, networks), the mean loss of each epoch; NaN after a network stopped.
        epochs_run: (networks,), how many epochs each ran.
    """

    baseline: Baseline
    seeds: Int[np.ndarray, " networks"]
    final: MLP
    losses: Float[np.ndarray, "epochs networks"]
    epochs_run: Int[np.ndarray, " networks"]

    def curve(self) -> Float[np.ndarray, "epochs networks"]:
        """The losses up to the epoch at which the first network stopped."""
        return self.losses[: self.epochs_run.min()]


def train_baseline(baseline: Baseline, seeds: Any) -> BaselineOutcome:
    """Train one MLP a seed.

    Examples:
        >>> import dataclasses
        >>> outcome = train_baseline(dataclasses.replace(xor_baseline(), epochs=20), range(3))
        >>> outcome.losses.shape, outcome.epochs_run.tolist()
        ((20, 3), [20, 20, 20])
    """
    which = check_seeds(seeds)
    blocks = [
        _train_block(baseline, which[at : at + _WIDTH]) for at in range(0, len(which), _WIDTH)
    ]
    final, losses, running = jax.tree.map(lambda *parts: np.concatenate(parts, axis=-1), *blocks)
    losses = np.where(running, losses, np.nan)
    return BaselineOutcome(baseline, which, final, losses, running.sum(axis=0))


def _train_block(baseline: Baseline, seeds: np.ndarray) -> Any:
    """Train in a block of fixed width, so that no bit depends on how many there are."""
    padded = np.pad(seeds, (0, _WIDTH - len(seeds)), mode="edge").astype(np.uint32)
    trained = _train(
        baseline.sizes,
        baseline.task.batch_size,
        baseline.epochs,
        baseline.optimiser,
        np.float32(baseline.stop_below),
        padded,
        baseline.task.inputs,
        baseline.task.targets,
    )
    return jax.tree.map(lambda array: np.asarray(array)[..., : len(seeds)], trained)


class _Carry(NamedTuple):
    mlp: MLP
    state: Any
    running: Bool[Array, " networks"]


@functools.partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _train(
    sizes: tuple[int, ...],
    batch_size: int,
    epochs: int,
    chosen: Optimiser,
    stop_below: Array,
    seeds: Array,
    inputs: Array,
    targets: Array,
) -> tuple[MLP, Array, Array]:
    make = as_optimiser(chosen).make
    numbers = {name: jnp.full(seeds.shape, value) for name, value in chosen.numbers}
    orders = keys_for(Purpose.ORDER, seeds)
    examples = inputs.shape[0]

    def total(mlp: MLP, x: Array, y: Array) -> tuple[Array, Array]:
        error = mlp(x) - y
        losses = jnp.mean(error * error, axis=(0, 1))
        return jnp.sum(losses), losses

    def step(carry: _Carry, rows: Array) -> tuple[_Carry, Array]:
        x, y = (jnp.moveaxis(table[rows], -1, 1) for table in (inputs, targets))
        (_, losses), slopes = jax.value_and_grad(total, has_aux=True)(carry.mlp, x, y)
        stepped = optimiser.update(make, numbers, slopes, carry.state, carry.mlp, 1)
        mlp, state = jax.tree.map(
            lambda new, old: jnp.where(carry.running, new, old), stepped, (carry.mlp, carry.state)
        )
        return _Carry(mlp, state, carry.running), losses

    def epoch(carry: _Carry, number: Array) -> tuple[_Carry, tuple[Array, Array]]:
        ran = carry.running
        carry, losses = jax.lax.scan(step, carry, epoch_order(orders, number, examples, batch_size))
        mean = jnp.mean(losses, axis=0)
        return carry._replace(running=ran & (mean >= stop_below)), (mean, ran)

    keys = keys_for(Purpose.WEIGHTS, seeds)
    mlp = jax.vmap(lambda key: MLP.init(sizes, key=key), out_axes=-1)(keys)
    begin = _Carry(mlp, optimiser.init(make, numbers, mlp, 1), jnp.ones(seeds.shape, bool))
    last, (losses, running) = jax.lax.scan(epoch, begin, jnp.arange(epochs))
    return last.mlp, losses, running
