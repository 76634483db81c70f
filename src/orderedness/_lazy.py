"""Public names that are loaded when they are first used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def lazily(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make a package's `__getattr__` and `__dir__`.

    Args:
        package: its name.
        homes: module of the package -> public names that live there.

    Examples:
        >>> getter, names = lazily("orderedness", {"pruning": ["TopK", "ramp"]})
        >>> names(), getter("TopK")(0.5)
        (['TopK', 'ramp'], TopK(sparsity=0.5))
    """
    module_of = {name: module for module, names in homes.items() for name in names}

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{module_of[name]}"), name)

    return get, lambda: sorted(module_of)
