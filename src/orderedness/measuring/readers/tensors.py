"""Parameters of trained networks: .safetensors, and torch's .pt through its own safe loader."""

from __future__ import annotations

import importlib
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


def read_safetensors(path: Path, wanted: str | None, gate: str | None) -> Network:
    """One tensor of a safetensors file; nothing else of it is read."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
            name = choose(shapes, wanted, shown(path))
            about = f"tensor {shown(name)} of {shown(path)}"
            check_size(about, 8 * int(np.prod(shapes[name])))
            kind = file.get_slice(name).get_dtype()
            if kind not in ("F16", "F32", "F64", "BF16"):
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
    if zipfile.is_zipfile(path):
        check_archive(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the make of the file
            loaded = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        raise ValueError(
            f"{shown(path)} is damaged, or a pickle that would run code when loaded, which is "
            "refused; it must be a state dict: torch.save(model.state_dict(), path)"
        ) from None
    except (RuntimeError, EOFError, AttributeError, KeyError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{shown(path)} is damaged or no file of torch: {shown(reason)}") from None
    return state_dict_network(loaded, wanted, gate, shown(path))


def state_dict_network(state: Any, wanted: str | None, gate: str | None, about: str) -> Network:
    """One array of a mapping from names to arrays, which may be nested.

    Examples:
        >>> network = state_dict_network({"a": {"w": np.eye(2)}}, None, None, "a mapping")
        >>> network.about
        'tensor a.w of a mapping'
    """
    tensors = dict(_flat(state, ""))
    shapes = {name: tuple(int(n) for n in tensor.shape) for name, tensor in tensors.items()}
    name = choose(shapes, wanted, about)
    tensor = tensors[name]
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().cpu().to_dense().double().numpy()
    about = f"tensor {shown(name)} of {about}" if name else about
    return tensor_network(name, np.asarray(tensor), about, gate)


def _flat(state: Any, path: str) -> Iterator[tuple[str, Any]]:
    if hasattr(state, "shape"):
        yield path, state
    elif isinstance(state, Mapping):
        for key, value in state.items():
            yield from _flat(value, f"{path}.{key}" if path else str(key))


def tensor_network(name: str, tensor: np.ndarray, about: str, gate: str | None) -> Network:
    """The network of one tensor; recurrent weights of gated cells are taken apart.

    Examples:
        >>> tensor_network("w", np.eye(2), "a matrix", None).connections
        2
    """
    if gate is not None or (is_recurrent(name) and tensor.ndim == 2):
        if tensor.ndim != 2:
            raise ValueError(f"{about} has shape {tensor.shape}, but gates are stacked in a matrix")
        return gated_network(name, tensor, about, gate)
    return Network.from_matrix(tensor, about=about)
