"""Training what a setting says, and measuring what became of it."""

from __future__ import annotations

import dataclasses
import functools
import time

import numpy as np
from jaxtyping import Float, Int

from orderedness.explorer.setting import Setting
from orderedness.ordering import Excess, null_orderedness, orderedness
from orderedness.study import Estimate, estimate, solved_share, study_seeds
from orderedness.training import train

DRAWS = 20  # shuffles a network; of a mean over networks they say nearly as much as many
CURVE, MOMENTS = 250, 50  # recorded losses, and recorded W
WATCHED = 12  # networks whose W can be watched through training
KEPT = 32  # results kept, so that going back to a setting takes no time


@dataclasses.dataclass(frozen=True, eq=False)
class Moments:
    """W of a few networks through training.

    Attributes:
        steps: (moments,), the last one after training.
        weights: W at each moment.
        losses: the loss at each moment.
        value: O at each moment, NaN where it is undefined.
        order: units in best order, outputs first.
        outputs: output units.
    """

    steps: Int[np.ndarray, " moments"]
    weights: Float[np.ndarray, "moments units sources watched"]
    losses: Float[np.ndarray, "moments watched"]
    value: Float[np.ndarray, "moments watched"]
    order: Int[np.ndarray, "moments units watched"]
    outputs: int


@dataclasses.dataclass(frozen=True, eq=False)
class Result:
    """What a setting gave.

    Attributes:
        setting: what was asked for.
        seeds: of the networks.
        before: O before training, (networks,).
        after: O after the last pruning; NaN where nothing is left.
        null: `after` against shuffles of each network's own weights.
        by_chance: O of one such shuffle a network, to draw beside `after`.
        excess: the mean of what O is above its null, with an interval.
        hidden_excess: the same of the hidden units alone, without connections to outputs.
        change: the mean change of O.
        final_loss: loss on all examples after the last pruning.
        solved: the share of networks whose final loss is below 0.01.
        losses: (recorded, networks).
        loss_steps: the steps at which they were recorded.
        moments: single networks through training.
        seconds: how long it took.
    """

    setting: Setting
    seeds: Int[np.ndarray, " networks"]
    before: Float[np.ndarray, " networks"]
    after: Float[np.ndarray, " networks"]
    null: Excess
    by_chance: Float[np.ndarray, " networks"]
    excess: Estimate
    hidden_excess: Estimate
    change: Estimate
    final_loss: Float[np.ndarray, " networks"]
    solved: Estimate
    losses: Float[np.ndarray, "recorded networks"]
    loss_steps: Int[np.ndarray, " recorded"]
    moments: Moments
    seconds: float

    @property
    def undefined(self) -> int:
        """How many networks have no O: nothing of their square block is left."""
        return int(np.isnan(self.after).sum())


_ready: set[object] = set()


def is_ready(setting: Setting) -> bool:
    """Whether this process has compiled what the setting needs."""
    return setting.program in _ready


@functools.lru_cache(maxsize=KEPT)
def explore(setting: Setting) -> Result:
    """Train, prune, measure, and compare with chance.

    Examples:
        >>> result = explore(Setting(task="untrained control", networks=8))
        >>> result.after.shape, result.moments.weights.shape
        ((8,), (11, 6, 8, 8))
    """
    started = time.perf_counter()
    experiment = setting.experiment
    loss_every = max(1, experiment.task.steps // CURVE)
    records = experiment.task.steps // loss_every
    outcome = train(
        experiment,
        study_seeds(setting.networks, setting.seed),
        loss_every=loss_every,
        snapshot_every=loss_every * max(1, records // MOMENTS),
    )
    outputs, seeds = experiment.outputs, outcome.seeds
    final = np.asarray(outcome.final.weights)
    before = np.asarray(orderedness(outcome.initial.weights, outputs=outputs).value)
    null, one = (
        null_orderedness(final, "entries", draws=draws, seeds=seeds, outputs=outputs)
        for draws in (DRAWS, 1)
    )
    after = null.full.observed
    assert outcome.snapshots is not None
    few = slice(0, WATCHED)
    weights = np.concatenate([outcome.snapshots[..., few], final[None, ..., few]])
    found = orderedness(np.moveaxis(weights, 0, 2), outputs=outputs)
    rows = np.searchsorted(outcome.loss_steps, outcome.snapshot_steps)
    moments = Moments(
        np.append(outcome.snapshot_steps, experiment.task.steps),
        weights,
        np.concatenate([outcome.losses[rows][:, few], outcome.final_loss[None, few]]),
        np.asarray(found.value),
        np.moveaxis(np.asarray(found.permutation), 0, 1),
        outputs,
    )
    _ready.add(setting.program)
    return Result(
        setting=setting,
        seeds=seeds,
        before=before,
        after=after,
        null=null.full,
        by_chance=one.full.mean,
        excess=estimate(null.full.excess),
        hidden_excess=estimate(null.hidden.excess),
        change=estimate(after - before),
        final_loss=outcome.final_loss,
        solved=solved_share(outcome.final_loss),
        losses=outcome.losses,
        loss_steps=outcome.loss_steps,
        moments=moments,
        seconds=time.perf_counter() - started,
    )
