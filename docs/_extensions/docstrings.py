r"""What the reference makes of docstrings and signatures.

Docstrings here are written to be read in the source: formulas stand in \(...\) and \[...\], and a
star or a bar is only that, and tables are Markdown's. Signatures show types as the source names
them.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

# Where code is, nothing is escaped: ``...`` and `...`, doctests, directives.
CODE = re.compile(r"(``.+?``|`.+?`|^ *(?:>>>|\.\.\.|\.\. )[^\n]*$)", re.M | re.S)
INITIALISER = "Callable[[Key[Array, ''], tuple[int, ...]], Float[Array, '...']]"
SHORTER = (
    (re.compile(r"~(?:\w+\.)*(?=\w)"), ""),
    (re.compile(r"\bjaxlib\._jax\.Array\b|\bjax\.Array\b"), "Array"),
    (re.compile(r"\b(?:jaxtyping|collections\.abc|typing|pathlib)\."), ""),
    (re.compile(r"<PjitFunction of <function (\w+)>>|<function (\w+)(?: at \w+)?>"), r"\1\2"),
    (re.compile(r"<factory>"), "..."),
    (re.compile(r"Callable\[\[Array\], Array\]"), "Activation"),
    (re.compile(re.escape(INITIALISER)), "Initialiser"),
    (re.compile(r"\borderedness(?:\.\w+)+\.(?=\w)"), ""),
)


def list_table(found: re.Match[str]) -> str:
    """A table as reStructuredText has it."""
    head, _, *rows = found[0].strip().splitlines()
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (head, *rows):
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        lines += [f"   {'* ' if place == 0 else '  '}- {cell}" for place, cell in enumerate(cells)]
    return "\n".join([*lines, "", ""])


def docstring(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Rewrite the lines of a docstring in place."""
    text = "\n".join(lines)
    text = re.sub(r"^( *)\\\[(.+?)\\\]$", r"\1.. math:: \2", text, flags=re.M)
    text = re.sub(r"(?:^\|.*\|\n)+", list_table, text, flags=re.M)
    text = re.sub(r"\\\((.+?)\\\)", r":math:`\1`", text, flags=re.S)
    parts = CODE.split(text)
    for place in range(0, len(parts), 2):
        plain = re.sub(r"(?<![\w*\\])([*|])(?=\w)", r"\\\1", parts[place])
        parts[place] = re.sub(r"^(?=\w)", r"\\ ", plain) if place else plain  # `Arm`s
    lines[:] = "".join(parts).split("\n")


def signature(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, told: str | None, gives: str | None
) -> tuple[str | None, str | None] | None:
    """Shorten what the arguments and the result are called."""
    for pattern, short in SHORTER:
        told = pattern.sub(short, told) if told else told
        gives = pattern.sub(short, gives) if gives else gives
    return told, gives


def only_ours(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out functions of other libraries that are the default of an attribute."""
    home = getattr(thing, "__module__", None)
    return True if callable(thing) and home and not home.startswith("orderedness") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", docstring)
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-skip-member", only_ours)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
