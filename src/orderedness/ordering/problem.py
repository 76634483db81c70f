"""What is to be ordered: weights, pinned units, and what counts in the total."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float, Int

from orderedness.ordering._arrays import as_numpy, first_index

EXTREME = 900  # powers of two; beyond, sums could overflow or vanish, and weights are scaled


@dataclass(frozen=True, eq=False)
class Problem:
    """Units to be put in order, so that as little weight as possible lies below the diagonal.

    Made by `from_dense`, `from_sparse`, `from_edges` or `from_networkx`. In all of them the
    magnitudes of weights count, `front` and `back` list units that keep the first and last
    places in the order given, and `count_self` says whether self-connections are in the total S.

    Attributes:
        weights: magnitudes off the diagonal; entry [r, c] is paid for when r comes after c.
        front: units pinned to the first places.
        back: units pinned to the last places.
        apart: weight that is in S but never below the diagonal.

    Example:
        >>> problem = Problem.from_edges([0, 1, 2], [1, 2, 0], [3.0, 2.0, 1.0])
        >>> problem.size, problem.total
        (3, 6.0)
    """

    weights: sp.csr_array
    front: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    apart: float = 0.0

    @classmethod
    def from_dense(
        cls,
        matrix: Any,
        *,
        front: Iterable[int] = (),
        back: Iterable[int] = (),
        count_self: bool = True,
    ) -> "Problem":
        """A square matrix, entry [r, c] from unit c to unit r.

        Example:
            >>> Problem.from_dense([[1.0, -2.0], [0.0, 1.0]]).total
            4.0
        """
        array = as_numpy(matrix, "matrix")
        if array.ndim != 2 or array.shape[0] != array.shape[1]:
            raise ValueError(f"matrix must be square, got shape {array.shape}.")
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            where = first_index(~np.isfinite(array))
            raise ValueError(f"matrix must be finite, got {array[where]} at {where}.")
        return cls._checked(sp.csr_array(array), front, back, count_self)

    @classmethod
    def from_sparse(
        cls,
        matrix: Any,
        *,
        front: Iterable[int] = (),
        back: Iterable[int] = (),
        count_self: bool = True,
    ) -> "Problem":
        """A square SciPy sparse matrix, entry [r, c] from unit c to unit r; duplicates add up.

        Example:
            >>> Problem.from_sparse(sp.eye_array(3)).total
            3.0
        """
        if not hasattr(matrix, "tocsr"):
            raise TypeError(f"matrix must be a SciPy sparse matrix, got {type(matrix).__name__}.")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"matrix must be square, got shape {matrix.shape}.")
        if matrix.dtype.kind not in "biuf":
            raise TypeError(f"matrix must hold real numbers, got dtype {matrix.dtype}.")
        rows = sp.csr_array(matrix.astype(np.float64))  # before duplicates add up, or they wrap
        rows.sum_duplicates()
        if not np.isfinite(rows.data).all():
            entry = first_index(~np.isfinite(rows.data))[0]
            row = int(np.searchsorted(rows.indptr, entry, side="right")) - 1
            where = (row, int(rows.indices[entry]))
            raise ValueError(f"matrix must be finite, got {rows.data[entry]} at {where}.")
        return cls._checked(rows, front, back, count_self)

    @classmethod
    def from_edges(
        cls,
        sources: Any,
        targets: Any,
        weights: Any = None,
        *,
        units: int | None = None,
        front: Iterable[int] = (),
        back: Iterable[int] = (),
        count_self: bool = True,
    ) -> "Problem":
        """Edges from ``sources[k]`` to ``targets[k]``; duplicate edges add up, signs included.

        Args:
            sources: unit indices from 0.
            targets: unit indices from 0.
            weights: one number an edge; by default 1.
            units: how many units there are; by default one more than the highest index.
            front: units pinned to the first places.
            back: units pinned to the last places.
            count_self: whether self-connections are in the total.

        Example:
            >>> Problem.from_edges([0, 0], [1, 1], [1.0, 2.0]).weights.toarray()
            array([[0., 0.],
                   [3., 0.]])
        """
        source, target = as_numpy(sources, "sources"), as_numpy(targets, "targets")
        weight = np.ones(source.shape) if weights is None else as_numpy(weights, "weights")
        for name, ends in (("sources", source), ("targets", target)):
            if ends.ndim != 1 or ends.shape != source.shape:
                raise ValueError(f"{name} must be {source.size} indices, got shape {ends.shape}.")
            if ends.size and ends.dtype.kind not in "iu":
                raise TypeError(f"{name} must hold integers, got dtype {ends.dtype}.")
        if weight.shape != source.shape:
            raise ValueError(
                f"weights must be one number for each of {source.size} edges, "
                f"got shape {weight.shape}."
            )
        highest = int(max(source.max(), target.max())) if source.size else -1
        if units is not None and (isinstance(units, bool) or not hasattr(units, "__index__")):
            raise TypeError(f"units must be an integer, got {units!r}.")
        if units is not None and units < 0:
            raise ValueError(f"units must be at least 0, got {units}.")
        size = highest + 1 if units is None else int(units)
        for name, ends in (("sources", source), ("targets", target)):
            if ends.size and not (ends.min() >= 0 and ends.max() < size):
                bad = int(ends.min() if ends.min() < 0 else ends.max())
                raise ValueError(f"{name} must be from 0 to units - 1 = {size - 1}, got {bad}.")
        if not np.isfinite(weight).all():
            edge = first_index(~np.isfinite(weight))[0]
            raise ValueError(f"weights must be finite, got {weight[edge]} at edge {edge}.")
        places = (target.astype(np.int64), source.astype(np.int64))
        matrix = sp.coo_array((weight.astype(np.float64), places), shape=(size, size)).tocsr()
        return cls._checked(matrix, front, back, count_self)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        weight: str = "weight",
        front: Iterable[Any] = (),
        back: Iterable[Any] = (),
        count_self: bool = True,
    ) -> "Problem":
        """A networkx directed graph; units are numbered as the graph lists its nodes.

        Args:
            graph: any networkx directed graph or multigraph.
            weight: the edge attribute that holds the weight; edges without it weigh 1.
            front: nodes pinned to the first places.
            back: nodes pinned to the last places.
            count_self: whether self-connections are in the total.

        Example:
            >>> import networkx
            >>> Problem.from_networkx(networkx.DiGraph([("a", "b"), ("b", "a")])).total
            2.0
        """
        if not (hasattr(graph, "is_directed") and graph.is_directed()):
            raise TypeError(f"graph must be a directed graph, got {type(graph).__name__}.")
        index = {node: k for k, node in enumerate(graph.nodes)}
        edges = list(graph.edges(data=weight, default=1.0))
        front, back = list(front), list(back)
        for place, nodes in (("front", front), ("back", back)):
            for node in nodes:
                if node not in index:
                    raise ValueError(f"{place} must list nodes of the graph, got {node!r}.")
        return cls.from_edges(
            np.array([index[a] for a, _, _ in edges], np.int64),
            np.array([index[b] for _, b, _ in edges], np.int64),
            np.array([w for _, _, w in edges], np.float64),
            units=len(index),
            front=[index[node] for node in front],
            back=[index[node] for node in back],
            count_self=count_self,
        )

    @classmethod
    def _checked(
        cls,
        matrix: sp.csr_array,
        front: Iterable[int],
        back: Iterable[int],
        count_self: bool,
    ) -> "Problem":
        """Take magnitudes, split off the diagonal, and check the pinned units."""
        size = matrix.shape[0]
        pins = tuple(front), tuple(back)
        for name, units in zip(("front", "back"), pins, strict=True):
            for unit in units:
                if isinstance(unit, bool) or not hasattr(unit, "__index__"):
                    raise TypeError(f"{name} must list unit indices, got {unit!r}.")
                if not 0 <= unit < size:
                    raise ValueError(f"{name} must list units from 0 to {size - 1}, got {unit}.")
        if len(set(pins[0] + pins[1])) < len(pins[0] + pins[1]):
            raise ValueError(f"front and back must not name a unit twice, got {pins}.")
        matrix.data = np.abs(matrix.data)
        if not count_self:
            matrix = sp.csr_array(matrix - sp.diags_array(matrix.diagonal()))
        largest = matrix.data.max(initial=0.0)
        if not math.isfinite(largest):
            raise ValueError("weights must be finite once duplicate edges are summed.")
        exponent = math.frexp(largest)[1]
        if abs(exponent) > EXTREME:
            matrix.data = np.ldexp(matrix.data, -exponent)
        diagonal = matrix.diagonal()
        matrix = sp.csr_array(matrix - sp.diags_array(diagonal))
        matrix.eliminate_zeros()
        matrix.sort_indices()
        return cls(
            weights=matrix,
            front=tuple(int(u) for u in pins[0]),
            back=tuple(int(u) for u in pins[1]),
            apart=float(diagonal.sum()),
        )

    @property
    def size(self) -> int:
        """The number of units."""
        return int(self.weights.shape[0])

    @cached_property
    def total(self) -> float:
        """S: all weight that counts."""
        return float(self.weights.data.sum()) + self.apart

    @cached_property
    def integral(self) -> bool:
        """Whether all weights are integers whose sums are exact in double precision."""
        data = self.weights.data
        return bool((data == np.floor(data)).all()) and self.total < 2.0**53

    def below(self, permutation: Sequence[int] | Int[np.ndarray, " n"]) -> float:
        """L: the weight below the diagonal when units come in this order.

        Example:
            >>> Problem.from_edges([0, 1], [1, 0], [3.0, 1.0]).below([0, 1])
            3.0
        """
        return weight_below(self.weights, np.asarray(permutation))


def weight_below(weights: sp.csr_array, order: Int[np.ndarray, " n"]) -> float:
    """The sum of the entries [r, c] of a sparse matrix whose r comes after c in `order`.

    Example:
        >>> weight_below(sp.csr_array(np.array([[0.0, 1.0], [2.0, 0.0]])), np.array([0, 1]))
        2.0
    """
    place: Int[np.ndarray, " n"] = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    rows = np.repeat(place, np.diff(weights.indptr))
    columns: Float[np.ndarray, " n"] = place[weights.indices]
    return float(weights.data[rows > columns].sum())
