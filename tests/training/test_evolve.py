import jax
import jax.numpy as jnp
import numpy as np
import pytest

from orderedness.training.evolve import evolve


def plainly(activation, iterations, weights, drive, values, idle):
    state = jnp.broadcast_to(values, drive.shape)
    for time in range(iterations):
        received = jnp.einsum("rc...,bc...->br...", weights, state) + drive
        state = jnp.where(time >= idle, activation(received), state)
    return state


@pytest.mark.parametrize("activation", [jax.nn.sigmoid, jnp.tanh, jax.nn.relu, jnp.sin])
@pytest.mark.parametrize(
    ("units", "batch", "networks"), [(4, 3, ()), (4, 3, (5,)), (11, 12, (3,)), (2, 1, (1,))]
)
def test_value_and_gradient_are_those_of_the_plain_loop(activation, units, batch, networks):
    rng = np.random.default_rng(units)
    weights, drive, values = (
        jnp.asarray(0.5 * rng.normal(size=(*shape, *networks)), jnp.float32)
        for shape in ((units, units), (batch, units), (units,))
    )
    idle = jnp.asarray(rng.integers(0, 5, networks), jnp.int32)
    tangent = jnp.asarray(rng.normal(size=drive.shape), jnp.float32)

    def scalar(function):
        def loss(*arrays):
            return jnp.sum(function(activation, 5, *arrays, idle) * tangent)

        return jax.jit(jax.value_and_grad(loss, argnums=(0, 1, 2)))

    ours, slopes = scalar(evolve)(weights, drive, values)
    theirs, expected = scalar(plainly)(weights, drive, values)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    for slope, wanted in zip(slopes, expected, strict=True):
        np.testing.assert_allclose(slope, wanted, rtol=1e-3, atol=1e-4)


def test_gradient_against_finite_differences():
    with jax.enable_x64(True):
        rng = np.random.default_rng(0)
        arrays = [jnp.asarray(rng.normal(size=s)) for s in ((5, 5, 2), (3, 5, 2), (5, 2))]
        idle = jnp.array([0, 2])

        def loss(arrays):
            return jnp.sum(evolve(jax.nn.sigmoid, 4, *arrays, idle)[:, :1] ** 2)

        slopes = jax.grad(loss)(arrays)
        for place in range(3):
            direction = jnp.asarray(rng.normal(size=arrays[place].shape))

            def moved(by, place=place, direction=direction):
                changed = list(arrays)
                changed[place] = changed[place] + by * direction
                return loss(changed)

            numeric = (moved(1e-6) - moved(-1e-6)) / 2e-6
            np.testing.assert_allclose(
                jnp.sum(slopes[place] * direction), numeric, rtol=1e-5, atol=1e-10
            )
