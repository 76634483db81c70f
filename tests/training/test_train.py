import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from orderedness.network import CompletePerceptron, uniform, zeros
from orderedness.pruning import (
    CustomPruning,
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    RandomPruning,
    TopK,
    TrilDamping,
)
from orderedness.training import (
    Experiment,
    Job,
    Optimiser,
    Task,
    adam,
    parity,
    sine,
    stream,
    train,
    train_jobs,
    untrained,
    xor,
)


def one_at_a_time(experiment, outcome, index, order=None):
    """Train one network the plain way: a Python loop, optax, the layer's own gradient."""
    task = experiment.task
    layer = CompletePerceptron(
        jnp.asarray(outcome.initial.weights[..., index]),
        jnp.asarray(outcome.initial.values[..., index]),
        None if outcome.initial.bias is None else jnp.asarray(outcome.initial.bias[..., index]),
        outputs=experiment.outputs,
        iterations=experiment.iterations,
        activation=experiment.activation,
    )
    numbers = dict(experiment.optimiser.numbers)
    optimiser = experiment.optimiser.make(**numbers)
    state = optimiser.init(layer)

    @jax.jit
    def step(layer, state, x, y):
        loss, slopes = jax.value_and_grad(lambda layer: jnp.mean((layer(x) - y) ** 2))(layer)
        updates, state = optimiser.update(slopes, state, layer)
        return optax.apply_updates(layer, updates), state, loss

    amounts = experiment.pruner.amounts(task.progress, experiment.shape)
    losses = []
    for number in range(task.steps):
        rows = slice(None) if order is None else order[number, :, index]
        moved, state, loss = step(layer, state, task.inputs[rows], task.targets[rows])
        layer = moved if task.learns else layer
        pruned = experiment.pruner.projection(layer.weights, amounts[number], None)
        layer = dataclasses.replace(layer, weights=pruned)
        losses.append(loss)
    return layer, np.array(losses)


SHORT_SINE = sine(epochs=2)


@pytest.mark.parametrize(
    "experiment",
    [
        Experiment(xor(epochs=25), pruner=DynamicTopK(0.5)),
        Experiment(xor(epochs=25), hidden=0, iterations=1),
        Experiment(xor(epochs=25), hidden=2, iterations=2, pruner=TrilDamping(0.5)),
        Experiment(xor(epochs=25), iterations=7, bias=uniform, activation=jnp.tanh),
        Experiment(
            xor(epochs=25),
            optimiser=optax.chain(optax.clip_by_global_norm(0.1), optax.sgd(0.5, momentum=0.9)),
        ),
        Experiment(xor(epochs=25), optimiser=Optimiser.of(optax.rmsprop, learning_rate=0.02)),
        Experiment(xor(epochs=25), hidden=45, pruner=TopK(0.6)),  # batched matrix products
        Experiment(parity(3, epochs=25), weights=uniform, values=zeros, pruner=TopK(0.3)),
        Experiment(untrained(), pruner=DynamicTrilDamping(0.8)),
    ],
    ids=lambda experiment: f"{experiment.task.name}-{experiment.shape[0]}-{experiment.iterations}",
)
def test_a_population_trains_as_its_networks_would_alone(experiment):
    outcome = train(experiment, range(3))
    for index in range(3):
        layer, losses = one_at_a_time(experiment, outcome, index)
        np.testing.assert_allclose(outcome.losses[:, index], losses, atol=2e-5)
        np.testing.assert_allclose(outcome.final.weights[..., index], layer.weights, atol=2e-4)
        np.testing.assert_allclose(outcome.final.values[..., index], layer.values, atol=2e-4)
        full = jnp.mean((layer(experiment.task.inputs) - experiment.task.targets) ** 2)
        np.testing.assert_allclose(outcome.final_loss[index], full, atol=2e-5)


def test_batches_in_a_given_order():
    rng = np.random.default_rng(0)
    order = rng.integers(0, 150, (SHORT_SINE.steps, 10, 2))
    experiment = Experiment(SHORT_SINE, pruner=DynamicTopK(0.5))
    outcome = train(experiment, range(2), order=order)
    for index in range(2):
        layer, losses = one_at_a_time(experiment, outcome, index, order)
        np.testing.assert_allclose(outcome.losses[:, index], losses, atol=1e-5)
        np.testing.assert_allclose(outcome.final.weights[..., index], layer.weights, atol=1e-4)


def test_given_parameters_and_masks_are_used():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(6, 8, 4)).astype(np.float32)
    initial = CompletePerceptron(jnp.asarray(weights), jnp.zeros((6, 4)))
    mask = rng.random((6, 8)) < 0.4
    experiment = Experiment(xor(epochs=5), pruner=RandomPruning(0.5))
    outcome = train(experiment, range(4), initial=initial, masks=mask)
    np.testing.assert_array_equal(outcome.initial.weights, weights)
    assert ((outcome.final.weights == 0) == mask[..., None]).all()


def assert_same(first, second, chosen=slice(None)):
    for name in ("initial", "final", "losses", "final_loss"):
        pairs = zip(
            jax.tree.leaves(getattr(first, name)),
            jax.tree.leaves(getattr(second, name)),
            strict=True,
        )
        for ours, theirs in pairs:
            np.testing.assert_array_equal(ours, theirs[..., chosen])


MIXTURE = [
    Experiment(xor(epochs=30)),
    Experiment(xor(epochs=30), pruner=TopK(0.3)),
    Experiment(xor(epochs=30), pruner=DynamicTopK(0.8), weights=uniform),
    Experiment(xor(epochs=30), pruner=TopK(0.5), iterations=1, optimiser=adam(0.1)),
    Experiment(xor(epochs=30), pruner=TopK(0.5), iterations=2, values=zeros),
    Experiment(xor(epochs=30), pruner=TopK(0.5), iterations=9),
    Experiment(xor(epochs=30), hidden=3, pruner=RandomPruning(0.5)),
    Experiment(xor(epochs=30), pruner=RandomPruning(0.2)),
    Experiment(xor(epochs=30), pruner=CustomPruning(lambda w, progress, key: w * 0.99)),
    Experiment(SHORT_SINE, pruner=TrilDamping(0.3)),
    Experiment(SHORT_SINE, hidden=45, pruner=TopK(0.5)),
]


def test_a_network_is_the_same_to_the_bit_whatever_is_trained_beside_it():
    together = train(MIXTURE, range(5, 18))
    backwards = train(MIXTURE[::-1], range(5, 18))[::-1]
    for experiment, outcome, other in zip(MIXTURE, together, backwards, strict=True):
        assert_same(outcome, other)
        assert_same(train(experiment, range(5, 18)), outcome)
        assert_same(train(experiment, [16, 7]), outcome, [11, 2])


def test_blocks_and_chunks_change_no_bit():
    experiment = Experiment(xor(epochs=10), pruner=DynamicTopK(0.5))
    whole = train(experiment, range(600))  # several blocks
    parts = list(stream(experiment, range(600), chunk=256))
    assert [len(part) for part in parts] == [256, 256, 88]
    for part, start in zip(parts, (0, 256, 512), strict=True):
        assert_same(part, whole, slice(start, start + len(part)))
    assert_same(train(experiment, [599]), whole, [599])


def test_two_seeds_differ_and_arms_share_their_start():
    first, second = train([MIXTURE[0], MIXTURE[1]], range(2))
    np.testing.assert_array_equal(first.initial.weights, second.initial.weights)
    assert (first.initial.weights[..., 0] != first.initial.weights[..., 1]).all()
    assert (first.final.weights[..., 0] != first.final.weights[..., 1]).all()
    orders = train(Experiment(SHORT_SINE), range(2), loss_every=1)
    assert (orders.losses[1:, 0] != orders.losses[1:, 1]).any()


def test_masks_are_a_networks_own_or_shared():
    own = train(Experiment(xor(epochs=2), pruner=RandomPruning(0.5)), range(3))
    shared = train(Experiment(xor(epochs=2), pruner=RandomPruning(0.5, mask_seed=1)), range(3))
    zero = own.final.weights == 0, shared.final.weights == 0
    assert (zero[0][..., 0] != zero[0][..., 1]).any()
    assert (zero[1] == zero[1][..., :1]).all()


def test_recording_every_nth_step():
    experiment = Experiment(xor(epochs=11), pruner=TopK(0.5))
    every = train(experiment, range(2), snapshot_every=1)
    some = train(experiment, range(2), loss_every=4, snapshot_every=5)
    assert some.loss_steps.tolist() == [0, 4, 8]
    assert some.snapshot_steps.tolist() == [0, 5, 10]
    np.testing.assert_array_equal(some.losses, every.losses[[0, 4, 8]])
    np.testing.assert_array_equal(some.snapshots, every.snapshots[[0, 5, 10]])
    np.testing.assert_array_equal(every.snapshots[0], every.initial.weights)
    assert train(experiment, [0]).snapshots is None


@pytest.mark.parametrize("shape", [(6, 8), (6,), (9, 11), (0,), (1, 64)])
def test_drawn_parameters_are_what_the_initialiser_gives(shape):
    from orderedness.network import normal
    from orderedness.training.draw import Purpose, draw, keys_for

    seeds = np.array([3, 70_000], np.uint32)
    keys = keys_for(Purpose.WEIGHTS, seeds)
    for function in (normal, uniform, zeros):
        drawn = draw(function, shape, Purpose.WEIGHTS, seeds)
        assert drawn.shape == (*shape, 2)
        for network in range(2):
            np.testing.assert_array_equal(drawn[..., network], function(keys[network], shape))


def test_every_epoch_sees_every_example_once():
    from orderedness.training.draw import batch_order

    order = np.asarray(batch_order(SHORT_SINE, np.arange(3, dtype=np.uint32)))
    epochs = order.reshape(2, 150, 3)
    assert (np.sort(epochs, axis=1) == np.arange(150)[None, :, None]).all()
    assert (epochs[0] != epochs[1]).any()
    assert (epochs[..., 0] != epochs[..., 1]).any()
    large = Task("many", np.zeros((600, 1)), np.zeros((600, 1)), batch_size=256, epochs=2)
    order = np.asarray(batch_order(large, np.arange(2, dtype=np.uint32)))
    assert order.shape == (4, 256, 2)
    assert all(len(set(order[:2, :, n].ravel().tolist())) == 512 for n in range(2))


def test_outcomes_arrive_as_jobs_finish_and_progress_is_told():
    jobs = [Job(experiment, range(3)) for experiment in MIXTURE[:3]]
    told = []
    outcomes = dict(train_jobs(jobs, on_progress=told.append))
    assert sorted(outcomes) == [0, 1, 2]
    assert sum(told) == 9
    network = outcomes[1].network(2)
    np.testing.assert_array_equal(network.weights, outcomes[1].final.weights[..., 2])
    assert network(np.zeros((4, 2))).shape == (4, 1)


def test_xor_is_learned():
    outcome = train(Experiment(xor()), range(50))
    assert np.mean(outcome.final_loss < 0.01) > 0.8


LAYER = CompletePerceptron(jnp.zeros((6, 8, 2)), jnp.zeros((6, 2)))
XOR = Experiment(xor(epochs=2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: train(XOR, []), "seeds is"),
        (lambda: train(XOR, [0, 2**32]), r"seeds\[1\] is 4294967296"),
        (lambda: train(XOR, [0.5]), "seeds is"),
        (lambda: train(XOR, [0], initial=LAYER), r"initial.weights has shape \(6, 8, 2\)"),
        (
            lambda: train(
                XOR, [0, 1], initial=dataclasses.replace(LAYER, weights=LAYER.weights + jnp.nan)
            ),
            r"initial.weights\[0, 0, 0\] is nan",
        ),
        (
            lambda: train(XOR, [0, 1], initial=dataclasses.replace(LAYER, bias=LAYER.values)),
            "initial.bias is given, but the experiment has no bias",
        ),
        (lambda: train(XOR, [0], order=np.zeros((3, 4, 1), int)), r"order has shape \(3, 4, 1\)"),
        (lambda: train(XOR, [0], order=np.full((2, 4, 1), 4)), "order holds int64 from 4 to 4"),
        (lambda: train(XOR, [0], masks=np.zeros((6, 8))), "only RandomPruning takes masks"),
        (lambda: train([XOR], [0], initial=LAYER), "belong to one experiment"),
        (lambda: train(XOR, [0], loss_every=0), "loss_every is 0"),
        (lambda: list(stream(XOR, [0], chunk=0)), "chunk is 0"),
        (lambda: Experiment(xor(), hidden=-1), "hidden is -1"),
        (lambda: Experiment(xor(), iterations=0), "iterations is 0"),
        (lambda: xor("wrote"), "reading is 'wrote', but must be one of run, written"),
        (lambda: parity(0), "inputs is 0"),
        (lambda: Task("t", [[1]], [[1], [2]], 1, 1), "targets has 2 rows"),
        (lambda: Task("t", [[1]], [[1]], 2, 1), "batch_size is 2"),
        (lambda: Task("t", [1, 2], [[1]], 1, 1), r"inputs has shape \(2,\)"),
        (lambda: Task("t", [[np.inf]], [[1]], 1, 1), r"inputs\[0, 0\] is inf"),
    ],
)
def test_bad_input_gets_one_sentence(make, message):
    with pytest.raises(ValueError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [{"pruner": lambda w: w}, {"optimiser": 0.01}, {"weights": None}, {"activation": "tanh"}],
)
def test_wrong_kinds_are_named(arguments):
    [name] = arguments
    with pytest.raises(TypeError, match=f"^{name} is"):
        Experiment(xor(), **arguments)


def test_fingerprints_tell_tasks_apart():
    tasks = [
        xor(),
        xor(epochs=5),
        xor("written"),
        parity(2),
        sine(),
        sine("written"),
        sine("written", seed=1),
        untrained(),
        untrained(sine()),
        untrained(reading="written"),
    ]
    assert len({task.fingerprint for task in tasks}) == len(tasks)
    assert xor().fingerprint == xor().fingerprint
    assert NoPruning() == NoPruning()
