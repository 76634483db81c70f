"""The complete layer read as a recurrent network with one set of weights and a constant input."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from orderedness import _checks
from orderedness.network.complete import Activation, CompletePerceptron
from orderedness.network.product import weighted_sum


class Recurrent(eqx.Module):
    r"""The map \(s \leftarrow \sigma(s W_s^\top + x W_x^\top + b)\), T times from \(s = v\).

    With \(W = [W_s \mid W_x]\) this is the complete layer itself: `Recurrent.of(layer)` and
    `recurrent.as_complete()` go there and back.

    Examples:
        >>> layer = CompletePerceptron.init(2, 5, 1, key=jax.random.key(0))
        >>> twin = Recurrent.of(layer)
        >>> twin.recurrent.shape, twin.incoming.shape
        ((6, 6), (6, 2))
        >>> x = jnp.array([[0.0, 1.0], [1.0, 1.0]])
        >>> bool(jnp.allclose(twin(x), layer(x)))
        True
    """

    recurrent: Float[Array, "units units"]
    incoming: Float[Array, "units inputs"]
    values: Float[Array, " units"]
    bias: Float[Array, " units"] | None = None
    outputs: int = eqx.field(default=1, static=True, kw_only=True)
    iterations: int = eqx.field(default=3, static=True, kw_only=True)
    activation: Activation = eqx.field(default=jax.nn.sigmoid, static=True, kw_only=True)

    def __check_init__(self) -> None:
        units = jnp.shape(self.recurrent)[0]
        _checks.shape("recurrent", self.recurrent, (units, units), "from each unit to each")
        inputs = jnp.shape(self.incoming)[-1]
        _checks.shape("incoming", self.incoming, (units, inputs), "from each input to each unit")

    @classmethod
    def of(cls, layer: CompletePerceptron) -> Recurrent:
        """Split the weights of one complete layer."""
        return cls(
            layer.weights[:, : layer.units],
            layer.weights[:, layer.units :],
            layer.values,
            layer.bias,
            outputs=layer.outputs,
            iterations=layer.iterations,
            activation=layer.activation,
        )

    def as_complete(self) -> CompletePerceptron:
        """The same map as a complete layer."""
        return CompletePerceptron(
            jnp.concatenate([self.recurrent, self.incoming], axis=1),
            self.values,
            self.bias,
            outputs=self.outputs,
            iterations=self.iterations,
            activation=self.activation,
        )

    def __call__(self, x: Float[Array, "batch inputs"]) -> Float[Array, "batch outputs"]:
        """The outputs for a batch of inputs."""
        drive = weighted_sum(self.incoming, jnp.asarray(x, self.recurrent.dtype))
        if self.bias is not None:
            drive = drive + self.bias
        state = jnp.broadcast_to(self.values, drive.shape)
        for _ in range(self.iterations):
            state = self.activation(weighted_sum(self.recurrent, state) + drive)
        return state[:, : self.outputs]
