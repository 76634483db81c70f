"""The Python lines that make what is shown."""

from __future__ import annotations

from orderedness.explorer.compute import DRAWS
from orderedness.explorer.setting import Setting

_TASKS = {
    "XOR": ("xor", "xor()"),
    "Sine": ("sine", "sine()"),
    "parity of 3": ("parity", "parity(3)"),
    "parity of 4": ("parity", "parity(4)"),
    "untrained control": ("untrained", "untrained()"),
}
_PRUNERS = {
    "random": "RandomPruning",
    "top-k": "TopK",
    "dynamic top-k": "DynamicTopK",
    "tril-damping": "TrilDamping",
    "dynamic tril-damping": "DynamicTrilDamping",
}
_INITIALISERS = {
    "normal W, normal v": "",
    "uniform W, normal v": "weights=uniform",
    "normal W, zero v": "values=zeros",
}


def recipe(setting: Setting) -> str:
    """A program that trains the same networks and prints the same numbers.

    Examples:
        >>> print(recipe(Setting(hidden=3, pruner="top-k")).splitlines()[4])
        experiment = Experiment(xor(), hidden=3, iterations=3, pruner=TopK(0.5))
    """
    function, task = _TASKS[setting.task]
    names = {"Experiment", "orderedness", "train", function}
    parts = [task, f"hidden={setting.hidden}", f"iterations={setting.iterations}"]
    if setting.pruner != "none":
        names.add(_PRUNERS[setting.pruner])
        parts.append(f"pruner={_PRUNERS[setting.pruner]}({setting.strength:g})")
    if initialiser := _INITIALISERS[setting.initialiser]:
        names.add(initialiser.partition("=")[2])
        parts.append(initialiser)
    listed = ", ".join(sorted(names, key=lambda name: (name.islower(), name)))
    return f"""\
from orderedness import {listed}
from orderedness.ordering import null_orderedness
from orderedness.study import estimate, study_seeds

experiment = Experiment({", ".join(parts)})
outcome = train(experiment, study_seeds({setting.networks}, {setting.seed}))
before = orderedness(outcome.initial.weights, outputs=1).value
null = null_orderedness(
    outcome.final.weights, "entries", draws={DRAWS}, seeds=outcome.seeds, outputs=1
).full
print("O before", estimate(before))
print("O after", estimate(null.observed))
print("above chance", estimate(null.excess))
print("solved", (outcome.final_loss < 0.01).mean())
"""
