import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.network import MLP, CompletePerceptron, Recurrent, from_mlp, uniform, zeros


def reference(W, v, b, x, iterations, outputs, activation):
    """The paper's algorithm 1, in double precision, one line at a time."""
    s = np.repeat(np.asarray(v, float)[None], len(x), axis=0)
    for _ in range(iterations):
        h = np.concatenate([s, x], axis=1)
        s = activation(h @ np.asarray(W, float).T + (0 if b is None else np.asarray(b, float)))
    return s[:, :outputs]


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


@settings(max_examples=25, deadline=None)
@given(
    inputs=st.integers(0, 3),
    hidden=st.integers(0, 12),
    outputs=st.integers(1, 3),
    iterations=st.integers(1, 6),
    bias=st.booleans(),
    seed=st.integers(0, 100),
)
def test_forward_is_the_papers_algorithm(inputs, hidden, outputs, iterations, bias, seed):
    key = jax.random.key(seed)
    layer = CompletePerceptron.init(
        inputs, hidden, outputs, key=key, iterations=iterations, bias=uniform if bias else None
    )
    x = np.random.default_rng(seed).normal(size=(4, inputs))
    expected = reference(layer.weights, layer.values, layer.bias, x, iterations, outputs, sigmoid)
    np.testing.assert_allclose(layer(x), expected, atol=1e-6)


@pytest.mark.parametrize("hidden", [2, 5, 11])  # both ways of adding up
def test_a_population_is_its_networks_one_by_one(hidden):
    keys = jax.random.split(jax.random.key(0), 7)
    layers = [
        CompletePerceptron.init(2, hidden, 2, key=key, bias=uniform, iterations=4) for key in keys
    ]
    together = jax.tree.map(lambda *arrays: jnp.stack(arrays, axis=-1), *layers)
    x = jax.random.normal(jax.random.key(1), (10, 2))
    assert together(x).shape == (10, 2, 7)
    assert together(x[0]).shape == (2, 7)
    own = jnp.stack([x + n for n in range(7)], axis=-1)
    for n, layer in enumerate(layers):
        np.testing.assert_allclose(together(x)[..., n], layer(x), atol=1e-6)
        np.testing.assert_allclose(together(own)[..., n], layer(x + n), atol=1e-6)
        np.testing.assert_allclose(together.states(x)[..., n], layer.states(x), atol=1e-6)


def test_states_begin_with_v_and_end_with_the_output():
    layer = CompletePerceptron.init(2, 5, 1, key=jax.random.key(0), iterations=4)
    x = jnp.array([[0.0, 1.0], [1.0, 1.0]])
    states = layer.states(x)
    assert states.shape == (5, 2, 6)
    np.testing.assert_array_equal(states[0], np.stack([layer.values] * 2))
    np.testing.assert_array_equal(states[-1][:, :1], layer(x))
    np.testing.assert_allclose(layer.states(x[0]), states[:, 0], atol=1e-7)


@pytest.mark.parametrize("activation", [jnp.tanh, jax.nn.relu, lambda z: z * 0.5])
def test_any_activation(activation):
    layer = CompletePerceptron.init(2, 3, 1, key=jax.random.key(3), activation=activation)
    x = np.array([[0.5, -1.0]])
    expected = reference(layer.weights, layer.values, None, x, 3, 1, lambda z: activation(z))
    np.testing.assert_allclose(layer(x), expected, atol=1e-5)


@pytest.mark.parametrize("networks", [(), (3,)])
@pytest.mark.parametrize("hidden", [4, 10])
def test_gradients_match_finite_differences(networks, hidden):
    with jax.enable_x64(True):
        rng = np.random.default_rng(5)
        units = hidden + 1
        W = jnp.asarray(rng.normal(size=(units, units + 2, *networks)))
        v = jnp.asarray(rng.normal(size=(units, *networks)))
        x = jnp.asarray(rng.normal(size=(9, 2)))

        def loss(W, v):
            return jnp.sum(CompletePerceptron(W, v, v * 0.3)(x) ** 2)

        slopes = jax.grad(loss, argnums=(0, 1))(W, v)
        for place, (array, slope) in enumerate(zip((W, v), slopes, strict=True)):
            direction = jnp.asarray(rng.normal(size=array.shape))
            step = 1e-6

            def moved(by, place=place, direction=direction):
                arrays = [W, v]
                arrays[place] = arrays[place] + by * direction
                return loss(*arrays)

            numeric = (moved(step) - moved(-step)) / (2 * step)
            np.testing.assert_allclose(jnp.sum(slope * direction), numeric, rtol=1e-6)


def test_recurrent_twin_and_back():
    layer = CompletePerceptron.init(3, 4, 2, key=jax.random.key(2), bias=uniform, iterations=5)
    x = jax.random.normal(jax.random.key(1), (6, 3))
    twin = Recurrent.of(layer)
    np.testing.assert_allclose(twin(x), layer(x), atol=1e-6)
    np.testing.assert_array_equal(twin.as_complete().weights, layer.weights)


@settings(max_examples=25, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 7), min_size=2, max_size=6),
    bias=st.booleans(),
    seed=st.integers(0, 50),
)
def test_an_embedded_mlp_computes_what_the_mlp_computes(sizes, bias, seed):
    mlp = MLP.init(sizes, key=jax.random.key(seed), bias=bias)
    layer = from_mlp(mlp)
    assert layer.iterations == len(sizes) - 1
    x = np.random.default_rng(seed).normal(size=(5, sizes[0])) * 3
    np.testing.assert_allclose(layer(x), mlp(x), atol=1e-6)
    assert not np.tril(np.asarray(layer.weights)).any(), "an MLP has blocks above the diagonal"
    elsewhere = dataclasses.replace(layer, values=layer.values + 5)
    np.testing.assert_allclose(elsewhere(x), mlp(x), atol=1e-6)


def test_an_mlp_population_embeds_too():
    mlps = [MLP.init([2, 3, 1], key=jax.random.key(seed)) for seed in range(4)]
    together = jax.tree.map(lambda *arrays: jnp.stack(arrays, axis=-1), *mlps)
    x = jnp.array([[0.1, 0.9]])
    np.testing.assert_allclose(from_mlp(together)(x), together(x), atol=1e-6)
    np.testing.assert_allclose(together(x)[..., 2], mlps[2](x), atol=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: CompletePerceptron(jnp.zeros((3, 2)), jnp.zeros(3)),
            r"weights has shape \(3, 2\)",
        ),
        (lambda: CompletePerceptron(jnp.zeros((3, 4)), jnp.zeros(2)), r"values has shape \(2,\)"),
        (
            lambda: CompletePerceptron(jnp.zeros((3, 4)), jnp.zeros(3), iterations=0),
            "iterations is 0, but must be a whole number of at least 1",
        ),
        (
            lambda: CompletePerceptron(jnp.zeros((3, 4)), jnp.zeros(3), outputs=4),
            "outputs is 4, but weights has rows for 3 units",
        ),
        (
            lambda: CompletePerceptron.init(2, -1, 1, key=jax.random.key(0)),
            "hidden is -1, but must be a whole number of at least 0",
        ),
        (
            lambda: CompletePerceptron.init(2, 2, 1, key=jax.random.key(0))(jnp.zeros((4, 3))),
            r"x has shape \(4, 3\)",
        ),
        (lambda: MLP.init([2], key=jax.random.key(0)), r"sizes is \[2\]"),
        (lambda: MLP.init([2, 0, 1], key=jax.random.key(0)), r"sizes\[1\] is 0"),
    ],
)
def test_bad_input_gets_one_sentence(make, message):
    with pytest.raises(ValueError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_initialisers():
    key = jax.random.key(0)
    draws = uniform(key, (1000,))
    assert 0 <= draws.min() < 0.01
    assert 0.99 < draws.max() < 1
    assert not zeros(key, (3,)).any()
