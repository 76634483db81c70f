"""Measure any network: files and objects in, order out, with bounds, company and pictures.

Public names are loaded when they are first used, so that asking for help imports next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orderedness.measuring.function import measure
    from orderedness.measuring.network import Network
    from orderedness.measuring.null_models import NULL_MODELS, NullComparison
    from orderedness.measuring.pictures.write import write_picture
    from orderedness.measuring.readers.read import read
    from orderedness.measuring.result import Measured

_HOME = {
    "Measured": "result",
    "Network": "network",
    "NULL_MODELS": "null_models",
    "NullComparison": "null_models",
    "measure": "function",
    "read": "readers.read",
    "write_picture": "pictures.write",
}

__all__ = [
    "NULL_MODELS",
    "Measured",
    "Network",
    "NullComparison",
    "measure",
    "read",
    "write_picture",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'orderedness.measuring' has no attribute {name!r}")
    return getattr(importlib.import_module(f"orderedness.measuring.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
