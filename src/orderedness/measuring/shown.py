"""Showing text that comes from files: no control character reaches a terminal or a message."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

LONGEST = 60


def shown(text: Any, longest: int = LONGEST) -> str:
    r"""The text on one line, with everything that does not print escaped, and cut if long.

    Paths are not cut: what they name must be found again.

    Examples:
        >>> shown("AVA\x1b[31m\n")
        'AVA\\x1b[31m\\n'
        >>> shown("x" * 100, longest=5)
        'xxxx…'
    """
    if isinstance(text, PurePath):
        longest = len(str(text))
    characters = (
        c if c.isprintable() else c.encode("unicode_escape").decode()
        for c in str(text)[: longest + 1]
    )
    line = "".join(characters)
    cut = len(str(text)) > longest
    return line[: longest - 1] + "…" if cut else line


def listed(names: Iterable[Any], most: int = 8) -> str:
    """A list of names for a message, cut if there are many.

    Examples:
        >>> listed(["a", "b", "c"], most=2)
        'a, b and 1 more'
    """
    every = list(names)
    line = ", ".join(shown(name) for name in every[:most])
    return line if len(every) <= most else f"{line} and {len(every) - most} more"
