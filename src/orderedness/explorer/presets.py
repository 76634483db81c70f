"""Where the controls stand for every row of the paper's Table 1, and for every figure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from orderedness.explorer.setting import Setting
from orderedness.paper import ROWS, TABLE1

# The paper's names for tasks and rows -> ours, with its default sizes.
_COLUMNS = {
    "xor": Setting(task="XOR"),
    "sine": Setting(task="Sine", hidden=8),
    "none": Setting(task="untrained control", iterations=1),
}
_ROWS: dict[str, tuple[str, dict[str, str | float]]] = {
    "default": ("no pruning", {"pruner": "none", "strength": 0.0}),
    "uniform_weights": (
        "uniform W",
        {"pruner": "none", "strength": 0.0, "initialiser": "uniform W, normal v"},
    ),
    "zero_values": (
        "zero v",
        {"pruner": "none", "strength": 0.0, "initialiser": "normal W, zero v"},
    ),
    "random": ("random, p = 0.5", {"pruner": "random"}),
    "topk": ("top-k, k = 0.5", {"pruner": "top-k"}),
    "dynamic_topk": ("dynamic top-k, k = 0.5", {"pruner": "dynamic top-k"}),
    "tril_damp": ("tril-damping, f = 0.8", {"pruner": "tril-damping", "strength": 0.8}),
    "dynamic_tril_damp": (
        "dynamic tril-damping, f = 0.8",
        {"pruner": "dynamic tril-damping", "strength": 0.8},
    ),
}


@dataclasses.dataclass(frozen=True)
class Preset:
    """A setting to start from.

    Attributes:
        name: for the list.
        setting: where the controls go.
        note: what to look at, or what the paper printed.
        matrix: a name in `own_matrix.EXAMPLES`, to be shown below, or nothing.
        baseline: whether to draw the losses of the paper's MLP as well.
    """

    name: str
    setting: Setting
    note: str
    matrix: str = ""
    baseline: bool = False


def _table1() -> Iterator[Preset]:
    for row in ROWS:
        name, parts = _ROWS[row]
        for column, sizes in _COLUMNS.items():
            if (row, column) not in TABLE1:
                continue
            mean, std = TABLE1[row, column]
            yield Preset(
                f"Table 1: {name}, {sizes.task}",
                dataclasses.replace(sizes, **parts),  # type: ignore[arg-type]
                f"The paper printed a change of O of {mean:+.3f} ± {std:.3f} for ten networks.",
            )


def _figures() -> Iterator[Preset]:
    start = Setting()
    yield Preset(
        "Figure 1a: an MLP as a complete layer",
        start,
        "Figure 1 is about matrices, not about training: see “A matrix of your own” below.",
        matrix="Figure 1a: an MLP as a complete layer",
    )
    yield Preset(
        "Figure 1b: a perfect order",
        start,
        "Figure 1 is about matrices, not about training: see “A matrix of your own” below.",
        matrix="Figure 1b: a perfect order",
    )
    for column in ("xor", "sine"):
        task = _COLUMNS[column].task
        yield Preset(
            f"Figure 2: hidden units and iterations, {task}",
            Setting(task=task, hidden=3, iterations=2),
            "Figure 2 is the mean change of O over 1, 3, 5, 7 hidden units and T from 1 to 10: "
            "move both.",
        )
    for column, sizes in _COLUMNS.items():
        yield Preset(
            f"Figure 3: strength, {sizes.task}",
            dataclasses.replace(_COLUMNS[column], strength=0.9),
            "Figure 3 is O against the strength from 0 to 0.9 for five pruners: move the strength.",
        )
    for column in ("xor", "sine"):
        yield Preset(
            f"Figure 4: losses of an MLP, {_COLUMNS[column].task}",
            _COLUMNS[column],
            "Figure 4 is the loss of ten ordinary MLPs, drawn beside that of the complete layers.",
            baseline=True,
        )
    for column in ("xor", "sine"):
        yield Preset(
            f"Figure 5: losses with dynamic top-k, {_COLUMNS[column].task}",
            _COLUMNS[column],
            "Figure 5 is the loss of complete layers under dynamic top-k pruning.",
        )


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("the explorer's own start", Setting(), "Move anything: all networks train anew."),
        *_table1(),
        *_figures(),
    )
}
