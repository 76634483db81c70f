import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from orderedness.network import MLP
from orderedness.training import sine_baseline, train_baseline, xor_baseline
from orderedness.training.draw import Purpose, epoch_order, keys_for


def test_a_baseline_trains_as_it_would_alone():
    baseline = dataclasses.replace(sine_baseline(), epochs=3)
    outcome = train_baseline(baseline, range(3))
    seeds = jnp.arange(3, dtype=jnp.uint32)
    orders = keys_for(Purpose.ORDER, seeds)
    mlp = MLP.init(baseline.sizes, key=keys_for(Purpose.WEIGHTS, seeds)[1])
    optimiser = optax.adam(0.01)
    state = optimiser.init(mlp)
    for epoch in range(3):
        losses = []
        for rows in np.asarray(epoch_order(orders, epoch, 150, 10))[..., 1]:
            x, y = baseline.task.inputs[rows], baseline.task.targets[rows]
            loss, slopes = jax.value_and_grad(lambda mlp, x, y: jnp.mean((mlp(x) - y) ** 2))(
                mlp, x, y
            )
            updates, state = optimiser.update(slopes, state, mlp)
            mlp = optax.apply_updates(mlp, updates)
            losses.append(loss)
        np.testing.assert_allclose(outcome.losses[epoch, 1], np.mean(losses), atol=1e-5)
    np.testing.assert_allclose(outcome.final.weights[1][..., 1], mlp.weights[1], atol=1e-4)


def test_networks_stop_when_their_loss_is_low():
    baseline = xor_baseline()
    outcome = train_baseline(baseline, range(6))
    assert (outcome.epochs_run < baseline.epochs).any()
    for network, ran in enumerate(outcome.epochs_run):
        losses = outcome.losses[:, network]
        assert np.isfinite(losses[:ran]).all()
        assert np.isnan(losses[ran:]).all()
        assert (losses[: ran - 1] >= baseline.stop_below).all()
        if ran < baseline.epochs:
            assert losses[ran - 1] < baseline.stop_below
    assert outcome.curve().shape == (outcome.epochs_run.min(), 6)
    assert np.isfinite(outcome.curve()).all()
    alone = train_baseline(baseline, [4])
    np.testing.assert_array_equal(alone.losses[:, 0], outcome.losses[:, 4])


def test_readings_differ_as_the_paper_says():
    assert (xor_baseline().stop_below, xor_baseline("written").stop_below) == (3e-3, 1e-3)
    assert xor_baseline().epochs == 10_000
    assert sine_baseline().epochs == 1_000
    with pytest.raises(ValueError, match="sizes is"):
        dataclasses.replace(xor_baseline(), sizes=(3, 2, 1))
