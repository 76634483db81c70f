"""The multilayer perceptron: the paper's baseline, and a special case of the complete layer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from orderedness import _checks
from orderedness.network.complete import Activation, CompletePerceptron
from orderedness.network.product import weighted_sum


class MLP(eqx.Module):
    r"""Layers \(a_l = \sigma(a_{l-1} W_l^\top + b_l)\) with the same σ everywhere.

    Attributes:
        weights: one array (to, from, *networks) a layer, the first fed by the inputs.
        biases: one array (to, *networks) a layer, or None.
        activation: the element-wise function σ.

    Examples:
        >>> mlp = MLP.init([2, 2, 1], key=jax.random.key(0))
        >>> mlp.sizes, mlp(jnp.zeros((4, 2))).shape
        ((2, 2, 1), (4, 1))
    """

    weights: tuple[Float[Array, "to source ..."], ...]
    biases: tuple[Float[Array, "to ..."], ...] | None = None
    activation: Activation = eqx.field(default=jax.nn.sigmoid, static=True, kw_only=True)

    def __check_init__(self) -> None:
        if not self.weights:
            raise ValueError("weights is empty, but an MLP needs at least one layer")
        for layer, (before, after) in enumerate(itertools.pairwise(self.weights)):
            if jnp.shape(before)[0] != jnp.shape(after)[1]:
                raise ValueError(
                    f"weights[{layer + 1}] has {jnp.shape(after)[1]} columns, but layer {layer} "
                    f"has {jnp.shape(before)[0]} units: each layer must fit the one before it"
                )
        if self.biases is not None and len(self.biases) != len(self.weights):
            raise ValueError(
                f"biases has {len(self.biases)} entries, but must have one a layer: "
                f"{len(self.weights)}"
            )

    @classmethod
    def init(
        cls,
        sizes: Sequence[int],
        *,
        key: Key[Array, ""],
        bias: bool = True,
        activation: Activation = jax.nn.sigmoid,
    ) -> MLP:
        r"""Draw weights and biases from \(\mathcal{U}(\pm 1/\sqrt{\text{fan-in}})\).

        Args:
            sizes: units in each layer, inputs first and outputs last.
            key: random key.
            bias: whether layers have one.
            activation: the element-wise function σ.
        """
        if len(sizes) < 2:
            raise ValueError(f"sizes is {list(sizes)}, but must name inputs and outputs at least")
        for place, size in enumerate(sizes):
            _checks.whole(f"sizes[{place}]", size, least=1)
        weights, biases = [], []
        for layer, (source, to) in enumerate(itertools.pairwise(sizes)):
            for_weights, for_bias = jax.random.split(jax.random.fold_in(key, layer))
            reach = source**-0.5
            draw = jax.random.uniform
            weights.append(draw(for_weights, (to, source), minval=-reach, maxval=reach))
            biases.append(draw(for_bias, (to,), minval=-reach, maxval=reach))
        return cls(tuple(weights), tuple(biases) if bias else None, activation=activation)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Units in each layer, inputs first."""
        return (self.weights[0].shape[1], *(w.shape[0] for w in self.weights))

    def __call__(self, x: Float[Array, "batch inputs ..."]) -> Float[Array, "batch outputs"]:
        """The outputs for a batch (batch, inputs), or one for each network."""
        networks = self.weights[0].shape[2:]
        state = jnp.asarray(x, self.weights[0].dtype)
        if state.ndim == 2:
            state = state.reshape(*state.shape, *(1 for _ in networks))
        for layer, weights in enumerate(self.weights):
            received = weighted_sum(weights, state)
            if self.biases is not None:
                received = received + self.biases[layer]
            state = self.activation(received)
        return state


def from_mlp(mlp: MLP) -> CompletePerceptron:
    """The complete layer that computes what `mlp` computes (figure 1a of the paper).

    Units are placed last layer first, so that each layer's weights become a block above the
    diagonal; run for as many iterations as there are layers, the outputs have seen the inputs
    through every layer exactly once, whatever the initial state.

    Examples:
        >>> mlp = MLP.init([2, 3, 4, 1], key=jax.random.key(0))
        >>> layer = from_mlp(mlp)
        >>> layer.weights.shape, layer.iterations
        ((8, 10), 3)
        >>> x = jnp.array([[0.2, -1.0]])
        >>> bool(jnp.allclose(layer(x), mlp(x)))
        True
    """
    networks = mlp.weights[0].shape[2:]
    widths = mlp.sizes[::-1]  # outputs first, inputs last
    starts = [sum(widths[:place]) for place in range(len(widths) + 1)]
    units, sources = starts[-2], starts[-1]
    weights = jnp.zeros((units, sources, *networks), mlp.weights[0].dtype)
    for place, block in enumerate(reversed(mlp.weights)):
        rows = slice(starts[place], starts[place + 1])
        columns = slice(starts[place + 1], starts[place + 2])
        weights = weights.at[rows, columns].set(block)
    bias = None if mlp.biases is None else jnp.concatenate(mlp.biases[::-1])
    return CompletePerceptron(
        weights,
        jnp.zeros((units, *networks), weights.dtype),
        bias,
        outputs=widths[0],
        iterations=len(mlp.weights),
        activation=mlp.activation,
    )
