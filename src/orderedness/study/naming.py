"""A name and a version for a user's own function, so that its results can be stored."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

from orderedness import _checks


@dataclasses.dataclass(frozen=True)
class Named:
    """A function that a store knows by name and version; calling it calls the function.

    Attributes:
        name: what it is.
        version: to be raised whenever the function changes what it computes.
        function: the function.
    """

    name: str
    version: int
    function: Callable[..., Any]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not re.fullmatch(r"[\w.-]{1,80}", self.name):
            raise ValueError(
                f"name is {self.name!r}, but must be 1 to 80 letters, digits, '-', '_' or '.'"
            )
        _checks.whole("version", self.version, least=0)
        if not callable(self.function):
            raise TypeError(f"function is {self.function!r}, but must be callable")

    @property
    def stored_as(self) -> tuple[str, int]:
        """Name and version, which stand for the function in a store."""
        return self.name, self.version

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function."""
        return self.function(*arguments, **keywords)


def named(name: str, version: int, function: Callable[..., Any]) -> Named:
    """Give a function of your own a name and a version, under which its results are stored.

    It goes wherever an experiment takes a function: initialisers, the activation, the `make` of
    an `Optimiser`, the function of a `CustomPruning`. The name and version are trusted: results
    of an earlier function under the same ones are found again.

    Examples:
        >>> halve = named("halve", 1, lambda weights, progress, key: weights / 2)
        >>> halve(6, 0.0, None), halve.stored_as
        (3.0, ('halve', 1))
    """
    return Named(name, version, function)
