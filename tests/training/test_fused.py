"""One kernel a network computes what the usual path computes, to rounding."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from orderedness import adam, orderedness
from orderedness.network import CompletePerceptron, uniform
from orderedness.pruning import (
    CustomPruning,
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    RandomPruning,
    TopK,
    TrilDamping,
)
from orderedness.training import Experiment, Job, Recording, Task, train, untrained, xor
from orderedness.training.block import run
from orderedness.training.fill import fill
from orderedness.training.fused import run_fused
from orderedness.training.lanes import Numbers, UnsupportedError
from orderedness.training.plan import plan

SHORT = xor(epochs=6)
RNG = np.random.default_rng(0)
BATCHES = Task("batches", RNG.random((6, 2)), RNG.random((6, 1)), batch_size=2, epochs=2)


def both(experiment, loss_every=1, **given):
    jobs = [Job(experiment, range(3 if given else 8), **given)]
    planned = next(iter(plan(jobs, Recording(loss_every, fused=True), "gpu", 2**16)))
    assert planned.program.fused
    arguments = (
        fill(planned, jobs, on_host=False),
        experiment.task.inputs,
        experiment.task.targets,
    )
    usual = jax.jit(functools.partial(run, planned.program))(*arguments)
    fused = jax.jit(functools.partial(run_fused, planned.program, interpret=True))(*arguments)
    return usual, fused


@pytest.mark.parametrize(
    "experiment",
    [
        Experiment(SHORT, hidden=1, iterations=2, pruner=DynamicTopK(0.5)),
        Experiment(SHORT, hidden=1, iterations=1, pruner=RandomPruning(0.5), bias=uniform),
        Experiment(SHORT, hidden=0, iterations=2, pruner=TrilDamping(0.5), optimiser=adam(0.1)),
        Experiment(BATCHES, hidden=1, iterations=2, pruner=TopK(0.3)),
        Experiment(BATCHES, hidden=1, iterations=2, pruner=DynamicTrilDamping(0.8)),
        Experiment(BATCHES, hidden=1, iterations=1, optimiser=optax.sgd(0.5, momentum=0.9)),
        Experiment(untrained(), hidden=1, pruner=TopK(0.5)),
        Experiment(SHORT, hidden=0, pruner=CustomPruning(lambda w, progress, key: w * 0.9)),
    ],
    ids=lambda e: f"{e.task.name}-{type(e.pruner).__name__}-{e.hidden}",
)
def test_a_kernel_computes_what_the_usual_path_computes(experiment):
    usual, fused = both(experiment)
    for ours, theirs in zip(jax.tree.leaves(fused), jax.tree.leaves(usual), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_some_losses_are_recorded_as_usual():
    usual, fused = both(Experiment(SHORT, hidden=1, iterations=1), loss_every=4)
    assert fused.losses.shape == (2, usual.losses.shape[1])
    np.testing.assert_allclose(fused.losses, usual.losses, atol=1e-6)


def test_what_is_given_is_used_and_padded():
    given = {
        "initial": CompletePerceptron(
            jnp.asarray(RNG.normal(size=(2, 4, 3)), jnp.float32), jnp.zeros((2, 3))
        ),
        "order": RNG.integers(0, 6, (BATCHES.steps, 2, 3)),
        "masks": RNG.random((2, 4, 3)) < 0.5,
    }
    experiment = Experiment(BATCHES, hidden=1, iterations=1, pruner=RandomPruning(0.5))
    usual, fused = both(experiment, **given)
    plain = train(experiment, range(3), **given)
    for found in (usual, fused):
        np.testing.assert_allclose(found.end.weights[..., :3], plain.final.weights, atol=1e-5)
        copies = np.asarray(found.end.weights[..., 2:])
        np.testing.assert_array_equal(copies, np.broadcast_to(copies[..., :1], copies.shape))
        np.testing.assert_allclose(found.losses[:, :3], plain.losses, atol=1e-5)


def test_where_there_is_no_gpu_training_is_as_usual():
    experiment = Experiment(SHORT, pruner=NoPruning())
    usual, asked = (train(experiment, range(3), fused=fused) for fused in (False, True))
    np.testing.assert_array_equal(usual.final.weights, asked.final.weights)


@pytest.mark.skipif(jax.default_backend() != "gpu", reason="needs a GPU")
def test_orderedness_agrees_on_a_gpu():
    experiment = Experiment(xor(), pruner=DynamicTopK(0.5))
    usual, fused = (train(experiment, range(2000), fused=fused) for fused in (False, True))
    assert (usual.final.weights != fused.final.weights).any(), "it is another program"
    o = [orderedness(x.final.weights, outputs=1).value.mean() for x in (usual, fused)]
    assert abs(o[0] - o[1]) < 0.002


@pytest.mark.parametrize(
    "function",
    [
        lambda x: jnp.cumsum(x, axis=1),
        lambda x: (x @ x.T).max(axis=0),
        lambda x: jnp.where(x > 0, x.T, 2.0)[::-1, 1:],
        lambda x: jax.lax.fori_loop(0, 3, lambda _, y: y * y + x, x),
        lambda x: jax.nn.softplus(x).sum(),
        lambda x: jnp.concatenate([x, x * 0 + 1], axis=0)[:, None],
    ],
)
def test_arrays_number_by_number(function):
    x = RNG.normal(size=(3, 3, 4)).astype(np.float32)
    numbers = Numbers()
    places = numbers.trace(function, numbers.add_all(list(x.reshape(9, 4)), (3, 3)))
    found = np.array([np.broadcast_to(numbers[place], 4) for place in places.ravel()])
    expected = np.stack([np.asarray(function(x[..., lane])) for lane in range(4)], axis=-1)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-5)


def test_what_has_no_meaning_number_by_number_is_refused():
    numbers = Numbers()
    places = numbers.add_all(list(np.ones((3, 4), np.float32)), (3,))
    with pytest.raises(UnsupportedError, match="sort cannot be done number by number"):
        numbers.trace(jnp.sort, places)
