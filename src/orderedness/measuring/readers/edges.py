"""Edges as lists of sources, targets and weights, however many there are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from orderedness.measuring.network import Name, Network
from orderedness.measuring.readers.limits import MOST_EDGES, check_size

WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")


class EdgeList:
    """Edges, part by part; names become indices at once, so that memory stays bounded.

    Examples:
        >>> edges = EdgeList()
        >>> edges.add(["a", "b"], ["b", "c"], [1.0, -2.0])
        >>> network = edges.network("a list")
        >>> network.names, network.connections
        (('a', 'b', 'c'), 2)
    """

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._sources: list[np.ndarray] = []
        self._targets: list[np.ndarray] = []
        self._weights: list[np.ndarray] = []
        self.count = 0

    def add(self, sources: Sequence[str], targets: Sequence[str], weights: Any) -> None:
        """Take a part of the list."""
        index = self._index
        for names, ends in ((sources, self._sources), (targets, self._targets)):
            numbers = [index.setdefault(name, len(index)) for name in names]
            ends.append(np.array(numbers, np.int32))
        self._weights.append(np.asarray(weights, np.float64))
        self.count += len(sources)
        if self.count > MOST_EDGES:
            raise ValueError(f"there are more than {MOST_EDGES:,} edges, which is too many")

    def __contains__(self, name: str) -> bool:
        """Whether a unit has this name."""
        return name in self._index

    def network(self, about: str, every: Sequence[str] = (), notes: Sequence[str] = ()) -> Network:
        """What was added, and units that no edge may mention.

        Units are numbered by their names if these are all whole numbers, else as they came.
        """
        for name in every:
            self._index.setdefault(name, len(self._index))
        if not self._index:
            raise ValueError(f"{about} holds no edges")
        names: list[Name] = list(self._index)
        place = np.arange(len(names), dtype=np.int32)
        if all(WHOLE.fullmatch(name) for name in self._index):
            numbers = np.array([int(name) for name in self._index])
            by_number = np.argsort(numbers)
            names = [int(number) for number in numbers[by_number]]
            place[by_number] = np.arange(len(names), dtype=np.int32)
        empty = [np.empty(0, np.int32)]
        return edge_network(
            place[np.concatenate(self._sources or empty)],
            place[np.concatenate(self._targets or empty)],
            np.concatenate(self._weights or [np.empty(0)]),
            units=len(names),
            names=names,
            about=about,
            notes=notes,
        )


def edge_network(
    sources: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray | None,
    *,
    units: int | None = None,
    names: Sequence[Name] | None = None,
    about: str,
    notes: Sequence[str] = (),
) -> Network:
    """The network of edges between numbered units; those given more than once add up.

    Examples:
        >>> both = np.array([0, 1]), np.array([1, 0])
        >>> edge_network(*both, None, about="a pair").weights.toarray()
        array([[0., 1.],
               [1., 0.]])
    """
    for name, ends in (("source", sources), ("target", targets)):
        if ends.ndim != 1 or ends.dtype.kind not in "iu" or ends.size != sources.size:
            raise ValueError(
                f"{about}: {name} has shape {ends.shape} and type {ends.dtype}, but must be one "
                "whole number for each edge"
            )
    values = np.ones(sources.size) if weights is None else weights
    if values.shape != sources.shape or values.dtype.kind not in "biuf":
        raise ValueError(
            f"{about}: weight has shape {values.shape} and type {values.dtype}, but must be one "
            f"number for each of {sources.size} edges"
        )
    bad = ~np.isfinite(values)
    if bad.any():
        edge = int(np.argmax(bad))
        raise ValueError(
            f"{about}: the weight of edge {edge} is {values[edge]}, but must be a finite number"
        )
    highest = int(max(sources.max(), targets.max())) if sources.size else -1
    size = highest + 1 if units is None else units
    check_size(about, 8 * size)
    for name, ends in (("source", sources), ("target", targets)):
        if ends.size and not (ends.min() >= 0 and ends.max() < size):
            value = int(ends.min() if ends.min() < 0 else ends.max())
            raise ValueError(f"{about}: {name} {value} is not from 0 to {size - 1}")
    matrix = sp.coo_array((values.astype(np.float64), (targets, sources)), shape=(size, size))
    weights_by_row = matrix.tocsr()
    again = sources.size - weights_by_row.nnz
    if again:
        notes = (*notes, f"Edges given more than once are summed ({again:,} of them).")
    return Network.from_matrix(weights_by_row, names=names, about=about, edges=True, notes=notes)
