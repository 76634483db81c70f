"""Refusals in one clear sentence: the argument, its value, the rule it broke."""

from __future__ import annotations

import difflib
import itertools
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np


def fraction(name: str, value: Any) -> float:
    """Return `value` as a float if it lies in [0, 1], else raise.

    >>> fraction("sparsity", 0.5)
    0.5
    >>> fraction("sparsity", 1.5)
    Traceback (most recent call last):
        ...
    ValueError: sparsity is 1.5, but must be a number from 0 to 1
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} is {value!r}, but must be a number from 0 to 1")
    return number


def whole(name: str, value: Any, *, least: int) -> int:
    """Return `value` as an int if it is a whole number and at least `least`, else raise.

    >>> whole("iterations", 3, least=1)
    3
    >>> whole("iterations", 0, least=1)
    Traceback (most recent call last):
        ...
    ValueError: iterations is 0, but must be a whole number of at least 1
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or number < least:
        raise ValueError(f"{name} is {value!r}, but must be a whole number of at least {least}")
    return number


def finite(name: str, array: Any) -> np.ndarray:
    """Return `array` as NumPy if every entry is a finite number, else raise naming the first.

    >>> finite("weights", [1.0, float("nan")])
    Traceback (most recent call last):
        ...
    ValueError: weights[1] is nan, but every entry must be a finite number
    """
    values = np.asarray(array)
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name} holds {values.dtype} entries, but must hold real numbers")
    bad = ~np.isfinite(values)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        index = f"[{', '.join(map(str, where))}]" if where else ""
        raise ValueError(
            f"{name}{index} is {values[where]}, but every entry must be a finite number"
        )
    return values


def shape(name: str, array: Any, expected: tuple[int, ...], meaning: str) -> None:
    """Raise unless `array` has the `expected` shape; `meaning` says what its axes are.

    >>> shape("values", np.zeros(3), (6,), "one for each output and hidden unit")
    Traceback (most recent call last):
        ...
    ValueError: values has shape (3,), but must have shape (6,): one for each output and hidden unit
    """
    found = tuple(np.shape(array))
    if found != expected:
        raise ValueError(f"{name} has shape {found}, but must have shape {expected}: {meaning}")


def known(name: str, value: str, names: Iterable[str]) -> str:
    """Return `value` if it is one of `names`, else raise with the nearest of them.

    >>> known("task", "xro", ["xor", "sine"])
    Traceback (most recent call last):
        ...
    ValueError: task is 'xro', but must be one of xor, sine; did you mean 'xor'?
    """
    names = list(names)
    if value in names:
        return value
    raise ValueError(
        f"{name} is {value!r}, but must be one of {', '.join(names)}{suggestion(value, names)}"
    )


def suggestion(value: object, names: Iterable[str], most: int = 10_000) -> str:
    """A question that names the nearest of the first `most` names, or nothing if none is near.

    >>> suggestion("weigth_hh_l0", ["weight_hh_l0", "bias_hh_l0"])
    "; did you mean 'weight_hh_l0'?"
    """
    near = difflib.get_close_matches(str(value), itertools.islice(names, most), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
