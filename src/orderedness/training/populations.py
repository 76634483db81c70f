"""Training a population of networks: the public calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from jaxtyping import Bool, Int

from orderedness import _checks
from orderedness.network import CompletePerceptron
from orderedness.training.draw import check_seeds
from orderedness.training.engine import OnProgress, train_jobs
from orderedness.training.experiment import Experiment
from orderedness.training.job import Job
from orderedness.training.outcome import Outcome
from orderedness.training.plan import Recording

Seeds = Sequence[int] | Int[np.ndarray, " networks"]


@overload
def train(
    experiments: Experiment,
    seeds: Seeds,
    *,
    initial: CompletePerceptron | None = None,
    order: Int[np.ndarray, "steps batch networks"] | None = None,
    masks: Bool[np.ndarray, "units sources networks"] | None = None,
    loss_every: int = 1,
    snapshot_every: int = 0,
    fused: bool = False,
    on_progress: OnProgress | None = None,
) -> Outcome: ...


@overload
def train(
    experiments: Sequence[Experiment],
    seeds: Seeds,
    *,
    loss_every: int = 1,
    snapshot_every: int = 0,
    fused: bool = False,
    on_progress: OnProgress | None = None,
) -> list[Outcome]: ...


def train(
    experiments: Experiment | Sequence[Experiment],
    seeds: Seeds,
    *,
    initial: CompletePerceptron | None = None,
    order: Int[np.ndarray, "steps batch networks"] | None = None,
    masks: Bool[np.ndarray, "units sources networks"] | None = None,
    loss_every: int = 1,
    snapshot_every: int = 0,
    fused: bool = False,
    on_progress: OnProgress | None = None,
) -> Outcome | list[Outcome]:
    """Train one network a seed, of one experiment or of each of several.

    What a network becomes depends on its experiment and its seed alone: the same seed gives the
    same bits whatever else is trained beside it, on the same kind of device. Experiments that
    share a task's shape start the same seed from the same weights, so differences are paired.

    Args:
        experiments: one experiment, or several of any kinds.
        seeds: one whole number from 0 to 2**32 - 1 a network.
        initial: initial parameters instead of drawn ones; arrays end in an axis of networks.
        order: the examples of each step instead of drawn ones, (steps, batch, networks).
        masks: for random pruning, True where a weight is zeroed, (units, sources, networks), or
            (units, sources) for one mask shared by all.
        loss_every: record the loss before every n-th step.
        snapshot_every: record W before every n-th step; 0 for never.
        fused: on a GPU, train each network by one kernel from start to end. That takes longer to
            compile (20 s for XOR, two minutes and more for larger layers) and is several times
            faster afterwards: for millions of networks. Results differ from the usual ones by
            rounding. Where it cannot be done (on a CPU, with snapshots, for large layers) training
            is as usual.
        on_progress: called with the number of networks finished since it was last called.

    Returns:
        An `Outcome`, or a list of them in the order of `experiments`.

    Examples:
        >>> from orderedness.pruning import DynamicTopK, TopK
        >>> from orderedness.training import Experiment, xor
        >>> outcome = train(Experiment(xor(epochs=20), pruner=TopK(0.5)), seeds=range(3))
        >>> outcome.final.weights.shape, outcome.losses.shape
        ((6, 8, 3), (20, 3))
        >>> arms = [Experiment(xor(epochs=20), pruner=DynamicTopK(s)) for s in (0.2, 0.8)]
        >>> [int((o.final.weights != 0).sum()) for o in train(arms, seeds=[7])]
        [38, 10]
    """
    recording = _recording(loss_every, snapshot_every, fused)
    if isinstance(experiments, Experiment):
        job = Job(experiments, seeds, initial, order, masks)
        [(_, outcome)] = train_jobs([job], recording, on_progress)
        return outcome
    if not (initial is None and order is None and masks is None):
        raise ValueError(
            "initial, order and masks belong to one experiment, but several were given"
        )
    jobs = [Job(experiment, seeds) for experiment in experiments]
    outcomes = dict(train_jobs(jobs, recording, on_progress))
    return [outcomes[index] for index in range(len(jobs))]


def stream(
    experiments: Experiment | Sequence[Experiment],
    seeds: Seeds,
    *,
    chunk: int = 4096,
    loss_every: int = 1,
    snapshot_every: int = 0,
    fused: bool = False,
    on_progress: OnProgress | None = None,
) -> Iterator[Outcome]:
    """Train like `train`, but yield the outcome of `chunk` networks at a time.

    Memory stays bounded however many networks there are, as long as outcomes are not kept.

    Examples:
        >>> from orderedness.training import Experiment, xor
        >>> [len(part) for part in stream(Experiment(xor(epochs=2)), range(10), chunk=4)]
        [4, 4, 2]
    """
    _checks.whole("chunk", chunk, least=1)
    which = check_seeds(seeds)
    arms = [experiments] if isinstance(experiments, Experiment) else experiments
    starts = range(0, len(which), chunk)
    jobs = [Job(arm, which[start : start + chunk]) for arm in arms for start in starts]
    for _, outcome in train_jobs(jobs, _recording(loss_every, snapshot_every, fused), on_progress):
        yield outcome


def _recording(loss_every: int, snapshot_every: int, fused: bool) -> Recording:
    return Recording(
        _checks.whole("loss_every", loss_every, least=1),
        _checks.whole("snapshot_every", snapshot_every, least=0),
        fused,
    )
