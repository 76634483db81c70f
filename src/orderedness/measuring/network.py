"""What is measured: weights between named units, with the roles that some of them play."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float

from orderedness.measuring.shown import shown

Name = str | int
Direction = Literal["columns-feed-rows", "rows-feed-columns"]
DIRECTIONS: tuple[Direction, ...] = ("columns-feed-rows", "rows-feed-columns")
EXTREME = 900  # powers of two; beyond, sums could overflow or vanish, and weights are scaled


@dataclass(frozen=True, eq=False)
class Network:
    """Weights between units as a file or an object holds them.

    Attributes:
        weights: units x sources, entry [r, c] from c to r, signs kept. Sources beyond the units
            are inputs: they send and never receive.
        names: one for each source; whole numbers where nothing else is known.
        about: what it is and where it comes from, for people.
        edges: whether it came as a list of edges, which says by itself what feeds what.
        outputs: how many of the first units are outputs.
        direction: how entries were read; `weights` always has columns that feed rows.
        gates: the networks of the single gates, if `weights` sums the magnitudes of several.
        notes: what people should know about how it was read.

    Examples:
        >>> network = Network.from_matrix([[0.0, -2.0], [1.0, 0.0]])
        >>> network.units, network.connections, network.negative
        (2, 2, 1)
    """

    weights: sp.csr_array
    names: tuple[Name, ...]
    about: str = "a matrix"
    edges: bool = False
    outputs: int = 0
    direction: Direction = "columns-feed-rows"
    gates: Mapping[str, Network] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        names: Sequence[Name] | None = None,
        about: str = "a matrix",
        edges: bool = False,
        outputs: int = 0,
        notes: Sequence[str] = (),
    ) -> Network:
        """A dense or sparse matrix of real numbers, entry [r, c] from c to r."""
        if len(np.shape(matrix)) != 2:
            raise ValueError(
                f"{about} has shape {tuple(np.shape(matrix))}, but must have two axes, to and "
                "from the units of one network"
            )
        if matrix_kind(matrix) not in "biuf":
            kind = shown(getattr(matrix, "dtype", "unknown"))
            raise TypeError(f"{about} holds {kind} entries, but must hold real numbers")
        if not np.shape(matrix)[0]:
            raise ValueError(
                f"{about} has shape {np.shape(matrix)}, but must hold at least one unit"
            )
        weights = sp.csr_array(matrix, dtype=np.float64)
        weights.sum_duplicates()
        bad = ~np.isfinite(weights.data)
        if bad.any():
            first = int(np.argmax(bad))
            row = int(np.searchsorted(weights.indptr, first, side="right")) - 1
            column = int(weights.indices[first])
            raise ValueError(
                f"{about}: entry [{row}, {column}] is {weights.data[first]}, but every entry must "
                "be a finite number"
            )
        exponent = math.frexp(float(np.abs(weights.data).max(initial=0.0)))[1]
        if abs(exponent) > EXTREME:
            weights.data = np.ldexp(weights.data, -exponent)
            notes = (*notes, f"Weights are in units of 2^{exponent}, to keep their sums finite.")
        weights.eliminate_zeros()
        every = tuple(range(max(weights.shape))) if names is None else tuple(names)
        return cls(weights, every, about, edges, outputs, notes=tuple(notes))

    @property
    def units(self) -> int:
        """How many units can be put in order."""
        return int(self.weights.shape[0])

    @property
    def inputs(self) -> int:
        """How many sources only send."""
        return int(self.weights.shape[1]) - self.units

    @property
    def connections(self) -> int:
        """How many weights are not zero, inputs aside."""
        return int(self.square.nnz)

    @property
    def negative(self) -> int:
        """How many weights are below zero."""
        return int((self.weights.data < 0).sum())

    @cached_property
    def square(self) -> sp.csr_array:
        """The weights between units."""
        return self.weights if not self.inputs else sp.csr_array(self.weights[:, : self.units])

    @cached_property
    def strength(self) -> sp.csr_array:
        """The magnitudes of the weights between different units."""
        magnitudes = sp.csr_array(abs(self.square - sp.diags_array(self.square.diagonal())))
        magnitudes.eliminate_zeros()
        magnitudes.sort_indices()
        return magnitudes

    @property
    def input_weight(self) -> float:
        """The sum of the magnitudes of the weights from inputs."""
        return float(abs(self.weights).sum() - abs(self.square).sum())

    def with_roles(
        self, *, outputs: int | None, inputs: int | None, direction: Direction | None
    ) -> Network:
        """The same network read in a direction, its first units outputs and its last ones inputs.

        Examples:
            >>> whole = Network.from_matrix([[0.0, 1.0, 3.0], [2.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
            >>> whole.with_roles(outputs=1, inputs=1, direction=None).weights.toarray()
            array([[0., 1., 3.],
                   [2., 0., 4.]])
        """
        weights = self.weights
        if direction is not None and direction not in DIRECTIONS:
            raise ValueError(
                f"direction is {direction!r}, but must be one of {', '.join(DIRECTIONS)}"
            )
        if direction is not None and self.edges:
            raise ValueError(
                f"direction is {direction!r}, but {self.about} is a list of edges, which run from "
                "source to target"
            )
        if direction == "rows-feed-columns":
            weights = sp.csr_array(weights.T)
        rows, columns = weights.shape
        if rows > columns:
            raise ValueError(
                f"{self.about} has shape {self.weights.shape}, but a network needs one row for "
                "each unit and at least as many columns; does it run the other way round "
                "(direction)?"
            )
        if inputs is not None and not 0 <= inputs <= rows + (columns - rows):
            raise ValueError(
                f"inputs is {inputs}, but must be from 0 to the {columns} sources of {self.about}"
            )
        if columns > rows and inputs not in (None, columns - rows):
            raise ValueError(
                f"inputs is {inputs}, but must be columns - rows = {columns - rows} for "
                f"{self.about} of shape {self.weights.shape}"
            )
        if columns == rows and inputs:
            received = np.diff(weights.indptr)[rows - inputs :]
            if received.any():
                first = self.names[rows - inputs + int(np.argmax(received > 0))]
                raise ValueError(
                    f"inputs is {inputs}, but unit {shown(first)}, one of the last {inputs}, "
                    "receives connections; inputs only send"
                )
            weights = sp.csr_array(weights[: rows - inputs])
        chosen = self.outputs if outputs is None else outputs
        if not 0 <= chosen <= weights.shape[0]:
            raise ValueError(
                f"outputs is {chosen}, but must be from 0 to the {weights.shape[0]} units of "
                f"{self.about}"
            )
        gates = {
            name: gate.with_roles(outputs=outputs, inputs=inputs, direction=direction)
            for name, gate in self.gates.items()
        }
        return dataclasses.replace(
            self,
            weights=weights,
            outputs=chosen,
            direction=direction or self.direction,
            gates=gates,
        )


def matrix_kind(matrix: Any) -> str:
    """The kind of number that a matrix holds, as NumPy's letters say it.

    Examples:
        >>> matrix_kind([[1, 2]])
        'i'
    """
    dtype: np.dtype[Any] = getattr(matrix, "dtype", None) or np.asarray(matrix).dtype
    return dtype.kind


def sum_of_magnitudes(matrices: Sequence[Float[np.ndarray, "units units"]]) -> np.ndarray:
    """One matrix for several between the same units, such as the gates of a cell.

    Examples:
        >>> sum_of_magnitudes([np.array([[1.0]]), np.array([[-2.0]])])
        array([[3.]])
    """
    total: np.ndarray = np.sum([np.abs(matrix) for matrix in matrices], axis=0)
    return total
