"""The complete perceptron layer: every unit feeds every unit, for T iterations."""

from __future__ import annotations

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from orderedness import _checks
from orderedness.network.initialisers import Initialiser, normal
from orderedness.network.product import weighted_sum

Activation = Callable[[Array], Array]


class CompletePerceptron(eqx.Module):
    r"""A layer of output, hidden and input units in which all feed all.

    Units are numbered outputs first, then hidden, then inputs; `weights[r, c]` is the strength of
    the connection **from unit c to unit r**. Starting from \(s = v\), the layer repeats T times

    \[ s \leftarrow \sigma([s\; x]\, W^\top + b) \]

    with the inputs x clamped, and its output is the first entries of s.

    Every array may carry trailing axes that enumerate networks; one network has none.

    Attributes:
        weights: W, shape (outputs + hidden, outputs + hidden + inputs, *networks).
        values: v, the trained initial state, shape (outputs + hidden, *networks).
        bias: b, of the shape of `values`, or None.
        outputs: how many of the first units are read out.
        iterations: T, how often it is applied.
        activation: the element-wise function σ.

    Examples:
        >>> layer = CompletePerceptron.init(2, 5, 1, key=jax.random.key(0))
        >>> layer.weights.shape, layer(jnp.array([0.0, 1.0])).shape
        ((6, 8), (1,))
        >>> layer(jnp.zeros((4, 2))).shape  # a batch
        (4, 1)
    """

    weights: Float[Array, "units sources ..."]
    values: Float[Array, "units ..."]
    bias: Float[Array, "units ..."] | None = None
    outputs: int = eqx.field(default=1, static=True, kw_only=True)
    iterations: int = eqx.field(default=3, static=True, kw_only=True)
    activation: Activation = eqx.field(default=jax.nn.sigmoid, static=True, kw_only=True)

    def __check_init__(self) -> None:
        _checks.whole("outputs", self.outputs, least=0)
        _checks.whole("iterations", self.iterations, least=1)
        shape = jnp.shape(self.weights)
        if len(shape) < 2 or shape[0] < 1 or shape[1] < shape[0]:
            raise ValueError(
                f"weights has shape {shape}, but must have shape (outputs + hidden, "
                "outputs + hidden + inputs, *networks) with at least one unit"
            )
        if self.outputs > shape[0]:
            raise ValueError(
                f"outputs is {self.outputs}, but weights has rows for {shape[0]} units only"
            )
        per_unit = (shape[0], *shape[2:])
        _checks.shape("values", self.values, per_unit, "one for each output and hidden unit")
        if self.bias is not None:
            _checks.shape("bias", self.bias, per_unit, "one for each output and hidden unit")

    @classmethod
    def init(
        cls,
        inputs: int,
        hidden: int,
        outputs: int,
        *,
        key: Key[Array, ""],
        iterations: int = 3,
        weights: Initialiser = normal,
        values: Initialiser = normal,
        bias: Initialiser | None = None,
        activation: Activation = jax.nn.sigmoid,
    ) -> CompletePerceptron:
        """Draw one network.

        Examples:
            >>> from orderedness.network import uniform, zeros
            >>> layer = CompletePerceptron.init(
            ...     2, 3, 1, key=jax.random.key(1), weights=uniform, bias=zeros
            ... )
            >>> layer.units, layer.hidden, layer.inputs
            (4, 3, 2)
        """
        _checks.whole("inputs", inputs, least=0)
        _checks.whole("hidden", hidden, least=0)
        _checks.whole("outputs", outputs, least=1)
        units = outputs + hidden
        for_weights, for_values, for_bias = jax.random.split(key, 3)
        return cls(
            weights(for_weights, (units, units + inputs)),
            values(for_values, (units,)),
            None if bias is None else bias(for_bias, (units,)),
            outputs=outputs,
            iterations=iterations,
            activation=activation,
        )

    @property
    def units(self) -> int:
        """How many output and hidden units there are."""
        return self.weights.shape[0]

    @property
    def hidden(self) -> int:
        """How many hidden units there are."""
        return self.units - self.outputs

    @property
    def inputs(self) -> int:
        """How many input units there are."""
        return self.weights.shape[1] - self.units

    def __call__(self, x: Float[Array, "... inputs"]) -> Float[Array, "... outputs"]:
        """Run T iterations and read the outputs.

        Args:
            x: one example (inputs,), a batch (batch, inputs) shared by all networks, or a batch
                for each network (batch, inputs, *networks).

        Returns:
            The outputs: (outputs, *networks) for one example, else (batch, outputs, *networks).
        """
        batch, single = self._as_batch(x)
        state, drive = self.start(batch), self.drive(batch)
        for _ in range(self.iterations):
            state = self.iterate(state, drive)
        out = state[:, : self.outputs]
        return out[0] if single else out

    def states(self, x: Float[Array, "... inputs"]) -> Float[Array, "time ... units"]:
        """The state at each iteration, the initial one first: T + 1 of them.

        Examples:
            >>> layer = CompletePerceptron.init(2, 5, 1, key=jax.random.key(0), iterations=4)
            >>> layer.states(jnp.zeros(2)).shape
            (5, 6)
        """
        batch, single = self._as_batch(x)
        states, drive = [self.start(batch)], self.drive(batch)
        for _ in range(self.iterations):
            states.append(self.iterate(states[-1], drive))
        out = jnp.stack(states)
        return out[:, 0] if single else out

    def start(self, batch: Float[Array, "batch inputs ..."]) -> Float[Array, "batch units ..."]:
        """The initial state, v for every example."""
        return jnp.broadcast_to(self.values, (batch.shape[0], *self.values.shape))

    def drive(self, batch: Float[Array, "batch inputs ..."]) -> Float[Array, "batch units ..."]:
        """What the clamped inputs and the bias add at every iteration."""
        if self.inputs:
            drive = weighted_sum(self.weights[:, self.units :], batch)
        else:
            drive = jnp.zeros_like(self.start(batch))
        return drive if self.bias is None else drive + self.bias

    def iterate(
        self, state: Float[Array, "batch units ..."], drive: Float[Array, "batch units ..."]
    ) -> Float[Array, "batch units ..."]:
        """One iteration."""
        return self.activation(weighted_sum(self.weights[:, : self.units], state) + drive)

    def _as_batch(self, x: Array) -> tuple[Array, bool]:
        x = jnp.asarray(x, self.weights.dtype)
        networks = self.weights.shape[2:]
        batch = x[None] if x.ndim == 1 else x
        own = batch.shape[2:]  # a batch for each network, or one for all
        if batch.ndim < 2 or batch.shape[1] != self.inputs or own not in ((), networks):
            raise ValueError(
                f"x has shape {x.shape}, but must have shape ({self.inputs},), "
                f"(batch, {self.inputs}) or (batch, {self.inputs}, *networks)"
            )
        if own != networks:
            batch = batch.reshape(*batch.shape, *(1 for _ in networks))
        return batch, x.ndim == 1
