"""Parameters of trained networks: .safetensors, and torch's .pt through its own safe loader."""

from __future__ import annotations

import dataclasses
import importlib
import math
import pickle
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from orderedness.measuring.gates import gated_network, is_recurrent
from orderedness.measuring.network import Network
from orderedness.measuring.readers.choose import choose
from orderedness.measuring.readers.limits import check_archive, check_size
from orderedness.measuring.shown import shown

NUMBERS = ("F16", "F32", "F64", "BF16", "BOOL", *(f"{s}{b}" for s in "IU" for b in (8, 16, 32, 64)))
DEEPEST = 100  # levels of a state dict


def read_safetensors(path: Path, wanted: str | None, gate: str | None) -> Network:
    """One tensor of a safetensors file; nothing else of it is read."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
            name = choose(shapes, wanted, shown(path))
            about = f"tensor {shown(name)} of {shown(path)}"
            check_size(about, 8 * math.prod(shapes[name]))
            kind = file.get_slice(name).get_dtype()
            if kind not in NUMBERS:
                raise TypeError(f"{about} holds {shown(kind)} entries, but must hold real numbers")
            if kind == "BF16":
                import ml_dtypes  # noqa: F401  (teaches NumPy the type)
            tensor = np.asarray(file.get_tensor(name)).astype(np.float64)
    except (SafetensorError, OverflowError) as error:
        raise ValueError(
            f"{shown(path)} is damaged or no safetensors file: {shown(error, 120)}"
        ) from None
    return tensor_network(name, tensor, about, gate)


def read_torch(path: Path, wanted: str | None, gate: str | None) -> Network:
    """One tensor of a state dict, loaded by ``torch.load(weights_only=True)``."""
    try:
        torch: Any = importlib.import_module("torch")
    except ImportError:
        raise ValueError(
            f"{shown(path)} can only be read where torch is installed; with torch elsewhere, "
            "safetensors.torch.save_file(model.state_dict(), 'model.safetensors') writes a file "
            "that needs none"
        ) from None
    try:
        zipped = zipfile.is_zipfile(path)
    except zipfile.BadZipFile:
        zipped = True  # and damaged, as the next line tells
    if zipped:
        check_archive(path)
    try:
        checked = torch.sparse.check_sparse_tensor_invariants()
        with warnings.catch_warnings(), checked:
            warnings.simplefilter("ignore")  # about the make of the file
            loaded = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        raise ValueError(
            f"{shown(path)} is damaged, or a pickle that would run code when loaded, which is "
            "refused; it must be a state dict: torch.save(model.state_dict(), path)"
        ) from None
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{shown(path)} is damaged or no file of torch: {shown(reason)}") from None
    return state_dict_network(loaded, wanted, gate, shown(path), path.stat().st_size)


def state_dict_network(
    state: Any, wanted: str | None, gate: str | None, about: str, packed: int | None = None
) -> Network:
    """One array of a mapping from names to arrays, which may be nested.

    Args:
        state: the mapping.
        wanted: which array.
        gate: which gate of it.
        about: what it is, for messages.
        packed: bytes of the file that it came from; one number of it may stand for a whole tensor.

    Examples:
        >>> network = state_dict_network({"a": {"w": np.eye(2)}}, None, None, "a mapping")
        >>> network.about
        'tensor a.w of a mapping'
    """
    tensors = dict(arrays_in(state))
    shapes = {name: tuple(int(n) for n in tensor.shape) for name, tensor in tensors.items()}
    name = choose(shapes, wanted, about)
    tensor = tensors[name]
    about = f"tensor {shown(name)} of {about}" if name else about
    check_size(about, 8 * math.prod(shapes[name]), packed)
    return tensor_network(name, as_array(tensor, about), about, gate)


def as_array(source: Any, about: str) -> np.ndarray:
    """A tensor of torch or an array of any other library, as NumPy holds it.

    Examples:
        >>> as_array([[1, 2]], "a matrix")
        array([[1, 2]])
    """
    if not hasattr(source, "detach"):
        return np.asarray(source)
    if source.is_complex() or source.is_quantized or source.is_meta:
        raise TypeError(
            f"{about} holds {shown(source.dtype)} entries on {shown(source.device)}, but must hold "
            "real numbers"
        )
    array: np.ndarray = source.detach().cpu().to_dense().double().numpy()
    return array


def arrays_in(source: Any) -> Iterator[tuple[str, Any]]:
    """All arrays in a module or in nested mappings and lists, with their dotted names.

    What stands in several places is given once: a small file may nest itself without end.

    Examples:
        >>> [name for name, _ in arrays_in({"layers": [{"w": np.eye(2)}], "steps": 3})]
        ['layers.0.w']
    """
    seen: dict[int, Any] = {}
    waiting: list[tuple[tuple[str, ...], Any]] = [((), source)]
    while waiting:
        path, value = waiting.pop()
        if hasattr(value, "shape") and hasattr(value, "dtype"):
            yield ".".join(path), value
            continue
        if id(value) in seen or len(path) > DEEPEST:
            continue
        seen[id(value)] = value
        inner: list[tuple[Any, Any]] = []
        if dataclasses.is_dataclass(value):
            names = [field.name for field in dataclasses.fields(value)]
            inner = [(name, getattr(value, name, None)) for name in names]
        elif isinstance(value, Mapping):
            inner = list(value.items())
        elif isinstance(value, list | tuple):
            inner = list(enumerate(value))
        waiting += [((*path, str(name)), item) for name, item in reversed(inner)]


def tensor_network(name: str, tensor: np.ndarray, about: str, gate: str | None) -> Network:
    """The network of one tensor; recurrent weights of gated cells are taken apart.

    Examples:
        >>> tensor_network("w", np.eye(2), "a matrix", None).connections
        2
    """
    if gate is not None or (is_recurrent(name) and tensor.ndim == 2):
        if tensor.ndim != 2:
            raise ValueError(f"{about} has shape {tensor.shape}, but gates are stacked in a matrix")
        return gated_network(tensor, about, gate)
    return Network.from_matrix(tensor, about=about)
