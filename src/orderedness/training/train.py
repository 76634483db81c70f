"""Training a population of networks: the public calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from jaxtyping import Bool, Int

from orderedness import _checks
from orderedness.network import CompletePerceptron
from orderedness.pruning import RandomPruning
from orderedness.training.draw import check_seeds
from orderedness.training.engine import OnProgress, train_jobs
from orderedness.training.experiment import Experiment
from orderedness.training.outcome import Outcome
from orderedness.training.plan import Job, Recording

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
    on_progress: OnProgress | None = None,
) -> Outcome: ...


@overload
def train(
    experiments: Sequence[Experiment],
    seeds: Seeds,
    *,
    loss_every: int = 1,
    snapshot_every: int = 0,
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
    recording = Recording(
        _checks.whole("loss_every", loss_every, least=1),
        _checks.whole("snapshot_every", snapshot_every, least=0),
    )
    which = check_seeds(seeds)
    several = not isinstance(experiments, Experiment)
    if several and not (initial is None and order is None and masks is None):
        raise ValueError(
            "initial, order and masks belong to one experiment, but several were given"
        )
    arms = list(experiments) if isinstance(experiments, Sequence) else [experiments]
    jobs = [_job(experiment, which, initial, order, masks) for experiment in arms]
    outcomes: dict[int, Outcome] = dict(train_jobs(jobs, recording, on_progress))
    return [outcomes[index] for index in range(len(jobs))] if several else outcomes[0]


def stream(
    experiments: Experiment | Sequence[Experiment],
    seeds: Seeds,
    *,
    chunk: int = 4096,
    loss_every: int = 1,
    snapshot_every: int = 0,
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
    recording = Recording(
        _checks.whole("loss_every", loss_every, least=1),
        _checks.whole("snapshot_every", snapshot_every, least=0),
    )
    which = check_seeds(seeds)
    arms = list(experiments) if isinstance(experiments, Sequence) else [experiments]
    jobs = [
        Job(experiment, which[start : start + chunk])
        for experiment in arms
        for start in range(0, len(which), chunk)
    ]
    for _, outcome in train_jobs(jobs, recording, on_progress):
        yield outcome


def _job(
    experiment: Experiment,
    seeds: np.ndarray,
    initial: CompletePerceptron | None,
    order: Any,
    masks: Any,
) -> Job:
    if not isinstance(experiment, Experiment):
        raise TypeError(f"experiments holds {experiment!r}, but must hold Experiments only")
    networks = len(seeds)
    if initial is not None:
        _check_initial(experiment, initial, networks)
    if order is not None:
        task = experiment.task
        order = np.asarray(order)
        meaning = "the examples of each step of each network"
        _checks.shape("order", order, (task.steps, task.batch_size, networks), meaning)
        if order.dtype.kind not in "iu" or order.min() < 0 or order.max() >= len(task.inputs):
            raise ValueError(
                f"order holds {order.dtype} from {order.min()} to {order.max()}, but must hold "
                f"whole numbers from 0 to {len(task.inputs) - 1}, the places of the examples"
            )
    if masks is not None:
        if not isinstance(experiment.pruner, RandomPruning):
            raise ValueError(
                f"masks were given, but the pruner is {experiment.pruner!r}: only RandomPruning "
                "takes masks"
            )
        masks = np.asarray(masks, bool)
        if masks.ndim == 2:
            masks = np.repeat(masks[..., None], networks, axis=-1)
        _checks.shape("masks", masks, (*experiment.shape, networks), "as the weights of each")
    return Job(experiment, seeds, initial, order, masks)


def _check_initial(experiment: Experiment, initial: CompletePerceptron, networks: int) -> None:
    units = experiment.shape[0]
    _checks.shape("initial.weights", initial.weights, (*experiment.shape, networks), "as W of each")
    _checks.shape("initial.values", initial.values, (units, networks), "as v of each network")
    if (initial.bias is None) != (experiment.bias is None):
        raise ValueError(
            f"initial.bias is {'missing' if initial.bias is None else 'given'}, but the "
            f"experiment {'has no' if experiment.bias is None else 'has a'} bias"
        )
    for name in ("weights", "values", "bias"):
        array = getattr(initial, name)
        if array is not None:
            _checks.finite(f"initial.{name}", array)
