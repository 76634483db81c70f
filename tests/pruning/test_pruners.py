import math

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.network import CompletePerceptron
from orderedness.pruning import (
    CustomPruning,
    DynamicTopK,
    DynamicTrilDamping,
    NoPruning,
    RandomPruning,
    TopK,
    TrilDamping,
    keep_largest,
    prune_with,
)

KEY = jax.random.key(0)


def kept_by_sorting(W, count):
    """The first `count` of a stable sort by falling magnitude."""
    order = np.argsort(-np.abs(W).ravel(), kind="stable")
    kept = np.zeros(W.size, bool)
    kept[order[:count]] = True
    return np.where(kept.reshape(W.shape), W, 0)


@settings(max_examples=40, deadline=None)
@given(
    shape=st.sampled_from([(1, 1), (2, 3), (6, 8), (9, 11), (11, 12), (20, 23)]),
    sparsity=st.floats(0, 1),
    ties=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_keep_largest_is_a_stable_sort(shape, sparsity, ties, seed):
    rng = np.random.default_rng(seed)
    W = rng.integers(-2, 3, shape) if ties else rng.normal(size=shape)
    W = np.asarray(W, np.float32)
    count = int((1 - sparsity) * W.size)
    np.testing.assert_array_equal(keep_largest(jnp.asarray(W), count), kept_by_sorting(W, count))


@pytest.mark.parametrize("shape", [(3, 5), (12, 13)])
def test_keep_largest_with_a_count_a_network(shape):
    rng = np.random.default_rng(0)
    W = rng.normal(size=(*shape, 6)).astype(np.float32)
    counts = np.array([0, 1, 5, 7, W[..., 0].size - 1, W[..., 0].size])
    pruned = np.asarray(keep_largest(jnp.asarray(W), jnp.asarray(counts)))
    for network, count in enumerate(counts):
        np.testing.assert_array_equal(pruned[..., network], kept_by_sorting(W[..., network], count))


def test_counts_are_pythons_in_double_precision():
    epochs, size = 1000, 48
    progress = np.arange(epochs) / epochs
    for k in (0.1, 0.25, 0.5, 0.9):
        dynamic = DynamicTopK(1 - k).amounts(progress, (6, 8))
        kept = 1 - (1 - k)
        expected = [int((1 - (1 - kept) * math.sin(math.pi * x / 2) ** 4) * size) for x in progress]
        assert dynamic.tolist() == expected
        assert set(TopK(1 - k).amounts(progress, (6, 8)).tolist()) == {int((1 - (1 - k)) * size)}
    assert DynamicTopK(0.5).amounts(progress, (6, 8))[:2].tolist() == [48, 47]


def test_tril_damping_takes_the_fraction_off_below_the_diagonal_only():
    W = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
    damped = TrilDamping(0.8)(jnp.asarray(W), 0.3, KEY)
    np.testing.assert_allclose(damped, W - 0.8 * np.tril(W, -1), rtol=1e-6)
    dynamic = DynamicTrilDamping(0.8)(jnp.asarray(W), 0.5, KEY)
    np.testing.assert_allclose(dynamic, W - 0.2 * np.tril(W, -1), rtol=1e-6)


def test_random_masks_come_from_the_key_and_hold():
    W = jnp.ones((40, 50))
    first = RandomPruning(0.3)(W, 0.0, KEY)
    np.testing.assert_array_equal(first, RandomPruning(0.3)(W, 0.9, KEY))
    assert 0.25 < float((first == 0).mean()) < 0.35
    other = RandomPruning(0.3)(W, 0.0, jax.random.key(1))
    assert (np.asarray(first) != np.asarray(other)).any()
    shared = RandomPruning(0.3, mask_seed=4)
    np.testing.assert_array_equal(shared(W, 0.0, KEY), shared(W, 0.0, jax.random.key(1)))
    assert not RandomPruning(1.0)(W, 0.0, KEY).any()
    assert RandomPruning(0.0)(W, 0.0, KEY).all()


def test_no_pruning_and_a_function_of_ones_own():
    W = jnp.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(NoPruning()(W, 0.5, KEY), W)
    own = CustomPruning(lambda weights, progress, key: weights * progress)
    np.testing.assert_array_equal(own(W, 0.5, KEY), W * 0.5)
    population = own.projection(
        jnp.stack([W, W], axis=-1),
        jnp.array([0.0, 1.0]),
        jnp.stack([KEY, KEY], axis=-1),
    )
    np.testing.assert_array_equal(population[..., 0], 0 * W)
    np.testing.assert_array_equal(population[..., 1], W)


@pytest.mark.parametrize(
    "pruner", [TopK(0.7), DynamicTopK(0.7), TrilDamping(0.4), RandomPruning(0.5)]
)
def test_the_optax_link_does_what_projecting_after_the_step_does(pruner):
    layer = CompletePerceptron.init(2, 3, 1, key=jax.random.key(9))
    steps = 20
    progress = np.arange(steps) / steps
    link = prune_with(pruner, progress=progress, key=KEY, where=lambda layer: layer.weights)
    linked, plain = optax.chain(optax.adam(0.05), link), optax.adam(0.05)
    x, y = jnp.eye(2), jnp.ones((2, 1))

    def slopes(layer):
        return jax.grad(lambda layer: jnp.mean((layer(x) - y) ** 2))(layer)

    ours, theirs = layer, layer
    state, other = linked.init(ours), plain.init(theirs)
    update = jax.jit(linked.update)
    for step in range(steps):
        updates, state = update(slopes(ours), state, ours)
        ours = optax.apply_updates(ours, updates)
        updates, other = plain.update(slopes(theirs), other, theirs)
        theirs = optax.apply_updates(theirs, updates)
        pruned = pruner(theirs.weights, progress[step], jax.random.fold_in(KEY, 0))
        theirs = CompletePerceptron(pruned, theirs.values)
    np.testing.assert_allclose(ours.weights, theirs.weights, atol=1e-5)
    np.testing.assert_array_equal(ours.weights == 0, theirs.weights == 0)


def test_the_link_prunes_several_matrices_each_by_itself():
    params = {"a": jnp.arange(1.0, 7.0).reshape(2, 3), "b": jnp.ones((2, 2)), "c": jnp.ones(4)}
    link = prune_with(
        TopK(0.5), progress=np.zeros(1), key=KEY, where=lambda tree: (tree["a"], tree["b"])
    )
    updates, _ = link.update(jax.tree.map(jnp.zeros_like, params), link.init(params), params)
    after = optax.apply_updates(params, updates)
    assert [int((after[name] != 0).sum()) for name in "abc"] == [3, 2, 4]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TopK(1.5), "sparsity is 1.5, but must be a number from 0 to 1"),
        (lambda: TopK(float("nan")), "sparsity is nan"),
        (lambda: TrilDamping(-0.1), "fraction is -0.1"),
        (lambda: RandomPruning("half"), "sparsity is 'half'"),
        (lambda: RandomPruning(0.5, mask_seed=-1), "mask_seed is -1"),
        (lambda: TopK(0.5)(jnp.ones((2, 2)), 2.0, KEY), "progress is 2.0"),
        (lambda: prune_with(TopK(0.5), progress=np.array([2.0]), key=KEY), "progress has shape"),
        (
            lambda: prune_with(TopK(0.5), progress=np.zeros(3), key=KEY).init(jnp.ones(3)),
            r"where picks an array of shape \(3,\)",
        ),
    ],
)
def test_bad_input_gets_one_sentence(make, message):
    with pytest.raises(ValueError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)
