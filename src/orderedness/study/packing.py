"""Experiments as bytes, for processes that are sent them."""

from __future__ import annotations

import functools
import importlib
import io
import pickle
import types
from typing import Any

from orderedness.study.describe import findable
from orderedness.training import Experiment

try:  # comes with Dask; it knows how to send functions that no module holds
    import cloudpickle

    _Base: Any = cloudpickle.Pickler
except ImportError:
    _Base = pickle.Pickler


class _Packer(_Base):  # type: ignore[misc]
    """A pickler that sends a library's compiled functions by name, so that they stay the same."""

    def reducer_override(self, value: Any) -> Any:
        plain = isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType))
        if callable(value) and not plain and findable(value):
            return _found, (value.__module__, value.__qualname__)
        base = getattr(super(), "reducer_override", None)
        return NotImplemented if base is None else base(value)


def pack(experiment: Experiment) -> bytes:
    """An experiment as bytes.

    Examples:
        >>> from orderedness.training import xor
        >>> experiment = Experiment(xor(epochs=3))
        >>> again = unpack(pack(experiment))
        >>> again.task.fingerprint == experiment.task.fingerprint
        True
        >>> again.activation is experiment.activation
        True
    """
    file = io.BytesIO()
    try:
        _Packer(file, protocol=pickle.HIGHEST_PROTOCOL).dump(experiment)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            f"an experiment cannot be sent to other processes ({error}): put its functions into a "
            "module of their own, or pip install 'orderedness[cluster]'"
        ) from error
    return file.getvalue()


@functools.lru_cache(maxsize=4096)
def unpack(data: bytes) -> Experiment:
    """The experiment again; the same object for the same bytes, so that it is compiled once.

    Only for what came through an executor, which already lets its client run what it likes.
    """
    return pickle.loads(data)  # noqa: S301


def _found(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)
