"""Prune a recurrent network of your own while it trains, and see whether it became more ordered.

    python examples/prune_your_own.py [steps]

The network is an Equinox module with a loop of its own; the pruning is the last link of its
optimiser. It reads eight numbers and gives their mean.
"""

import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from orderedness import DynamicTopK, NoPruning, Pruner, measure, prune_with


class RNN(eqx.Module):
    """One hidden layer that feeds itself."""

    cell: eqx.nn.GRUCell
    readout: eqx.nn.Linear

    def __call__(self, sequence: jax.Array) -> jax.Array:
        """What it says of one sequence."""

        def step(state: jax.Array, x: jax.Array) -> tuple[jax.Array, None]:
            return self.cell(x, state), None

        state, _ = jax.lax.scan(step, jnp.zeros(self.cell.hidden_size), sequence)
        return self.readout(state)


def train(pruner: Pruner, steps: int) -> RNN:
    """Train one network; the same seed gives the same start and the same data."""
    keys = jax.random.split(jax.random.key(0), 4)
    model = RNN(eqx.nn.GRUCell(1, 12, key=keys[0]), eqx.nn.Linear(12, 1, key=keys[1]))
    link = prune_with(
        pruner,
        progress=np.arange(steps) / steps,
        key=keys[2],
        where=lambda model: model.cell.weight_hh,
    )
    optimiser = optax.chain(optax.adam(0.01), link)
    state = optimiser.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def step(
        model: RNN, state: optax.OptState, key: jax.Array
    ) -> tuple[RNN, optax.OptState, jax.Array]:
        sequences = jax.random.uniform(key, (64, 8, 1))

        def loss(model: RNN) -> jax.Array:
            return ((jax.vmap(model)(sequences) - sequences.mean(axis=1)) ** 2).mean()

        value, gradients = eqx.filter_value_and_grad(loss)(model)
        parameters = eqx.filter(model, eqx.is_array)
        updates, state = optimiser.update(gradients, state, parameters)
        return eqx.apply_updates(model, updates), state, value

    for key in jax.random.split(keys[3], steps):
        model, state, value = step(model, state, key)
    print(f"loss {float(value):.5f}")
    return model


def main(steps: int) -> None:
    """Train with and without pruning, and measure both."""
    for pruner in (NoPruning(), DynamicTopK(0.7)):
        print(pruner)
        found = measure(train(pruner, steps), null="orientation", draws=99)
        assert found.null is not None
        kept = np.count_nonzero(found.network.square.toarray()) / found.nodes**2
        print(
            f"O = {found.orderedness:.3f}, {kept:.0%} of pairs connected; by chance "
            f"{found.null.mean:.3f} ± {found.null.sd:.3f}, p = {found.null.p:.2f}"
        )
        for gate, value in found.gates.items():
            print(f"    gate {gate}: O = {value:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
