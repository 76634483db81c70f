"""NumPy's own files: .npy and .npz. Pickles inside them are never loaded."""

from __future__ import annotations

import contextlib
import lzma
import math
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp

from orderedness.measuring.network import Name, Network
from orderedness.measuring.readers.choose import choose
from orderedness.measuring.readers.edges import edge_network
from orderedness.measuring.readers.limits import check_archive, check_size
from orderedness.measuring.readers.tensors import tensor_network
from orderedness.measuring.shown import shown

SPARSE = {"format", "shape", "data"}
EDGE_KEYS = ("source", "target")
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError)


def read_npy(path: Path, gate: str | None) -> Network:
    """One array."""
    with path.open("rb") as file:
        array = _array(file, path.stat().st_size, shown(path))
    return tensor_network(path.stem, array, shown(path), gate)


def read_npz(path: Path, wanted: str | None, gate: str | None) -> Network:
    """An archive of arrays: one of them, a SciPy sparse matrix, or edges as source and target."""
    check_archive(path)
    with zipfile.ZipFile(path) as archive:
        entries = {
            entry.filename.removesuffix(".npy"): entry
            for entry in archive.infolist()
            if entry.filename.endswith(".npy")
        }

        def about(name: str) -> str:
            return f"array {shown(name)} of {shown(path)}"

        @contextlib.contextmanager
        def opened(name: str) -> Iterator[IO[bytes]]:
            try:
                with archive.open(entries[name]) as file:
                    yield file
            except DAMAGED as error:
                raise ValueError(f"{about(name)} is damaged: {shown(error)}") from None

        def load(name: str) -> np.ndarray:
            with opened(name) as file:
                return _array(file, entries[name].file_size, about(name))

        if wanted is None and entries.keys() >= SPARSE:
            return _sparse({name: load(name) for name in entries}, shown(path))
        if wanted is None and entries.keys() >= set(EDGE_KEYS):
            weights = load("weight") if "weight" in entries else None
            nodes = _nodes(load("nodes"), about("nodes")) if "nodes" in entries else (None, None)
            return edge_network(
                load("source"),
                load("target"),
                weights,
                units=nodes[0],
                names=nodes[1],
                about=shown(path),
            )
        shapes = {}
        for name in entries:
            with opened(name) as file:
                shapes[name] = _header(file, about(name))[0]
        name = choose(shapes, wanted, shown(path))
        return tensor_network(name, load(name), about(name), gate)


def _header(file: IO[bytes], about: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type, read without unpacking anything."""
    try:
        version = np.lib.format.read_magic(file)
        reader = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if reader is None:
            raise ValueError(f"its version {version} is not known")
        return reader(file)
    except (ValueError, EOFError, SyntaxError, TypeError, tokenize.TokenError) as error:
        raise ValueError(f"{about} is not a NumPy array: {shown(error, 120)}") from None


def _array(file: IO[bytes], length: int, about: str) -> np.ndarray:
    """The array, once its header was found to fit the length of what holds it."""
    shape, fortran, dtype = _header(file, about)
    if dtype.hasobject:
        raise ValueError(
            f"{about} holds Python objects as a pickle, which is never loaded; it must hold numbers"
        )
    expected = math.prod(shape) * dtype.itemsize
    check_size(about, expected)
    if expected > length:
        raise ValueError(
            f"{about} is truncated: it should hold {expected:,} bytes, but holds at most {length:,}"
        )
    data = bytearray(file.read(expected))  # what is made of it may be written to
    if len(data) < expected:
        raise ValueError(
            f"{about} is truncated: it should hold {expected:,} bytes, but holds {len(data):,}"
        )
    if dtype.itemsize == 0:
        raise TypeError(f"{about} holds {dtype} entries, but must hold real numbers")
    flat = np.frombuffer(data, dtype)
    return flat.reshape(shape, order="F" if fortran else "C")


def _nodes(nodes: np.ndarray, about: str) -> tuple[int, list[Name] | None]:
    """How many units there are, and their names if these are given."""
    if nodes.ndim == 0 and nodes.dtype.kind in "iu":
        return int(nodes), None
    if nodes.ndim == 1 and nodes.dtype.kind in "iuU":
        return nodes.size, nodes.tolist()
    raise ValueError(
        f"{about} has shape {nodes.shape} and type {nodes.dtype}, but must be how many units there "
        "are, or their names"
    )


def _sparse(parts: Mapping[str, np.ndarray], about: str) -> Network:
    """A matrix as `scipy.sparse.save_npz` writes it."""
    makers: dict[str, tuple[Any, tuple[str, ...]]] = {
        "csr": (sp.csr_array, ("data", "indices", "indptr")),
        "csc": (sp.csc_array, ("data", "indices", "indptr")),
        "bsr": (sp.bsr_array, ("data", "indices", "indptr")),
        "dia": (sp.dia_array, ("data", "offsets")),
    }
    try:
        kind = parts["format"].item()
        kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
        shape = tuple(int(size) for size in parts["shape"])
        check_size(about, 8 * sum(shape))
        if kind == "coo":
            where = (parts["row"], parts["col"]) if "row" in parts else tuple(parts["coords"])
            matrix = sp.coo_array((parts["data"], where), shape=shape)
        else:
            make, needed = makers[kind]
            matrix = make(tuple(parts[name] for name in needed), shape=shape)
            if hasattr(matrix, "check_format"):
                matrix.check_format(full_check=True)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise ValueError(f"{about} is not a sparse matrix of SciPy: {shown(error, 120)}") from None
    return Network.from_matrix(matrix, about=about)
