"""Which of the arrays in a file, or of the parameters of a module, is the network."""

from __future__ import annotations

from collections.abc import Mapping

from orderedness._checks import suggestion
from orderedness.measuring.gates import is_recurrent
from orderedness.measuring.shown import shown

Shape = tuple[int, ...]


def choose(shapes: Mapping[str, Shape], wanted: str | None, about: str) -> str:
    """The name of the array to measure: the one asked for, or the only one it can be.

    Recurrent weights of torch and Equinox cells go before other matrices, and square matrices
    before those with more columns than rows.

    Args:
        shapes: the shape of each array.
        wanted: what was asked for, if anything.
        about: what holds the arrays, for messages.

    Examples:
        >>> choose({"weight_hh_l0": (4, 4), "bias": (4,)}, None, "a.pt")
        'weight_hh_l0'
        >>> choose({"a": (4, 4), "b": (3, 3)}, None, "a.npz")
        Traceback (most recent call last):
            ...
        ValueError: a.npz holds several matrices: choose an array from a (4, 4), b (3, 3)
    """
    if wanted is not None:
        if wanted not in shapes:
            raise ValueError(
                f"array is {shown(wanted)!r}, but {about} holds {_described(shapes) or 'none'}"
                f"{suggestion(wanted, map(shown, shapes))}"
            )
        return wanted
    matrices = {name: shape for name, shape in shapes.items() if len(shape) == 2 and min(shape)}
    kinds = (
        [name for name in matrices if is_recurrent(name)],
        [name for name, (rows, columns) in matrices.items() if rows == columns],
        [name for name, (rows, columns) in matrices.items() if rows < columns],
    )
    for candidates in kinds:
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            several = {name: shapes[name] for name in candidates}
            raise ValueError(
                f"{about} holds several matrices: choose an array from {_described(several)}"
            )
    raise ValueError(
        f"{about} holds {_described(shapes) or 'no arrays'}, but a network is a matrix with a row "
        "for each unit and at least as many columns"
    )


def _described(shapes: Mapping[str, Shape], most: int = 8) -> str:
    every = [f"{shown(name)} {shape}" for name, shape in shapes.items()]
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
