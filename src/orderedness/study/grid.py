"""Studies as TOML files: lists in a grid are multiplied out."""

from __future__ import annotations

import dataclasses
import itertools
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from orderedness import _checks
from orderedness.network import Initialiser, normal, uniform, zeros
from orderedness.study.manifest import Label
from orderedness.study.plan import Arm, Study
from orderedness.study.record import Record
from orderedness.training import Experiment, Task, adam, sine, untrained, xor
from orderedness.training.named import PRUNERS, named_pruner, named_task

_INITIALISERS: dict[str, Initialiser] = {"normal": normal, "uniform": uniform, "zeros": zeros}
_STUDY = ("name", "networks", "seed", "block")
_RECORD = tuple(field.name for field in dataclasses.fields(Record))


def load_study(path: Path | str, *, networks: int | None = None, seed: int | None = None) -> Study:
    """Read a study from a TOML file; `networks` and `seed` replace those of the file.

    Args:
        path: the file, with tables [study], [grid] (or several [[grid]]) and perhaps [record].
        networks: networks an arm.
        seed: seed of the study.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "mine.toml"
        >>> _ = path.write_text('''
        ... [grid]
        ... task = ["xor", "sine"]
        ... pruner = ["none", "topk"]
        ... sparsity = [0.2, 0.5]
        ... ''')
        >>> study = load_study(path, networks=100)
        >>> study.name, len(study.arms), study.arms[1].labels
        ('mine', 6, {'task': 'xor', 'pruner': 'topk', 'sparsity': 0.2})
    """
    path = Path(path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no TOML: {error}") from error
    try:
        return study_of(told, name=path.stem, networks=networks, seed=seed)
    except (ValueError, TypeError) as error:
        raise type(error)(f"{path}: {error}") from error


def study_of(
    told: Mapping[str, Any], *, name: str, networks: int | None = None, seed: int | None = None
) -> Study:
    """The same from what a TOML file says; `name` is used where it gives none.

    Examples:
        >>> study_of({"grid": {"task": "xor", "spasrity": [0.5]}}, name="mine")
        Traceback (most recent call last):
            ...
        ValueError: key of [grid] is 'spasrity', but must be one of ...; did you mean 'sparsity'?
    """
    _known_keys("the file", told, ("study", "grid", "record"))
    study = dict(_table("study", told.get("study", {}), _STUDY))
    record = dict(_table("record", told.get("record", {}), _RECORD))
    grids = told.get("grid")
    if grids is None:
        raise ValueError("the file has no [grid], but must say what is to be run")
    if "nulls" in record:
        record["nulls"] = tuple(_listed("nulls of [record]", record["nulls"]))
    given = {"networks": networks, "seed": seed}
    study |= {key: value for key, value in given.items() if value is not None}
    return Study(
        **{"name": name, "networks": 1000, **study, "record": Record(**record)},
        arms=arms_of(grids if isinstance(grids, list) else [grids]),
    )


def arms_of(grids: Iterable[Mapping[str, Any]]) -> list[Arm]:
    """Every combination of the values of each grid, once; labelled by the keys that were used.

    A number that a pruner does not have leaves that pruner's arms as they are.

    Examples:
        >>> grid = {"task": "xor", "pruner": ["none", "random"], "sparsity": [0.2, 0.5]}
        >>> [tuple(arm.labels.values()) for arm in arms_of([grid])]
        [('xor', 'none', None), ('xor', 'random', 0.2), ('xor', 'random', 0.5)]
    """
    checked = [_values(_table("grid", grid, _KEYS)) for grid in grids]
    columns = [key for key in _KEYS if any(key in grid for grid in checked)]
    arms: dict[tuple[Label, ...], Arm] = {}
    for grid in checked:
        for values in itertools.product(*grid.values()):
            chosen = dict(zip(grid, values, strict=True))
            pruner = named_pruner(chosen.get("pruner", "none"))
            for number in ("sparsity", "fraction"):
                if not hasattr(pruner, number):
                    chosen.pop(number, None)
            labels = {key: chosen.get(key) for key in columns}
            if tuple(labels.values()) not in arms:
                arms[tuple(labels.values())] = Arm(labels, _experiment(chosen))
    return list(arms.values())


def _values(grid: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The checked values of each key, in the order in which they are multiplied out."""
    if "task" not in grid:
        raise ValueError("[grid] has no task, but must name at least one")
    values: dict[str, list[Any]] = {}
    for key in (key for key in _KEYS if key in grid):
        values[key] = [_KEYS[key](key, value) for value in _listed(key, grid[key])]
        if len(set(values[key])) < len(values[key]):
            raise ValueError(f"{key} of [grid] is {grid[key]}, but must not repeat a value")
    pruners = values.get("pruner", ["none"])
    for number in ("sparsity", "fraction"):
        if number in values and not any(hasattr(named_pruner(name), number) for name in pruners):
            raise ValueError(
                f"{number} of [grid] is {grid[number]}, but none of its pruners has one: "
                f"{', '.join(pruners)}"
            )
    return values


def _experiment(chosen: Mapping[str, Any]) -> Experiment:
    """The experiment of one combination; what is not chosen is left to the task."""
    parts: dict[str, Any] = {key: chosen[key] for key in ("hidden", "iterations") if key in chosen}
    parts |= {key: _INITIALISERS[chosen[key]] for key in ("weights", "values") if key in chosen}
    numbers = {key: chosen[key] for key in ("sparsity", "fraction") if key in chosen}
    if "learning_rate" in chosen:
        parts["optimiser"] = adam(chosen["learning_rate"])
    return Experiment(
        _task(chosen["task"], chosen.get("reading", "run"), chosen.get("epochs")),
        pruner=named_pruner(chosen.get("pruner", "none"), **numbers),
        **parts,
    )


def _task(name: str, reading: Any, epochs: int | None) -> Task:
    task = _READ[name](reading) if name in _READ else named_task(name)
    return task if epochs is None else dataclasses.replace(task, epochs=epochs)


_READ: dict[str, Callable[[Any], Task]] = {
    "xor": xor,
    "sine": sine,
    "untrained": lambda reading: untrained(reading=reading),
}


def _task_name(key: str, value: Any) -> str:
    named_task(_text(key, value))
    return str(value)


def _one_of(names: Iterable[str]) -> Callable[[str, Any], str]:
    return lambda key, value: _checks.known(key, _text(key, value), names)


def _whole(least: int) -> Callable[[str, Any], int]:
    return lambda key, value: _checks.whole(key, value, least=least)


def _fraction(key: str, value: Any) -> float:
    return _checks.fraction(key, _number(key, value))


def _rate(key: str, value: Any) -> float:
    if not 0 < _number(key, value) < math.inf:
        raise ValueError(f"{key} is {value!r}, but must be above 0")
    return float(value)


# In the order in which they are multiplied out: the last one varies fastest.
_KEYS: dict[str, Callable[[str, Any], Any]] = {
    "task": _task_name,
    "reading": _one_of(["run", "written"]),
    "epochs": _whole(1),
    "hidden": _whole(0),
    "iterations": _whole(1),
    "weights": _one_of(_INITIALISERS),
    "values": _one_of(_INITIALISERS),
    "learning_rate": _rate,
    "pruner": _one_of(PRUNERS),
    "sparsity": _fraction,
    "fraction": _fraction,
}


def _number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{key} is {value!r}, but must be a number")
    return float(value)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key} is {value!r}, but must be a text")
    return value


def _listed(key: str, value: Any) -> list[Any]:
    listed = value if isinstance(value, list) else [value]
    if not listed:
        raise ValueError(f"{key} is [], but must hold at least one value")
    return listed


def _table(name: str, told: Any, keys: Iterable[str]) -> Mapping[str, Any]:
    if not isinstance(told, dict):
        raise ValueError(f"{name} is {told!r}, but must be a table, [{name}]")
    _known_keys(f"[{name}]", told, keys)
    return told


def _known_keys(where: str, told: Mapping[str, Any], keys: Iterable[str]) -> None:
    for key in told:
        _checks.known(f"key of {where}", key, keys)
