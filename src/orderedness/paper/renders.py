"""The two layers of figure 1: one that is an MLP, one whose order is perfect."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from orderedness.network import MLP, CompletePerceptron, from_mlp


def mlp_layer(sizes: tuple[int, ...] = (4, 6, 6, 6, 6, 2), *, seed: int = 0) -> CompletePerceptron:
    """A five-layer MLP as a complete layer: rectangular blocks above the diagonal (figure 1a).

    Examples:
        >>> layer = mlp_layer()
        >>> layer.weights.shape, layer.iterations
        ((26, 30), 5)
    """
    return from_mlp(MLP.init(sizes, key=jax.random.key(seed)))


def ordered_layer(
    inputs: int = 4, hidden: int = 24, outputs: int = 2, *, seed: int = 0
) -> CompletePerceptron:
    """A layer in which nothing flows back: a full upper triangle (figure 1b).

    Examples:
        >>> from orderedness.ordering import orderedness
        >>> layer = ordered_layer(hidden=6)
        >>> orderedness(layer.weights, outputs=2).value
        1.0
    """
    drawn = CompletePerceptron.init(inputs, hidden, outputs, key=jax.random.key(seed))
    return CompletePerceptron(jnp.triu(drawn.weights), drawn.values, outputs=outputs)
