"""What an experiment is, in plain data: equal exactly where the same networks would come out."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

from orderedness.pruning import Pruner
from orderedness.training import Experiment

# A function found in one of these under its own name is known by that name: the versions of these
# libraries are part of a store's names too.
_LIBRARIES = ("orderedness", "jax", "optax")


class UnnamedError(ValueError):
    """A part of an experiment that has no name of its own, so that its results cannot be stored."""


def describe(experiment: Experiment) -> dict[str, Any]:
    """Everything that decides what a network becomes, except its seed, as JSON would have it.

    Examples:
        >>> from orderedness.pruning import TopK
        >>> from orderedness.training import Experiment, xor
        >>> told = describe(Experiment(xor(), pruner=TopK(0.5)))
        >>> told["pruner"]
        {'kind': 'orderedness.pruning.pruners.TopK', 'sparsity': 0.5}
        >>> describe(Experiment(xor(), weights=lambda key, shape: None))
        Traceback (most recent call last):
            ...
        orderedness.study.describe.UnnamedError: weights is <function <lambda> at ...>, which ...
    """
    task = experiment.task
    parts = {
        name: _describe(name, getattr(experiment, name))
        for name in ("weights", "values", "bias", "pruner", "optimiser", "activation")
    }
    return {
        "task": {"name": task.name, "fingerprint": task.fingerprint},
        "hidden": experiment.hidden,
        "iterations": experiment.iterations,
        **parts,
    }


def columns_of(experiment: Experiment) -> dict[str, str | int | float | None]:
    """The columns that say in a table what an experiment is; None where there is no such thing.

    Examples:
        >>> from orderedness.pruning import TrilDamping
        >>> from orderedness.training import Experiment, xor
        >>> columns = columns_of(Experiment(xor(), pruner=TrilDamping(0.8)))
        >>> columns["pruner"], columns["fraction"], columns["sparsity"]
        ('TrilDamping', 0.8, None)
    """
    pruner = experiment.pruner
    return {
        "task": experiment.task.name,
        "pruner": getattr(pruner, "stored_as", (type(pruner).__name__,))[0],
        "sparsity": _float(getattr(pruner, "sparsity", None)),
        "fraction": _float(getattr(pruner, "fraction", None)),
        "hidden": experiment.hidden,
        "iterations": experiment.iterations,
        "outputs": experiment.outputs,
        "inputs": experiment.task.inputs.shape[1],
        "weights": _short(experiment.weights),
        "values": _short(experiment.values),
    }


def digest(told: Mapping[str, Any]) -> str:
    """A short name for plain data, equal for equal data.

    Examples:
        >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
        True
    """
    text = json.dumps(told, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _describe(where: str, value: Any) -> Any:
    """Plain data for a part of an experiment; `where` names it in messages."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)):
        return int(value) if float(value).is_integer() else float(value)  # 1 and 1.0 are one value
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return [_describe(where, item) for item in value]
    own = getattr(value, "stored_as", None)
    if own is not None and not isinstance(value, type):
        name, version = own
        return {"name": str(name), "version": int(version)} | _fields(where, value, Pruner)
    if dataclasses.is_dataclass(value) and findable(type(value)):
        return {"kind": _qualified(type(value))} | _fields(where, value, object)
    if findable(value):
        return _qualified(value)
    raise UnnamedError(
        f"{where} is {value!r}, which has no name and version to be stored under: give it both "
        "with named(name, version, function), or, for a class of pruners, as stored_as"
    )


def _fields(where: str, value: Any, kind: type) -> dict[str, Any]:
    if not (dataclasses.is_dataclass(value) and isinstance(value, kind)):
        return {}
    return {
        field.name: _describe(f"{where}.{field.name}", getattr(value, field.name))
        for field in dataclasses.fields(value)
    }


def findable(value: Any) -> bool:
    """Whether a library offers exactly this under the name that it bears."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return False
    return module.split(".")[0] in _LIBRARIES and (
        getattr(sys.modules.get(module), name, None) is value
    )


def _qualified(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _short(function: Any) -> str:
    own = getattr(function, "stored_as", None)
    return own[0] if own else getattr(function, "__name__", type(function).__name__)


def _float(number: Any) -> float | None:
    return float(number) if isinstance(number, (int, float)) else None
