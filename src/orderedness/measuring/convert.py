"""Networks from the objects of other libraries, none of which is imported here."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from orderedness.measuring.network import Name, Network
from orderedness.measuring.readers.choose import choose
from orderedness.measuring.readers.edges import edge_network
from orderedness.measuring.readers.read import read
from orderedness.measuring.readers.tensors import (
    arrays_in,
    as_array,
    state_dict_network,
    tensor_network,
)
from orderedness.measuring.shown import shown

OWN = ("weights", "recurrent")  # of the complete layer, and of its recurrent twin


def as_network(source: Any, *, array: str | None = None, gate: str | None = None) -> Network:
    """The network in a file, an array, a module or a graph.

    Args:
        source: a path; a NumPy, JAX or torch array or nested lists; a SciPy sparse matrix; a
            directed networkx graph; a torch module or state dict; an Equinox module; a `Network`.
        array: which array or parameter of those in it.
        gate: which gate of stacked recurrent weights; by default the magnitudes of all.

    Examples:
        >>> import networkx
        >>> as_network(networkx.DiGraph([("a", "b")])).names
        ('a', 'b')
    """
    if isinstance(source, str | Path):
        return read(source, array=array, gate=gate)
    if hasattr(source, "state_dict"):
        kind = shown(type(source).__name__)
        return state_dict_network(source.state_dict(), array, gate, f"a torch {kind}")
    if isinstance(source, Mapping) and not hasattr(source, "adj"):
        return state_dict_network(source, array, gate, "a mapping")
    if dataclasses.is_dataclass(source) and not isinstance(source, type | Network):
        return _module(source, array, gate)
    if array is not None:
        raise ValueError(
            f"array is {shown(array)!r}, but a {type(source).__name__} holds only one network"
        )
    if isinstance(source, Network):
        return source
    if hasattr(source, "adj") and hasattr(source, "is_directed"):
        return _graph(source)
    if sp.issparse(source):
        return Network.from_matrix(source, about="a sparse matrix")
    return tensor_network("", _as_array(source), "a matrix", gate)


def _as_array(source: Any) -> np.ndarray:
    try:
        array = as_array(source, "a tensor")
    except ValueError:
        raise ValueError("a matrix must have rows of one length, but these differ") from None
    if array.dtype.kind == "V":  # the extended floats of JAX, such as bfloat16
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf" or array.ndim == 0:
        raise TypeError(
            f"the network is a {type(source).__name__}, but must be a path, a matrix of real "
            "numbers, a directed graph, or a module with recurrent weights"
        )
    return array


def _graph(graph: Any) -> Network:
    if not graph.is_directed():
        raise TypeError(
            f"the network is a {type(graph).__name__}, but order needs a directed graph"
        )
    index = {node: k for k, node in enumerate(graph.nodes)}
    every = list(graph.edges(data="weight", default=1.0))
    try:
        weights = np.array([weight for _, _, weight in every], np.float64)
    except (TypeError, ValueError):
        bad = next(w for _, _, w in every if isinstance(w, bool) or not isinstance(w, int | float))
        raise TypeError(f"an edge has the weight {shown(bad)!r}, but must have a number") from None
    names: list[Name] = [node if isinstance(node, int) else str(node) for node in index]
    return edge_network(
        np.array([index[source] for source, _, _ in every], np.int64),
        np.array([index[target] for _, target, _ in every], np.int64),
        weights,
        units=len(index),
        names=names,
        about="a graph",
    )


def _module(module: Any, wanted: str | None, gate: str | None) -> Network:
    """An Equinox module: its arrays by the names of their fields."""
    about = f"a {type(module).__name__}"
    arrays = dict(arrays_in(module))
    shapes = {name: tuple(np.shape(value)) for name, value in arrays.items()}
    own = [name for name in OWN if name in shapes and hasattr(module, "outputs")]
    name = own[0] if own and wanted is None else choose(shapes, wanted, about)
    values = _as_array(arrays[name])
    network = tensor_network(name, values, f"{shown(name)} of {about}", gate)
    outputs = int(module.outputs) if own and name == own[0] else 0
    return dataclasses.replace(network, outputs=outputs)
